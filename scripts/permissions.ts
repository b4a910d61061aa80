/**
 * What the executable may do: the one list that compile, demo, tests and `deno task m31a` take.
 * Rule: a permission that is not here does not exist; tests get more only by adding to this list.
 */
import { ENVIRONMENT_NAMES } from "../src/platform/environment.ts";
import { SHELL, shellOn } from "../src/platform/shell.ts";

/** What may be granted of one kind: some names or paths, or everything of the kind. */
export type Grant = readonly string[] | "all";

/** Deno's permissions by kind. A kind that is missing is denied. */
export type Permissions = Readonly<
  Partial<Record<"read" | "write" | "run" | "net" | "env" | "sys", Grant>>
>;

/** The executable's permissions. Paths are relative: they are decided in the folder where it starts. */
const APPLICATION_PERMISSIONS = {
  read: ["."],
  write: ["planning", "sessions"],
  run: [SHELL],
  net: "all",
  env: ["M31A_*", ...ENVIRONMENT_NAMES],
  sys: ["uid"],
} as const satisfies Permissions;

/** What tests need besides: temporary folders, the Deno that runs them, the programs they drive. */
const ADDED_FOR_TESTS: Permissions = {
  read: "all",
  write: "all",
  run: "all",
  env: "all",
  sys: "all",
};

/**
 * Permissions as the flags of `deno run`, `deno test` and `deno compile`.
 *
 * @example
 * ```ts
 * import { permissionFlags } from "./permissions.ts";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(permissionFlags({ read: ["."], net: "all" }), [
 *   "--no-prompt",
 *   "--allow-read=.",
 *   "--allow-net",
 * ]);
 * ```
 */
export function permissionFlags(permissions: Permissions): string[] {
  const flags = Object.entries(permissions).map(([kind, grant]) =>
    grant === "all" ? `--allow-${kind}` : `--allow-${kind}=${grant.join(",")}`
  );
  return ["--no-prompt", ...flags];
}

/** The flags that the executable is compiled with for a system, by default this one, and that it runs with from source. */
export function applicationFlags(os: string = Deno.build.os): string[] {
  return permissionFlags({ ...APPLICATION_PERMISSIONS, run: [shellOn(os)] });
}

/** The flags that tests run with: the application's and {@linkcode ADDED_FOR_TESTS}. */
export function testFlags(): string[] {
  return permissionFlags({ ...APPLICATION_PERMISSIONS, ...ADDED_FOR_TESTS });
}
