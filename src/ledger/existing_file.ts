/** A file of the ledger's that may not be there. */
import { naming } from "../platform/files.ts";

/** Runs `use` on the opened file and closes it. `undefined` when there is no such file. */
export function withFileIfExists<T>(path: string, use: (file: Deno.FsFile) => T): T | undefined {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    return naming(path, "read", () => {
      throw error;
    });
  }
  try {
    return naming(path, "read", () => use(file));
  } finally {
    file.close();
  }
}
