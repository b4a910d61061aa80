/**
 * One fuzzer as a process of its own: `run.ts <name> <seconds> <seed> <file>`. Prints how many inputs it tried.
 * Rule: what it is trying now lies in the file, so that a hang can be looked at; a finding stays there.
 */
import { Found, fuzz } from "./fuzzer.ts";
import { FUZZERS } from "./list.ts";

const [name = "", seconds = "", seed = "", file = ""] = Deno.args;
const fuzzer = FUZZERS.find((known) => known.name === name);
if (fuzzer === undefined) throw new Error(`there is no fuzzer ${name}`);
try {
  const options = { seconds: Number(seconds), seed: Number(seed) };
  const tried = await fuzz(fuzzer, options, (bytes) => Deno.writeFileSync(file, bytes));
  console.log(`${name}: ${tried} inputs, nothing found`);
} catch (error) {
  if (!(error instanceof Found)) throw error;
  Deno.writeFileSync(file, error.input);
  console.error(`${name}: ${error.message}`);
  console.error(error.cause);
  Deno.exitCode = 1;
} finally {
  await fuzzer.close?.();
}
