/** The compiled executable that the end-to-end tests drive. */

/**
 * Its path, from M31A_EXECUTABLE.
 *
 * @throws {Error} when the variable is not set: `deno task test tests/e2e` compiles and sets it
 */
export function executablePath(): string {
  const path = Deno.env.get("M31A_EXECUTABLE");
  if (path !== undefined && path !== "") return path;
  throw new Error("M31A_EXECUTABLE is not set: run `deno task test tests/e2e`, which compiles it");
}
