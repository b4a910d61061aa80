/**
 * edit_file: replaces an exact piece of a text file.
 * Rule: the text must match, and once, or the answer says where it nearly does.
 */
import { z } from "zod";
import { UsageError } from "../../platform/errors.ts";
import { changeablePath, changeableState, changeFiles, textOf } from "../change.ts";
import { editText } from "../edit_text.ts";
import type { Tool } from "../tool.ts";

const input = z.object({
  path: z.string().min(1),
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
});

/** Replaces a piece of a text file. */
export const editFile: Tool<z.infer<typeof input>> = {
  name: "edit_file",
  description:
    "Replace an exact piece of a text file. old_text must be in the file exactly once, white space " +
    "included, unless replace_all is set. Line ends (LF or CRLF) are kept as the file has them.",
  input,
  effect: "change",
  run: ({ path: given, old_text, new_text, replace_all }, context) =>
    changeFiles(context, "edit_file", () => {
      const path = changeablePath(context, given);
      const before = changeableState(context, path);
      if (before === undefined) {
        throw new UsageError(`${path}: there is no such file; write_file makes one`);
      }
      const result = editText(textOf(path, before), old_text, new_text, replace_all ?? false);
      if ("problem" in result) throw new UsageError(`${path}: ${result.problem}`);
      const after = { mode: before.mode, bytes: new TextEncoder().encode(result.text) };
      const places = result.replacements === 1 ? "1 place" : `${result.replacements} places`;
      return {
        summary: `edit ${path}`,
        changes: [{ path, before, after }],
        done: `Edited ${path} in ${places}.`,
      };
    }),
};
