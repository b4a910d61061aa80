/**
 * move_file: gives a file another name or folder.
 * Rule: nothing is replaced; the content and the mode go along.
 */
import { z } from "zod";
import { UsageError } from "../../platform/errors.ts";
import { pathExists } from "../../platform/files.ts";
import { changeablePath, changeableState, changeFiles } from "../change.ts";
import type { Tool } from "../tool.ts";

const input = z.object({
  from: z.string().min(1),
  to: z.string().min(1).describe("Its new path; nothing may be there yet."),
});

/** Moves or renames a file. */
export const moveFile: Tool<z.infer<typeof input>> = {
  name: "move_file",
  description: "Move or rename one file. The folders that the new path needs are made.",
  input,
  effect: "change",
  run: ({ from: givenFrom, to: givenTo }, context) =>
    changeFiles(context, "move_file", () => {
      const from = changeablePath(context, givenFrom);
      const to = changeablePath(context, givenTo);
      const content = changeableState(context, from);
      if (content === undefined) throw new UsageError(`${from}: there is no such file`);
      if (pathExists(`${context.root}/${to}`)) {
        throw new UsageError(`${to}: is there already; delete it first if it is to be replaced`);
      }
      return {
        summary: `move ${from} to ${to}`,
        changes: [{ path: to, renamedFrom: from, before: content, after: content }],
        done: `Moved ${from} to ${to}.`,
      };
    }),
};
