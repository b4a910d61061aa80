/**
 * Patterns of what a record hands on to commands: object ids, modes, paths, command lines, addresses.
 * Rule: a field that becomes part of a command's arguments or input has its pattern here, so that no log can smuggle one in.
 */
import { z } from "zod";

/** The id of an object in git: SHA-1 or SHA-256, in hex. */
export const objectId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "not an object id");

/** The mode of a file as git has it: plain, executable, symbolic link. */
export const fileMode = z.string().regex(/^(?:100644|100755|120000)$/, "not a file's mode");

/** A path of a file in the project, relative to its root, with `/` between its parts. */
export const projectPath = z.string().refine(isProjectPath, "not a path inside the project");

/** A line for sh. It is a command by its nature; what cannot be an argument of a program is none. */
export const commandLine = z.string().refine((line) => !line.includes("\0"), "holds NUL");

/** The name of a branch, as far as git takes it for nothing else: no option, no blank, no control character. */
export const branchName = z.string().regex(/^(?!-)[^\s\p{Cc}]+$/u, "not the name of a branch");

/** The address of a server. */
export const serverAddress = z.string().regex(/^https?:\/\/[^\s\p{Cc}]+$/u, "not an address");

function isProjectPath(path: string): boolean {
  if (path.includes("\0")) return false;
  return path.split("/").every((part) =>
    part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git"
  );
}
