/**
 * A project's manifests as they were before some files were changed.
 * Rule: pure over another reader; what is not known of a file is read as it is now.
 */
import { posix } from "node:path";
import type { ManifestReader } from "./detected.ts";

/** The reader of the project without changes: `before` has the text of each changed file, null for one that is new. */
export function withBefore(
  reader: ManifestReader,
  before: ReadonlyMap<string, string | null>,
): ManifestReader {
  const inFolder = (folder: string) =>
    [...before].filter(([path]) => posix.dirname(path) === (folder === "" ? "." : folder));
  return {
    ...reader,
    list(folder = "") {
      const added = inFolder(folder).filter(([, text]) => text === null);
      const gone = inFolder(folder).filter(([, text]) => text !== null);
      const isNew = new Set(added.map(([path]) => posix.basename(path)));
      const names = reader.list(folder).filter((name) => !isNew.has(name));
      return [...new Set([...names, ...gone.map(([path]) => posix.basename(path))])];
    },
    read(path) {
      const text = before.get(path);
      return text === undefined ? reader.read(path) : text ?? undefined;
    },
  };
}
