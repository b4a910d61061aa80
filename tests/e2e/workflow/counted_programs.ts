/**
 * git and sh as m31a finds them, counted, with an end of m31a's process before or after one of them.
 * Rule: what they do is what they always do; programs that those start in turn are not counted.
 */
import { join } from "@std/path";

/** The programs that m31a may start. */
const NAMES = ["git", "sh"] as const;

/** When to kill: at the program with this number, from 1, in the order in which they are started. */
export interface ProgramPoint {
  number: number;
  when: "before" | "after";
}

/** A folder to be the first in PATH. */
export class CountedPrograms {
  readonly folder: string;

  /** @param path where the programs are really found */
  constructor(folder: string, path: string) {
    this.folder = folder;
    Deno.mkdirSync(join(folder, "started"), { recursive: true });
    for (const name of NAMES) {
      const wrapper = join(folder, name);
      Deno.writeTextFileSync(wrapper, wrapperScript(find(name, path)));
      Deno.chmodSync(wrapper, 0o755);
    }
  }

  /** The command to put before m31a: its process is the one that is counted for and killed. */
  under(point?: ProgramPoint): string[] {
    const at = point === undefined ? "0 never" : `${point.number} ${point.when}`;
    Deno.writeTextFileSync(join(this.folder, "point"), `${at}\n`);
    const note = `echo $$ > ${JSON.stringify(join(this.folder, "victim"))}; exec "$@"`;
    return [find("sh", "/bin:/usr/bin"), "-c", note, "sh"];
  }

  /** The id of m31a's process. */
  get victim(): number {
    return Number(Deno.readTextFileSync(join(this.folder, "victim")));
  }

  /** What was started, in order: the name and the arguments. */
  get started(): string[] {
    const folder = join(this.folder, "started");
    const numbers = [...Deno.readDirSync(folder)].map(({ name }) => Number(name));
    return numbers.toSorted((a, b) => a - b).map((number) =>
      Deno.readTextFileSync(join(folder, String(number))).trim()
    );
  }
}

function find(name: string, path: string): string {
  for (const folder of path.split(":")) {
    try {
      if (Deno.statSync(join(folder, name)).isFile) return join(folder, name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error(`there is no ${name} in ${path}`);
}

/** Numbers are given out by files that must not be there yet, so that two started at once differ. */
function wrapperScript(real: string): string {
  return `#!/bin/sh
here=\${0%/*}
read -r victim < "$here/victim"
if [ "$PPID" != "$victim" ]; then exec ${real} "$@"; fi
set -C
number=1
until true > "$here/started/$number"; do number=$((number + 1)); done 2> /dev/null
set +C
printf '%s\\n' "\${0##*/} $*" > "$here/started/$number"
read -r chosen when < "$here/point"
if [ "$number" != "$chosen" ]; then exec ${real} "$@"; fi
if [ "$when" = after ]; then ${real} "$@"; fi
kill -s KILL "$victim"
`;
}
