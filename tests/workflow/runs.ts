/** Workflows for tests: a real repository, real checks, a real session; the model's words and the user's are the test's. */
import { controlTools } from "../../src/agent/control.ts";
import { Conversation, type ConversationWorld } from "../../src/agent/conversation.ts";
import { register, Registry } from "../../src/agent/registry.ts";
import { Sandbox } from "../../src/agent/sandbox.ts";
import { askUser } from "../../src/agent/tools/ask_user.ts";
import { deleteFile } from "../../src/agent/tools/delete_file.ts";
import { editFile } from "../../src/agent/tools/edit_file.ts";
import { readFile } from "../../src/agent/tools/read_file.ts";
import { runCommand } from "../../src/agent/tools/run_command.ts";
import { writeFile } from "../../src/agent/tools/write_file.ts";
import type { JsonValue } from "../../src/platform/canonical_json.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import type { SessionRecord } from "../../src/session/records.ts";
import type { ActionWay } from "../../src/session/side_records.ts";
import type { WorkflowEvent } from "../../src/workflow/events.ts";
import type { Gates } from "../../src/workflow/gates.ts";
import { WorkflowLink } from "../../src/workflow/link.ts";
import {
  runWorkflow,
  type WorkflowEnd,
  type WorkflowRequest,
} from "../../src/workflow/workflow.ts";
import { stoppedClock } from "../session/samples.ts";
import {
  type Answer,
  plainBaseline,
  recordsOf,
  says,
  TEST_SESSION,
  WordsModel,
  worldOf,
} from "../support/conversations.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { killedAfter } from "../support/kills.ts";

const COMMANDS = { allowed: [], maxSeconds: 30, outputBytes: 65536, keepBytes: 1_000_000 };

/** A project whose check wants every line of `numbers.txt` to be a number. */
export function withProject(test: (folder: GitFolder) => Promise<void>): Promise<void> {
  return withGitFolder(async (folder) => {
    folder.write("numbers.txt", "1\n2\n");
    folder.write(
      "check.sh",
      'echo looking; if grep -n "[^0-9]" numbers.txt; then echo "1 failed"; exit 1; fi\n',
    );
    folder.commitAll();
    await test(folder);
  });
}

const CHECKS = { test: "sh check.sh" };

/** How a workflow is run in a test. */
export interface RunOptions {
  answers: readonly Answer[];
  goal?: string;
  mode?: "run" | "chat";
  gates?: Gates;
  checks?: Record<string, string>;
  from?: NonNullable<WorkflowRequest["from"]>;
  signal?: AbortSignal;
  /** How long a command or a check may take; half a minute by default. */
  maxSeconds?: number;
  onEvent?: (event: WorkflowEvent) => void;
  /** Ends the process behind this record. */
  killAfter?: (record: SessionRecord) => boolean;
  world?: Partial<ConversationWorld>;
  contextWindowTokens?: number;
  /** How the model is asked to act. */
  actions?: ActionWay;
}

/** What a run left. */
export interface RunResult {
  end: WorkflowEnd;
  events: WorkflowEvent[];
  model: WordsModel;
}

/** The time stands still; who waits for something waits. */
const CLOCK: Clock = { ...stoppedClock, sleep: systemClock.sleep };

/** Begins a session, or goes on with it, and runs its workflow. */
export async function run(folder: GitFolder, options: RunOptions): Promise<RunResult> {
  const { answers, goal, mode = "run", gates, checks = CHECKS, from } = options;
  const { root, environment } = folder;
  const link = new WorkflowLink(gates);
  const settings = { mode: "off", network: true, writable: [] } as const;
  const sandbox = new Sandbox(root, settings, environment);
  const tools = new Registry([
    register(readFile),
    register(editFile),
    register(writeFile),
    register(deleteFile),
    register(runCommand(COMMANDS, sandbox)),
    register(askUser),
    ...controlTools(link),
  ]);
  const model = new WordsModel(answers, options.contextWindowTokens);
  const events: WorkflowEvent[] = [];
  const killer = killedAfter(options.killAfter ?? (() => false));
  const world: ConversationWorld = {
    ...worldOf(root, model, { tools, environment, clock: CLOCK, ...options.world }),
    ...link.world,
    folds: (baseline) => [...link.world.folds(baseline), killer.fold],
  };
  const isNew = !hasSession(root);
  const conversation = isNew
    ? await Conversation.start(world, baselineFor(options.actions), null)
    : await Conversation.resume(world, TEST_SESSION);
  killer.kills(conversation);
  try {
    const end = await runWorkflow({
      conversation,
      link,
      mode,
      sandbox,
      commands: { ...COMMANDS, maxSeconds: options.maxSeconds ?? COMMANDS.maxSeconds },
      configuredChecks: checks,
      onEvent: (event) => {
        events.push(event);
        options.onEvent?.(event);
      },
      signal: options.signal ?? new AbortController().signal,
      ...(goal === undefined ? {} : { goal }),
      ...(from === undefined ? {} : { from }),
    });
    return { end, events, model };
  } finally {
    conversation.close();
    await sandbox.close();
  }
}

function baselineFor(actions: ActionWay | undefined) {
  const baseline = plainBaseline();
  if (actions === undefined) return baseline;
  return { ...baseline, model: { ...baseline.model, actions } };
}

function hasSession(root: string): boolean {
  try {
    return Deno.statSync(`${root}/sessions/${TEST_SESSION}`).isDirectory;
  } catch {
    return false;
  }
}

/** How many replies of a model the session has recorded. */
export async function repliesOf(root: string): Promise<number> {
  return (await recordsOf(root)).filter(({ type }) => type === "assistant").length;
}

/** A task of a plan as a model submits it. */
export function task(id: string, ...dependsOn: string[]): { [name: string]: JsonValue } {
  return { id, title: `Task ${id}`, files: ["numbers.txt"], depends_on: dependsOn, acceptance: "" };
}

/** A reply that submits a plan. */
export function submits(...tasks: { [name: string]: JsonValue }[]): Answer {
  return says("", [{ tool: "submit_plan", input: { summary: "Do it.", tasks } }]);
}

/** A reply that replaces a text in numbers.txt, reading it first, and says that the task is finished. */
export function edits(from: string, to: string): Answer {
  return says("", [
    { tool: "read_file", input: { path: "numbers.txt" } },
    { tool: "edit_file", input: { path: "numbers.txt", old_text: from, new_text: to } },
    FINISH,
  ]);
}

export const FINISH = { tool: "finish_task", input: { summary: "Done." } };

/** A planning document. */
export function document(folder: GitFolder, name: string): string {
  return folder.read(`planning/${name}`);
}

/** The types of records, with what matters of the workflow's own. */
export function storyOf(records: readonly SessionRecord[]): string[] {
  return records.flatMap((record) => {
    switch (record.type) {
      case "phase":
        return [`${record.phase} ${record.status}`];
      case "task":
        return [
          `task ${record.task} ${record.status} ${record.heals} ${record.cause ?? ""}`.trim(),
        ];
      case "check":
        return [
          record.purpose === "attempt"
            ? `check ${record.task} ${record.passed}`
            : `${record.purpose} ${record.name} ${record.passed}`,
        ];
      case "checkpoint":
        return [`checkpoint ${record.number} of ${record.task}: ${record.files.join(" ")}`];
      case "candidate":
        return [`candidate ${record.number} ${record.status} ${record.path}`];
      case "plan":
        return [`plan v${record.version} ${record.approved}`];
      case "user":
        return [`${record.source} ${record.about?.phase} ${record.about?.task}`];
      case "answer":
        return [`answer ${record.text} by ${record.by}`];
      default:
        return [];
    }
  });
}
