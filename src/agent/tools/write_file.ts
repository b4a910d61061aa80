/**
 * write_file: makes a text file, or replaces all of one.
 * Rule: a file that this session has not read is not replaced.
 */
import { z } from "zod";
import { UsageError } from "../../platform/errors.ts";
import { changeablePath, changeableState, changeFiles, textOf } from "../change.ts";
import { isCrlf, toCrlf } from "../edit_text.ts";
import type { Tool } from "../tool.ts";

const input = z.object({
  path: z.string().min(1),
  content: z.string(),
  executable: z.boolean().optional().describe(
    "Whether it can be run; a file that is replaced keeps what it has by default.",
  ),
});

/** Makes or replaces a text file. */
export const writeFile: Tool<z.infer<typeof input>> = {
  name: "write_file",
  description:
    "Make a text file, with the folders it needs, or replace the whole content of one that was read " +
    "before. For a small change to a file use edit_file.",
  input,
  effect: "change",
  run: ({ path: given, content, executable }, context) =>
    changeFiles(context, "write_file", () => {
      const path = changeablePath(context, given);
      const before = changeableState(context, path);
      const oldText = before === undefined ? undefined : textOf(path, before);
      if (before !== undefined && !context.seenFiles.has(path)) {
        throw new UsageError(`${path}: is there already; read it with read_file first`);
      }
      // A model writes LF; a file whose lines all end in CRLF goes on doing so.
      const keepsCrlf = oldText !== undefined && isCrlf(oldText);
      const bytes = new TextEncoder().encode(keepsCrlf ? toCrlf(content) : content);
      const wasExecutable = before?.mode === "100755";
      const mode = executable ?? wasExecutable ? "100755" : "100644";
      const verb = before === undefined ? "create" : "replace";
      return {
        summary: `${verb} ${path}`,
        changes: [{ path, before, after: { mode, bytes } }],
        done: `${verb === "create" ? "Created" : "Replaced"} ${path} (${bytes.byteLength} bytes` +
          `${keepsCrlf ? ", CRLF line ends kept" : ""}).`,
      };
    }),
};
