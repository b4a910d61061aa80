/** Real git repositories for tests, in temporary folders, deaf to the machine's own git configuration. */
import { Git } from "../../src/git/run.ts";
import { decodeLossy } from "../../src/platform/text.ts";
import { withTemporaryFolder } from "./temporary.ts";

/** A repository, or a plain folder, and a git that works in it. */
export class GitFolder {
  /** The tree's root, a real path. */
  readonly root: string;
  /** A folder of m31a's own beside it, for index files and the like. */
  readonly scratch: string;
  /** What the code under test is given. */
  readonly git: Git;
  readonly environment: Readonly<Record<string, string>>;

  constructor(folder: string) {
    this.root = `${folder}/work`;
    this.scratch = `${folder}/scratch`;
    for (const path of [this.root, this.scratch, `${folder}/home`]) Deno.mkdirSync(path);
    this.environment = { PATH: Deno.env.get("PATH") ?? "", HOME: `${folder}/home` };
    this.git = new Git(this.root, this.environment);
  }

  /** Runs git as the user would; throws with its output when it fails. */
  run(...args: string[]): string {
    return decodeLossy(this.runBytes(args));
  }

  runBytes(args: string[], cwd = this.root): Uint8Array {
    const { success, stdout, stderr } = new Deno.Command("git", {
      args,
      cwd,
      clearEnv: true,
      env: { ...this.environment, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C.UTF-8" },
    }).outputSync();
    if (!success) throw new Error(`git ${args.join(" ")}: ${decodeLossy(stderr)}`);
    return stdout;
  }

  /** Writes a file below the root, with its folders. */
  write(path: string, content: string | Uint8Array, mode?: number): void {
    const full = `${this.root}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(full, content);
    if (typeof content !== "string") Deno.writeFileSync(full, content);
    if (mode !== undefined) Deno.chmodSync(full, mode);
  }

  read(path: string): string {
    return Deno.readTextFileSync(`${this.root}/${path}`);
  }

  /** Adds everything and commits it. */
  commitAll(message = "all"): void {
    this.run("add", "-A", "-f");
    this.run("commit", "-q", "--allow-empty", "--no-verify", "-m", message);
  }

  /** Writes an executable hook. */
  hook(name: string, script: string): void {
    const path = `${this.root}/.git/hooks/${name}`;
    Deno.mkdirSync(`${this.root}/.git/hooks`, { recursive: true });
    Deno.writeTextFileSync(path, `#!/bin/sh\n${script}\n`);
    Deno.chmodSync(path, 0o755);
  }
}

/** Makes a repository without a commit, on branch `main`, and removes it afterwards. */
export function withGitFolder<T>(
  test: (repository: GitFolder) => T | Promise<T>,
): Promise<T> {
  return withPlainFolder((repository) => {
    repository.run("init", "-q", "-b", "main", ".");
    repository.run("config", "user.name", "Test");
    repository.run("config", "user.email", "test@example.invalid");
    repository.run("config", "commit.gpgSign", "false");
    return test(repository);
  });
}

/** Makes a folder that is not a repository, and removes it afterwards. */
export function withPlainFolder<T>(
  test: (repository: GitFolder) => T | Promise<T>,
): Promise<T> {
  return withTemporaryFolder((folder) => test(new GitFolder(folder)));
}
