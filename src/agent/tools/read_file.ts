/**
 * read_file: lines of a text file, numbered.
 * Rule: what is left out is said; the content's hash is kept, so that a later edit can tell whether the file has changed since.
 */
import { z } from "zod";
import { sha256Hex } from "../../platform/canonical_json.ts";
import { UsageError } from "../../platform/errors.ts";
import { capText, decodeLossy, decodeStrict } from "../../platform/text.ts";
import {
  describeImages,
  type Image,
  imageBytes,
  MAX_IMAGE_BYTES,
  toImage,
} from "../../session/images.ts";
import { done, orFailed } from "../outcome.ts";
import { type ProjectPath, readablePath } from "../paths.ts";
import type { Tool, ToolContext, ToolOutcome } from "../tool.ts";

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 48 * 1024;
const MAX_LINE_BYTES = 4 * 1024;
const MAX_LINES = 2_000;
/** A NUL byte in the first so many bytes means binary, as for git. */
const BINARY_PROBE_BYTES = 8_000;

const input = z.object({
  path: z.string(),
  start_line: z.int().min(1).optional().describe("From 1."),
  end_line: z.int().min(1).optional(),
});

/** Shows lines of a text file. */
export const readFile: Tool<z.infer<typeof input>> = {
  name: "read_file",
  description:
    "Read a text file of the project. Each line comes with its number and a tab before it, which are " +
    `not part of the file. At most ${MAX_LINES} lines a call: give start_line and end_line for others.`,
  input,
  effect: "read",
  run: ({ path: given, start_line, end_line }, context) =>
    orFailed(async () => {
      const place = readablePath(context.root, given);
      const stored = await readRegularFile(place, context.signal);
      const unsaved = await unsavedText(place.path, stored, context);
      const bytes = unsaved === undefined ? stored : new TextEncoder().encode(unsaved);
      const shown = toImage(bytes);
      if (shown !== undefined) return await picture(place.path, shown, context);
      if (bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
        throw new UsageError(`${place.path}: is a binary file (${bytes.byteLength} bytes)`);
      }
      const strict = decodeStrict(bytes);
      const hash = sha256Hex(bytes);
      const output = render(place.path, strict ?? decodeLossy(bytes), {
        first: start_line ?? 1,
        last: end_line ?? Infinity,
        isUtf8: strict !== undefined,
        isUnsaved: unsaved !== undefined,
      });
      context.seenFiles.set(place.path, hash);
      return done(output, { kind: "read", seen: { [place.path]: hash } });
    }),
};

/** A picture is shown as one; its bytes are no lines. */
async function picture(path: string, image: Image, context: ToolContext): Promise<ToolOutcome> {
  const sizeBytes = imageBytes(image);
  if (sizeBytes > MAX_IMAGE_BYTES) {
    throw new UsageError(
      `${path}: is a picture of ${sizeBytes} bytes; models take up to ${MAX_IMAGE_BYTES}`,
    );
  }
  if (!await context.takesImages()) {
    throw new UsageError(`${path}: is a picture (${sizeBytes} bytes), and you take none`);
  }
  return { output: `${path}: ${describeImages([image])}`, isError: false, images: [image] };
}

async function readRegularFile(place: ProjectPath, signal: AbortSignal): Promise<Uint8Array> {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(place.real);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory)) {
      throw new UsageError(`${place.path}: cannot be read (${String(error)})`);
    }
    throw new UsageError(`${place.path}: there is no such file; list_files shows what there is`);
  }
  if (info.isDirectory) throw new UsageError(`${place.path}: is a folder; list_files shows it`);
  if (!info.isFile) throw new UsageError(`${place.path}: is not a regular file`);
  if (info.size > MAX_FILE_BYTES) {
    throw new UsageError(
      `${place.path}: is ${info.size} bytes, too large to read whole; use search_files`,
    );
  }
  try {
    return await Deno.readFile(place.real, { signal });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new UsageError(`${place.path}: cannot be read (${String(error)})`);
  }
}

/** What an editor has in place of what is stored, if that is another text; editors keep line ends and byte order marks aside. */
async function unsavedText(
  path: string,
  stored: Uint8Array,
  context: ToolContext,
): Promise<string | undefined> {
  const opened = await context.openText?.(path, context.signal);
  const plain = (text: string) => text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  return opened === undefined || plain(opened) === plain(decodeLossy(stored)) ? undefined : opened;
}

function render(
  path: string,
  text: string,
  range: { first: number; last: number; isUtf8: boolean; isUnsaved: boolean },
): string {
  const lines = text.split("\n");
  const endsInNewline = lines.at(-1) === "";
  if (endsInNewline) lines.pop();
  if (lines.length === 0) return `${path}: empty file`;
  if (range.first > lines.length) {
    throw new UsageError(`${path}: has only ${lines.length} lines; start_line is ${range.first}`);
  }
  if (range.last < range.first) {
    throw new UsageError(`${path}: end_line ${range.last} is before start_line ${range.first}`);
  }
  const wanted = Math.min(range.last, lines.length);
  const shown = numbered(lines, range.first, Math.min(wanted, range.first + MAX_LINES - 1));
  const notes = [`lines ${range.first}-${shown.last} of ${lines.length}`];
  if (lines.some((line) => line.endsWith("\r"))) notes.push("has CRLF line ends");
  if (!endsInNewline) notes.push("no newline at the end");
  if (!range.isUtf8) notes.push("not UTF-8: what is not is shown as \ufffd");
  if (range.isUnsaved) {
    notes.push(
      "as the user's editor has it, not saved: it can be changed once the user has saved it",
    );
  }
  const more = shown.last < wanted ? `\n[… go on with start_line ${shown.last + 1} …]` : "";
  return `${path} (${notes.join("; ")})\n${shown.text}${more}`;
}

function numbered(
  lines: readonly string[],
  first: number,
  last: number,
): { text: string; last: number } {
  const shown: string[] = [];
  let lengthSoFar = 0;
  for (let number = first; number <= last; number++) {
    const line = capText((lines[number - 1] ?? "").replace(/\r$/, ""), MAX_LINE_BYTES).text;
    lengthSoFar += line.length + 8;
    if (lengthSoFar > MAX_OUTPUT_BYTES && shown.length > 0) break;
    shown.push(`${number}\t${line}`);
  }
  return { text: shown.join("\n"), last: first + shown.length - 1 };
}
