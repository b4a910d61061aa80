/**
 * Which files have a filter between the tree and what git stores, other than line ends.
 * Rule: line ends show in a file's size; what any other filter does need not.
 */
import { decodeLatin1 } from "../../platform/text.ts";
import type { ByteName } from "./index_file.ts";
import { nulEnded, type OwnFiles } from "./own_files.ts";

/** Those of `names` that the attributes `filter` or `working-tree-encoding` name a filter for. */
export async function filteredNames(
  own: OwnFiles,
  names: readonly ByteName[],
): Promise<Set<ByteName>> {
  if (names.length === 0) return new Set();
  const args = ["check-attr", "-z", "--stdin", "filter", "working-tree-encoding"];
  const { stdout } = await own.run(args, { stdin: nulEnded(names) });
  const fields = decodeLatin1(stdout).split("\0");
  const filtered = new Set<ByteName>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const value = fields[index + 2];
    if (value !== "unspecified" && value !== "unset") filtered.add(fields[index] ?? "");
  }
  return filtered;
}
