/**
 * Runs m31a from source, with the permissions that the executable is compiled with.
 * Rule: it behaves as the executable does, started in the same folder with the same arguments.
 */
import { join } from "@std/path";
import { PROJECT_ROOT, runDeno } from "./deno.ts";
import { applicationFlags } from "./permissions.ts";
import { RUNTIME_FLAGS } from "./runtime.ts";
import { findRoot } from "../src/cli/root.ts";

/** The folder that the user is in: `deno task` moves to the project's root and leaves the former one in INIT_CWD. */
function userFolder(): string {
  const isMoved = Deno.cwd() === Deno.realPathSync(PROJECT_ROOT);
  return (isMoved ? Deno.env.get("INIT_CWD") : undefined) ?? Deno.cwd();
}

const cwd = userFolder();
Deno.exit(
  await runDeno(
    [
      "run",
      "--quiet",
      "--no-check",
      ...RUNTIME_FLAGS,
      ...applicationFlags(),
      join(PROJECT_ROOT, "main.ts"),
      ...Deno.args,
    ],
    { cwd: await findRoot(cwd) ?? cwd },
  ),
);
