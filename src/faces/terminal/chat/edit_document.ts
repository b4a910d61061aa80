/**
 * A planning document in the user's editor.
 * Rule: the editor has the terminal until it is closed.
 */
import type { Environment } from "../../../platform/environment.ts";
import { startShell } from "../../../platform/shell.ts";

/**
 * Opens a planning document in the user's editor (`$VISUAL`, `$EDITOR`, else vi) and waits until it
 * is closed. Resolves to what went wrong, if something did.
 */
export async function editDocument(
  path: string,
  environment: Environment,
): Promise<string | undefined> {
  const editor = environment.VISUAL ?? environment.EDITOR ?? "vi";
  // The variable may hold arguments of the editor's, which the shell splits, as git does.
  const terminal = { stdin: "inherit", stdout: "inherit", stderr: "inherit" } as const;
  const { code } = await startShell(`${editor} "$1"`, [path], terminal).status;
  return code === 0 ? undefined : `${editor} ended with exit code ${code}`;
}
