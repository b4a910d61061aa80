/**
 * A copy of the project, in which sources are changed and tests are run.
 * Rule: it holds what git knows or would add, as it is in the tree; nothing of it stays.
 */
import { spawn } from "node:child_process";
import { dirname, join } from "@std/path";
import { PROJECT_ROOT } from "../deno.ts";
import { testFlags } from "../permissions.ts";

/** How a run of tests ended. */
export interface TestRun {
  /** Undefined: it did not end in its time and was killed. */
  code: number | undefined;
  /** What it printed, on both streams. */
  output: string;
}

/** See the head of this file. */
export class ProjectCopy {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Copies the project to a temporary folder. */
  static async make(): Promise<ProjectCopy> {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "m31a-mutate-" }));
    const { stdout } = await new Deno.Command("git", {
      args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      cwd: PROJECT_ROOT,
      stdin: "null",
    }).output();
    for (const path of new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "")) {
      const target = join(root, path);
      Deno.mkdirSync(dirname(target), { recursive: true });
      try {
        Deno.copyFileSync(join(PROJECT_ROOT, path), target);
      } catch (error) {
        // git still knows a file that was deleted.
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return new ProjectCopy(root);
  }

  /**
   * Runs test files of the copy, up to the first failure. What does not end in `limitMs` is killed, with
   * all that it has started.
   */
  async test(files: readonly string[], limitMs: number): Promise<TestRun> {
    const seed = `--preload=${join(this.root, "tests", "support", "property_seed.ts")}`;
    const flags = ["--quiet", "--no-check", "--fail-fast", "--cached-only", seed, ...testFlags()];
    // A group of its own, for its end to be the end of all that it has started.
    const child = spawn(Deno.execPath(), ["test", ...flags, ...files], {
      cwd: this.root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...Deno.env.toObject(), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => output += text);
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      killGroup(child.pid);
    }, limitMs);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (exitCode) => resolve(exitCode));
    });
    clearTimeout(timer);
    killGroup(child.pid);
    return { code: isLate ? undefined : code ?? 1, output };
  }

  remove(): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it runs any more.
  }
}
