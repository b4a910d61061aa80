/**
 * The files of a project that a candidate may be made for, with their texts.
 * Rule: what cannot be looked at, for its number or its size, is said; what a session must not change is not among them.
 */
import { isPrivatePath } from "../../agent/paths.ts";
import { readFileState } from "../../git/file_state.ts";
import { listFiles } from "../../git/listing.ts";
import { FileError } from "../../platform/errors.ts";
import { counted, decodeStrict } from "../../platform/text.ts";
import type { Work } from "../work.ts";
import type { ProjectText } from "./likely_files.ts";

/** How many files are looked at. */
const MOST_FILES = 2_000;

/** A file larger than this is none that somebody writes, in bytes. */
const LARGEST_TEXT = 256 * 1024;

/** Reads them. */
export async function projectTexts(work: Work): Promise<ProjectText[]> {
  const { paths, isComplete } = await listFiles(work.git, [], MOST_FILES, work.signal);
  const files: ProjectText[] = [];
  const large: string[] = [];
  for (const path of paths) {
    if (isPrivatePath(path) || path.startsWith("planning/")) continue;
    const bytes = bytesAt(work.root, path);
    const isLarge = bytes !== undefined && bytes.byteLength > LARGEST_TEXT;
    if (isLarge) large.push(path);
    const text = bytes === undefined || isLarge ? undefined : decodeStrict(bytes);
    if (text !== undefined) files.push({ path, text });
  }
  if (large.length > 0) {
    const text = `Not looked at, being larger than ${LARGEST_TEXT} bytes: ${large.join(", ")}`;
    work.parts.onEvent({ type: "notice", text });
  }
  if (!isComplete) {
    const text = `The project has more than ${counted(MOST_FILES, "file")}: the others were not ` +
      "looked at. Name the file in the goal.";
    work.parts.onEvent({ type: "notice", text });
  }
  return files;
}

/** The bytes of a text file; undefined for what is none, or is not there. */
function bytesAt(root: string, path: string): Uint8Array | undefined {
  try {
    const state = readFileState(root, path);
    return state === undefined || state.mode === "120000" || state.bytes.includes(0)
      ? undefined
      : state.bytes;
  } catch (error) {
    // A submodule, or what cannot be read: nothing that could be changed.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
