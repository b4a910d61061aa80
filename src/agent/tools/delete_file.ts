/**
 * delete_file: removes a file or a symbolic link.
 * Rule: one file a call; what it held stays in the record.
 */
import { z } from "zod";
import { UsageError } from "../../platform/errors.ts";
import { changeablePath, changeableState, changeFiles } from "../change.ts";
import type { Tool } from "../tool.ts";

const input = z.object({
  path: z.string().min(1),
});

/** Removes a file. */
export const deleteFile: Tool<z.infer<typeof input>> = {
  name: "delete_file",
  description: "Remove one file. Folders that become empty go with it.",
  input,
  effect: "change",
  run: ({ path: given }, context) =>
    changeFiles(context, "delete_file", () => {
      const path = changeablePath(context, given);
      const before = changeableState(context, path);
      if (before === undefined) throw new UsageError(`${path}: there is no such file`);
      return {
        summary: `delete ${path}`,
        changes: [{ path, before, after: undefined }],
        done: `Deleted ${path}.`,
      };
    }),
};
