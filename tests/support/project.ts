/**
 * A small project in a temporary folder, and the compiled executable started in it as a user would.
 * Rule: nothing of the environment that the tests run in reaches it; every process ends with the test.
 */
import { existsSync } from "node:fs";
import { join } from "@std/path";
import { executablePath } from "../e2e/executable.ts";
import { ChatProcess } from "./chat_process.ts";
import { isSessionId } from "../../src/session/session_id.ts";
import { withTemporaryFolder } from "./temporary.ts";

/** Variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** What a process that has ended printed, byte for byte, and its exit code. */
export interface EndedBytes {
  code: number;
  stdout: string;
  stderr: string;
  stdoutBytes: Uint8Array;
  stderrBytes: Uint8Array;
}

/** How to start a process besides its arguments. */
export interface StartOptions {
  /** Added to the project's variables. */
  env?: Variables;
  /** What it reads on stdin; nothing when absent. */
  input?: string;
  /** Where it is started; the project's root when absent. */
  cwd?: string;
  /** A command that the executable and its arguments are appended to: `strace …`, `sh -c …`. */
  under?: readonly string[];
}

/** A project. */
export class Project {
  readonly root: string;
  /** Beside the root, for what a test keeps out of the project. */
  readonly outside: string;
  /** What every process gets; {@linkcode Project.use} adds to it. */
  variables: Variables;

  constructor(root: string, outside: string) {
    this.root = root;
    this.outside = outside;
    this.variables = {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: outside,
      // A process that is killed leaves its temporary folders: they go with the project.
      TMPDIR: outside,
      LC_ALL: "C.UTF-8",
      NO_COLOR: "1",
    };
  }

  /** Gives every process from here on these variables too. */
  use(variables: Variables): void {
    this.variables = { ...this.variables, ...variables };
  }

  /** Writes files below the root, with their folders. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [path, content] of Object.entries(files)) {
      const full = join(this.root, path);
      Deno.mkdirSync(join(full, ".."), { recursive: true });
      if (typeof content === "string") Deno.writeTextFileSync(full, content);
      if (typeof content !== "string") Deno.writeFileSync(full, content);
    }
  }

  /** Runs any program to its end in the project. */
  async runProgram(command: readonly string[], options: StartOptions = {}): Promise<EndedBytes> {
    const [program = "", ...args] = [...options.under ?? [], ...command];
    const child = new Deno.Command(program, {
      args,
      cwd: options.cwd ?? this.root,
      clearEnv: true,
      env: { ...this.variables, ...options.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [{ code, stdout, stderr }] = await Promise.all([
      child.output(),
      feed(child.stdin, options.input ?? ""),
    ]);
    const decoder = new TextDecoder();
    return {
      code,
      stdout: decoder.decode(stdout),
      stderr: decoder.decode(stderr),
      stdoutBytes: stdout,
      stderrBytes: stderr,
    };
  }

  /** Runs m31a to its end. */
  async run(args: readonly string[], options: StartOptions = {}): Promise<EndedBytes> {
    return await this.runProgram([executablePath(), ...args], options);
  }

  /** Starts `m31a chat --json` with `args` and leaves its stdin open. */
  chat(args: readonly string[] = [], options: Omit<StartOptions, "input"> = {}): ChatProcess {
    const [program = "", ...rest] = [
      ...options.under ?? [],
      executablePath(),
      "chat",
      "--json",
      ...args,
    ];
    return new ChatProcess(
      new Deno.Command(program, {
        args: rest,
        cwd: options.cwd ?? this.root,
        clearEnv: true,
        env: { ...this.variables, ...options.env },
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
  }

  /** Runs git and expects it to succeed. */
  async git(...args: string[]): Promise<string> {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    const { code, stdout, stderr } = await this.runProgram(["git", ...identity, ...args]);
    if (code !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  /** The ids of the sessions, oldest first; none before the first message made the folder. */
  get sessionIds(): string[] {
    if (!existsSync(join(this.root, "sessions"))) return [];
    return [...Deno.readDirSync(join(this.root, "sessions"))]
      .filter((entry) => entry.isDirectory && isSessionId(entry.name))
      .map((entry) => entry.name)
      .sort();
  }

  /** The id of the only session. */
  get sessionId(): string {
    const [id, ...others] = this.sessionIds;
    if (id === undefined || others.length > 0) {
      throw new Error(`one session was expected, not ${this.sessionIds.length}`);
    }
    return id;
  }

  /** The path of a file of the only session. */
  sessionFile(name: string): string {
    return join(this.root, "sessions", this.sessionId, name);
  }

  /** The records of the only session's log. */
  records(epoch = 0): { type: string; [field: string]: unknown }[] {
    return Deno.readTextFileSync(this.sessionFile(`${epoch}.jsonl`)).split("\n")
      .filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  /** The bytes of every file of every session, by path: to be compared. */
  sessionBytes(): Record<string, string> {
    const files: Record<string, string> = {};
    for (const id of this.sessionIds) {
      const folder = join(this.root, "sessions", id);
      for (const { name, isFile } of Deno.readDirSync(folder)) {
        // What is kept of the project's files, and git's own index of them, is in a folder.
        if (isFile) files[`${id}/${name}`] = hex(Deno.readFileSync(join(folder, name)));
      }
    }
    return files;
  }
}

/** Makes a project with a README and a source file in a repository, and removes it afterwards. */
export async function withProject<T>(test: (project: Project) => Promise<T>): Promise<T> {
  return await withTemporaryFolder(async (folder) => {
    const root = join(folder, "project");
    const outside = join(folder, "outside");
    Deno.mkdirSync(root);
    Deno.mkdirSync(outside);
    const project = new Project(root, outside);
    project.write({ "README.md": "# greet\n", "src/greet.ts": 'console.log("Hello");\n' });
    await project.git("init", "--quiet", "--initial-branch=main");
    return await test(project);
  });
}

async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (error) {
    // A process that ended without reading is judged by its exit code.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function hex(bytes: Uint8Array): string {
  return bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
}
