/** A real repository with a real session in it that has changed files, for shipping. */
import assert from "node:assert/strict";
import { Git } from "../../src/git/run.ts";
import { keepChanges } from "../../src/agent/kept_change.ts";
import { TreeWatch } from "../../src/agent/tree_watch.ts";
import { readFileState } from "../../src/git/file_state.ts";
import { repositorySnapshot } from "../../src/git/snapshot.ts";
import { readLedger } from "../../src/ledger/ledger.ts";
import { readMemory } from "../../src/ledger/memory_file.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { TouchedFile } from "../../src/session/outcome.ts";
import type { RecordDraft, SessionRecord } from "../../src/session/records.ts";
import { Session } from "../../src/session/session.ts";
import type { Diagnose } from "../../src/ship/account.ts";
import type { ShipEvent } from "../../src/ship/events.ts";
import type { Outline } from "../../src/ship/outline.ts";
import type { Override, PreflightCheck } from "../../src/ship/preflight/check.ts";
import { runPreflight } from "../../src/ship/preflight.ts";
import { readAccount } from "../../src/ship/read_account.ts";
import type { ShipRequest } from "../../src/ship/request.ts";
import { ship, type ShipOutcome } from "../../src/ship/ship.ts";
import { WorkTree } from "../../src/git/work_tree/work_tree.ts";
import { Sandbox, type SandboxMode } from "../../src/agent/sandbox.ts";
import { plainBaseline, recordsOf, TEST_SESSION } from "../support/conversations.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

const COMMANDS = { maxSeconds: 60, keepBytes: 1_000_000, outputBytes: 64 * 1024 };

export const diagnose: Diagnose = ({ name }) => ({ cause: "test_failure", detail: name });

export const OUTLINE: Outline = {
  caveats: [],
  goal: "Greet by name",
  projectType: "deno",
  framework: "",
  decisions: [{ question: "Which greeting?", answer: "Hello" }],
  plan: { summary: "Change the greeting", risks: ["none"], verification: ["deno test"] },
  tasks: [{
    id: "1",
    title: "Take a name",
    status: "done",
    heals: 0,
    detail: "",
    files: [],
    changedNothing: false,
  }],
};

/** What a ship is given besides the session. */
export interface ShipOptions {
  overrides?: readonly Override[];
  include?: readonly string[];
  message?: string;
  /** `off` unless a test is about the sandbox. */
  sandbox?: SandboxMode;
  outline?: Outline;
  settings?: Partial<ShipRequest["settings"]>;
  writer?: ShipRequest["writer"];
  confirm?: ShipRequest["confirm"];
  /** Stands between the ship and the log. */
  append?: (append: Session["append"], drafts: readonly RecordDraft[]) => SessionRecord[];
}

/** Opens the test's session in `root`, and what a ship of it is given. */
export async function withRequest<T>(
  root: string,
  environment: Readonly<Record<string, string>>,
  options: ShipOptions & { events?: ShipEvent[] },
  act: (request: ShipRequest) => Promise<T>,
): Promise<T> {
  const {
    overrides = [],
    include = [],
    message,
    outline = OUTLINE,
    settings,
    writer,
    confirm,
    append,
  } = options;
  const mode = options.sandbox ?? "off";
  const sandbox = new Sandbox(root, { mode, network: true, writable: [] }, environment);
  const session = await Session.open(root, TEST_SESSION);
  try {
    const plain: Session["append"] = (drafts) => session.append(drafts);
    return await act({
      root,
      git: new Git(root, environment),
      environment,
      clock: systemClock,
      session: {
        id: session.id,
        baseline: session.baseline,
        append: (drafts) => append === undefined ? plain(drafts) : append(plain, drafts),
      },
      account: await readAccount(root, TEST_SESSION, diagnose),
      outline,
      project: "work",
      author: null,
      settings: {
        prefix: "chore",
        subject: "{type}: {goal}",
        attribution: true,
        planningFiles: false,
        commitTimeoutMs: 60_000,
        ...settings,
      },
      overrides: new Set(overrides),
      include,
      ...(message === undefined ? {} : { message }),
      checking: { sandbox, commands: COMMANDS, secrets: [] },
      ...(writer === undefined ? {} : { writer }),
      ...(confirm === undefined ? {} : { confirm }),
      signal: new AbortController().signal,
      onEvent: (event) => void options.events?.push(event),
    });
  } finally {
    session.close();
    await sandbox.close();
  }
}

/** A repository and a session in it. */
export class Shippable {
  readonly folder: GitFolder;
  readonly events: ShipEvent[] = [];
  /** How it was shipped, where a test keeps that here. */
  outcome: ShipOutcome | undefined;

  constructor(folder: GitFolder) {
    this.folder = folder;
  }

  get root(): string {
    return this.folder.root;
  }

  /** Begins the session in the repository as it is now. */
  async begin(baseline: Parameters<typeof plainBaseline>[0] = {}): Promise<void> {
    const repository = await repositorySnapshot(this.folder.git) ?? null;
    (await Session.create(this.root, plainBaseline({ repository, ...baseline }), null)).close();
    await this.record({ type: "goal", text: OUTLINE.goal, mode: "run" });
  }

  /** Appends to the session's log. */
  async record(...drafts: RecordDraft[]): Promise<void> {
    const session = await Session.open(this.root, TEST_SESSION);
    session.append(drafts);
    session.close();
  }

  /** Changes files as the session's tools would: the intent in the log, then the files; null removes one. */
  async change(files: Readonly<Record<string, string | null>>): Promise<void> {
    const before = Object.keys(files).map((path) => readFileState(this.root, path));
    for (const [path, content] of Object.entries(files)) {
      if (content !== null) this.folder.write(path, content);
      if (content === null) Deno.removeSync(`${this.root}/${path}`);
    }
    const changes = Object.keys(files).map((path, index) => ({
      path,
      before: before[index],
      after: readFileState(this.root, path),
    }));
    const kept = await keepChanges(this.folder.git, changes);
    await this.record({ type: "intent", call: 1, done: "done", changes: kept });
  }

  /** The tree as it stands, as checks take it. */
  get workTree(): WorkTree {
    return new WorkTree(this.folder.git, {
      folder: `${this.root}/sessions/${TEST_SESSION}/tree`,
      keepBytes: 1_000_000,
      apart: ["planning", "sessions"],
    });
  }

  /** Says that the check passed on the tree as it stands. */
  async verify(
    command = "true",
    counted?: { ran: number },
    touched: TouchedFile[] = [],
  ): Promise<void> {
    const watch = await TreeWatch.begin(this.workTree);
    await this.record(
      { type: "phase", phase: "verify", status: "entered", detail: "" },
      {
        type: "check",
        name: "test",
        command,
        task: null,
        passed: true,
        exitCode: 0,
        output: "ok",
        durationMs: 20,
        purpose: "attempt",
        tests: counted === undefined
          ? null
          : { ...counted, failed: 0, skipped: 0, unit: "tests", isLowerBound: false },
        tree: await watch.checkedOutTree(),
        touched,
        unknown: [],
        restored: [],
      },
      { type: "phase", phase: "verify", status: "done", detail: "" },
    );
  }

  /** Ships the session with a git of the given environment. */
  async ship(
    options: ShipOptions = {},
    environment = this.folder.environment,
  ): Promise<ShipOutcome> {
    return await withRequest(this.root, environment, { ...options, events: this.events }, ship);
  }

  /** The checklist. */
  async preflight(options: ShipOptions = {}): Promise<PreflightCheck[]> {
    return await withRequest(this.root, this.folder.environment, options, runPreflight);
  }

  /** What each check of the session's log was run for, and how long it took, in milliseconds. */
  async checkTimes(): Promise<[purpose: string, durationMs: number][]> {
    return (await recordsOf(this.root)).flatMap((record) =>
      record.type === "check" ? [[record.purpose, record.durationMs]] : []
    );
  }

  /** Checks that the session is shipped, once: one commit, one entry, one block. */
  async assertShippedOnce(): Promise<void> {
    const owners = this.folder.run("log", "--format=%(trailers:key=M31A-Session,valueonly)").trim();
    assert.equal(owners, TEST_SESSION);
    const entries = await readLedger(`${this.root}/planning/ledger.jsonl`);
    assert.deepEqual(entries.map(({ entry }) => [entry.outcome, entry.attempt]), [["shipped", 1]]);
    assert.equal(entries[0]?.entry.commit, this.folder.run("rev-parse", "HEAD").trim());
    assert.deepEqual(readMemory(this.root).blocks.map(({ session }) => session), [TEST_SESSION]);
    const archive = `${this.root}/planning/archive/${TEST_SESSION}`;
    assert.deepEqual([...Deno.readDirSync(archive)].map(({ name }) => name).toSorted(), [
      "DEMONSTRATION.md",
      "STATE.md",
      "plan.md",
      "plan.v1.md",
    ]);
    const left = [...Deno.readDirSync(`${this.root}/planning`)].map(({ name }) => name);
    assert.deepEqual(left.filter((name) => /^(?:STATE|DEMONSTRATION|plan)\b/.test(name)), []);
    assert.ok(
      !Deno.readTextFileSync(`${this.root}/sessions/${TEST_SESSION}/0.jsonl`).includes("\0"),
    );
  }
}

/** The check of that name. */
export function checkOf(
  checks: readonly PreflightCheck[],
  name: PreflightCheck["name"],
): PreflightCheck {
  const check = checks.find((known) => known.name === name);
  if (check === undefined) throw new Error(`no check ${name}`);
  return check;
}

/** What git ignores in these repositories. */
export const IGNORED = "sessions/\nplanning/\n*.ignored\n";

/** A verified session in `folder` that has changed `a.ts` and added `b.ts`, with planning documents lying about. */
export async function verifiedSession(folder: GitFolder): Promise<Shippable> {
  const shippable = new Shippable(folder);
  await shippable.begin();
  await shippable.change({ "a.ts": "export const a = 2;\n", "b.ts": "export const b = 1;\n" });
  await shippable.verify();
  Deno.mkdirSync(`${folder.root}/planning`, { recursive: true });
  folder.write("planning/STATE.md", "# State\n");
  folder.write("planning/plan.md", "# Plan\n");
  folder.write("planning/plan.v1.md", "# Plan\n");
  return shippable;
}

/** Makes a repository with a commit, and {@linkcode verifiedSession} in it. */
export function withShippable<T>(
  test: (shippable: Shippable) => Promise<T>,
  prepare: (folder: GitFolder) => void = () => {},
): Promise<T> {
  return withGitFolder(async (folder) => {
    folder.write("a.ts", "export const a = 1;\n");
    folder.write(".gitignore", IGNORED);
    folder.commitAll();
    prepare(folder);
    return await test(await verifiedSession(folder));
  });
}
