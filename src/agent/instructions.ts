/**
 * What a project and its user tell every agent: AGENTS.md, or CLAUDE.md where there is none, in the root and below it.
 * Rule: it goes along with every request, so it is bounded; what is left out is named, to the user and to the model.
 */
import { dirname, join } from "@std/path";
import { NoGit, NotARepository } from "../git/errors.ts";
import { listFiles } from "../git/listing.ts";
import type { Git } from "../git/run.ts";
import type { Environment } from "../platform/environment.ts";
import { M31aError } from "../platform/errors.ts";
import { pathExists, readTextIfExists } from "../platform/files.ts";
import { readOutsideFile } from "../platform/outside_file.ts";
import { capText, counted, decodeLossy, utf8ByteLength } from "../platform/text.ts";
import { isPrivatePath, readablePath } from "./paths.ts";

/** What was found. */
export interface Instructions {
  /** The project's, as one text; null when there are none. */
  project: string | null;
  /** The user's own, for all projects; null when there are none. */
  user: string | null;
  /** What was cut or left out, and why. */
  notices: string[];
}

/** The names of such files; the first that a folder has counts. */
const NAMES = ["AGENTS.md", "CLAUDE.md"] as const;

/** The project's instructions and the user's may have so many bytes each. */
const MAX_INSTRUCTION_BYTES = 32 * 1024;

/** Of so many files that are not given is the model told the path; the others it can list. */
const MAX_NAMED_FILES = 40;

/** More files than this are not looked for; each may be one of a folder of its own. */
const MAX_FOUND_FILES = 2_000;

/** Reads the instructions for the project that `git` is bound to. */
export async function readInstructions(git: Git, environment: Environment): Promise<Instructions> {
  const [user, paths] = await Promise.all([readUsers(environment), instructionPaths(git)]);
  const notices = [...user.notices, ...paths.notices];
  const files = paths.paths.flatMap((path) => {
    const { text, notice } = readOne(git.root, path);
    if (notice !== undefined) notices.push(notice);
    return text === undefined || text.trim() === "" ? [] : [{ path, text }];
  });
  const project = composed(files);
  return { project: project.text, user: user.text, notices: [...notices, ...project.notices] };
}

/** The paths of the files that count, those of the root first, then by their depth. */
async function instructionPaths(git: Git): Promise<{ paths: string[]; notices: string[] }> {
  const found: string[] = NAMES.filter((name) => pathExists(join(git.root, name)));
  const notices: string[] = [];
  try {
    const pathspecs = NAMES.map((name) => `:(glob)*/**/${name}`);
    const { signal } = new AbortController();
    const { paths, isComplete } = await listFiles(git, pathspecs, MAX_FOUND_FILES, signal);
    found.push(...paths.filter((path) => !isPrivatePath(path)));
    if (!isComplete) {
      notices.push(
        `There are more than ${MAX_FOUND_FILES} files named ${NAMES.join(" or ")}; ` +
          "of the others the model is told nothing.",
      );
    }
  } catch (error) {
    // Without a repository there is nothing that tells a project's folders from those of its packages.
    if (!(error instanceof NotARepository || error instanceof NoGit)) throw error;
  }
  const byFolder = new Map<string, string>();
  for (const name of NAMES) {
    for (const path of found.filter((path) => path === name || path.endsWith(`/${name}`))) {
      if (!byFolder.has(dirname(path))) byFolder.set(dirname(path), path);
    }
  }
  const depthOf = (path: string) => path.split("/").length;
  const paths = [...byFolder.values()].sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  return { paths, notices };
}

/** A file that cannot be read stops nothing: the user is told. */
function readOne(root: string, path: string): { text?: string | undefined; notice?: string } {
  try {
    return { text: readTextIfExists(readablePath(root, path).real)?.toWellFormed() };
  } catch (error) {
    if (!(error instanceof M31aError)) throw error;
    return { notice: `The model is not given ${path}. ${error.message}` };
  }
}

interface Composed {
  text: string | null;
  notices: string[];
}

/** One text of all files, the root's first, as far as there is room; the others are named in it. */
function composed(files: readonly { path: string; text: string }[]): Composed {
  const [first] = files;
  if (first === undefined) return { text: null, notices: [] };
  const notices: string[] = [];
  const parts: string[] = [];
  const left: string[] = [];
  let room = MAX_INSTRUCTION_BYTES;
  for (const { path, text } of files) {
    const folder = dirname(path);
    const sizeBytes = utf8ByteLength(text);
    if (folder === ".") {
      if (path !== NAMES[0]) parts.push(`(From ${path}.)`);
      parts.push(capText(text, room).text);
      if (sizeBytes > room) {
        notices.push(
          `${path} has ${sizeBytes} bytes; the model is given its beginning and its end, ${room} bytes. ` +
            "Shorten it, or move what concerns one folder into a file there.",
        );
      }
    } else if (sizeBytes <= room) {
      parts.push(`## Instructions for what is in ${folder}/ (${path})`, text);
    } else {
      left.push(path);
    }
    room = Math.max(0, room - sizeBytes);
  }
  if (left.length > 0) {
    const named = left.slice(0, MAX_NAMED_FILES);
    const rest = left.length - named.length;
    const others = rest === 0 ? "" : `\n- and ${rest} more: list_files finds them`;
    parts.push(
      "## More instructions\n\nRead these before you work in their folders:\n\n" +
        named.map((path) => `- ${path}`).join("\n") + others,
    );
    notices.push(
      `The project's instructions have more than ${MAX_INSTRUCTION_BYTES} bytes: of ` +
        `${counted(left.length, "file")} the model is given the path alone (${
          left.slice(0, 3).join(", ")
        }` +
        `${left.length > 3 ? ", …" : ""}).`,
    );
  }
  return { text: parts.join("\n\n"), notices };
}

/** Where the user's own instructions are, by what XDG_CONFIG_HOME or HOME says; undefined where neither is an absolute path. */
function userInstructionsPath(environment: Environment): string | undefined {
  const { XDG_CONFIG_HOME: configured, HOME: home } = environment;
  if (configured?.startsWith("/")) return `${configured}/m31a/AGENTS.md`;
  return home?.startsWith("/") ? `${home}/.config/m31a/AGENTS.md` : undefined;
}

async function readUsers(environment: Environment): Promise<Composed> {
  const path = userInstructionsPath(environment);
  if (path === undefined) return { text: null, notices: [] };
  const file = await readOutsideFile(path, MAX_INSTRUCTION_BYTES);
  if (file.kind === "missing") return { text: null, notices: [] };
  if (file.kind === "read") {
    const text = decodeLossy(file.bytes);
    return { text: text.trim() === "" ? null : text, notices: [] };
  }
  const why = file.kind === "unreadable"
    ? "it is no file that you may read"
    : `it has more than ${MAX_INSTRUCTION_BYTES} bytes; shorten it`;
  return { text: null, notices: [`The model is not given ${path}: ${why}.`] };
}
