/**
 * The fuzzers: `deno task fuzz [name] [--seconds=N] [--seed=N]`, ten seconds each without a number.
 * Rule: each is a process of its own, so that one that hangs is killed and its input kept; what is found is
 * printed as small as it could be made, to be mended and put among tests/fuzz/seeds/.
 */
import { join } from "@std/path";
import { DIST, PROJECT_ROOT } from "./deno.ts";

const NAMES = ["logs", "documents", "streams"];
const USUAL_SECONDS = 10;
/** How much longer than its time a fuzzer may take: to start, to end its last input, to make a finding smaller. */
const GRACE_SECONDS = 60;

function flag(name: string): number | undefined {
  const given = Deno.args.find((argument) => argument.startsWith(`--${name}=`));
  return given === undefined ? undefined : Number(given.slice(name.length + 3));
}

/** Runs one fuzzer; resolves to whether it found nothing. */
async function run(name: string, seconds: number, seed: number, folder: string) {
  const input = join(folder, `${name}.input`);
  const script = join(PROJECT_ROOT, "tests", "fuzz", "run.ts");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, name, String(seconds), String(seed), input],
    cwd: PROJECT_ROOT,
    stdin: "null",
  }).spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, (seconds + GRACE_SECONDS) * 1000);
  const { success } = await child.status;
  clearTimeout(timer);
  if (isLate) console.error(`${name}: hangs on the input in ${input}`);
  if (!success) {
    console.error(`${name}: the input is in ${input}; once mended, a seed. --seed=${seed}`);
  }
  return success;
}

const names = Deno.args.filter((argument) => !argument.startsWith("--"));
const unknown = names.filter((name) => !NAMES.includes(name));
const seconds = flag("seconds") ?? USUAL_SECONDS;
const seed = flag("seed") ?? crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
if (unknown.length > 0 || !(seconds > 0) || !Number.isInteger(seed)) {
  console.error(`usage: deno task fuzz [${NAMES.join("|")}] [--seconds=N] [--seed=N]`);
  Deno.exit(2);
}
const folder = join(DIST, "fuzz");
Deno.mkdirSync(folder, { recursive: true });
let isSound = true;
for (const name of names.length > 0 ? names : NAMES) {
  isSound = await run(name, seconds, seed, folder) && isSound;
}
Deno.exit(isSound ? 0 : 1);
