/** Text that a program prints, compared with a file beside the tests. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

/**
 * Asserts that `actual` is what the file at `url` holds. With UPDATE_SNAPSHOTS=1 in the environment the file is
 * written instead: read the difference before you commit it.
 */
export function assertSnapshot(actual: string, url: URL): void {
  const path = fileURLToPath(url);
  if (Deno.env.get("UPDATE_SNAPSHOTS") === "1") Deno.writeTextFileSync(path, actual);
  assert.equal(actual, Deno.readTextFileSync(path));
}
