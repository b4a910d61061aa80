/**
 * Runs the tests: `deno task test [--doc] [files or deno test's flags…]`.
 * Rule: without arguments everything but tests/e2e, with the examples in doc comments; what is left out is said.
 *
 * tests/e2e drives the compiled executable: `deno task test tests/e2e` compiles it first, or takes the
 * one that M31A_EXECUTABLE names. (This file is not called test.ts, because deno test would take it for a test.)
 */
import { join } from "@std/path";
import { compileM31a, EXECUTABLE } from "./compile.ts";
import { PROJECT_ROOT, runDeno } from "./deno.ts";
import { testFlags } from "./permissions.ts";

const END_TO_END = "tests/e2e";

/** The environment of an end-to-end run: it says where the executable is. Exits when it cannot be compiled. */
async function endToEndEnvironment(): Promise<Record<string, string>> {
  const given = Deno.env.get("M31A_EXECUTABLE");
  if (given !== undefined && given !== "") return {};
  const code = await compileM31a();
  if (code !== 0) Deno.exit(code);
  return { M31A_EXECUTABLE: EXECUTABLE };
}

const seed = `--preload=${join(PROJECT_ROOT, "tests", "support", "property_seed.ts")}`;
const command = ["test", "--quiet", "--parallel", seed, ...testFlags()];
const selection = Deno.args.filter((argument) => !argument.startsWith("-"));

if (selection.length > 0) {
  const isEndToEnd = selection.some((path) => path.replace(/^\.\//, "").startsWith(END_TO_END));
  const env = isEndToEnd ? await endToEndEnvironment() : {};
  Deno.exit(await runDeno([...command, ...Deno.args], { env }));
}
// Examples in docs/ are programs with arguments; the tests of the formats run them.
const everythingElse = ["--doc", `--ignore=${END_TO_END},docs,dist`];
const flags = Deno.args.filter((argument) => argument !== "--doc");
const code = await runDeno([...command, ...everythingElse, ...flags]);
console.log(
  `(${END_TO_END} is not part of this run: \`deno task test ${END_TO_END}\` compiles and runs it)`,
);
Deno.exit(code);
