/**
 * The git commands of a program, recorded as they are given, to be given again without it.
 * Rule: the same arguments, environment and standard input, in the same order, one after another.
 */
import { join } from "@std/path";

/** One command. */
interface GitCommand {
  args: string[];
  env: Record<string, string>;
  stdin: Uint8Array;
}

/** A folder to be the first in PATH, whose `git` notes what it is given and passes it on. */
export class RecordedGit {
  readonly folder: string;
  readonly #real: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#real = findGit();
    Deno.mkdirSync(folder);
    Deno.writeTextFileSync(join(folder, "git"), recorder(this.#real));
    Deno.chmodSync(join(folder, "git"), 0o755);
  }

  /** What has been recorded, in order; every mention of the folder `from` is one of `to`. */
  commands(from: string, to: string): GitCommand[] {
    const moved = (text: string) => text.replaceAll(from, to);
    const numbers = [...Deno.readDirSync(this.folder)].flatMap(({ name }) =>
      name.endsWith(".args") ? [parseInt(name)] : []
    );
    return numbers.toSorted((a, b) => a - b).map((number) => {
      const read = (what: string) => Deno.readFileSync(join(this.folder, `${number}.${what}`));
      const lines = (what: string) => moved(new TextDecoder().decode(read(what))).split("\0");
      const pairs = lines("env").filter((line) => line.includes("=")).map((line) => {
        const at = line.indexOf("=");
        return [line.slice(0, at), line.slice(at + 1)];
      });
      return {
        args: lines("args").slice(0, -1),
        env: Object.fromEntries(pairs),
        stdin: read("stdin"),
      };
    });
  }

  /**
   * Gives `commands` to git in `root`, from a bare program.
   *
   * @returns how long all of it took, in milliseconds
   */
  async replay(commands: readonly GitCommand[], root: string): Promise<number> {
    const startMs = performance.now();
    for (const { args, env, stdin } of commands) {
      const child = new Deno.Command(this.#real, {
        args,
        env,
        clearEnv: true,
        cwd: root,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      // A command that reads nothing may have ended by now.
      const feeding = writer.write(stdin).then(() => writer.close()).catch(() => {});
      await Promise.all([child.output(), feeding]);
    }
    return performance.now() - startMs;
  }
}

function findGit(): string {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    try {
      if (Deno.statSync(join(folder, "git")).isFile) return join(folder, "git");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error("there is no git in PATH");
}

/** Numbers are given out by files that must not be there yet: git may be started twice at once. */
function recorder(real: string): string {
  return `#!/bin/sh
here=\${0%/*}
set -C
number=1
until true > "$here/$number.args"; do number=$((number + 1)); done 2> /dev/null
set +C
printf '%s\\0' "$@" > "$here/$number.args"
env -0 > "$here/$number.env"
cat > "$here/$number.stdin"
exec ${real} "$@" < "$here/$number.stdin"
`;
}
