/**
 * `m31a session export ID`: a session as one document, on stdout or in a new file.
 * Rule: records pass through one at a time; a file that is not complete is not left behind.
 */
import { dirname, join, normalize } from "@std/path";
import { type ExitCode, UsageError } from "../../platform/errors.ts";
import {
  ensureDirectory,
  naming,
  pathExists,
  refuseSymlinks,
  removeIfExists,
  writeAllSync,
} from "../../platform/files.ts";
import type { Baseline } from "../../session/baseline.ts";
import type { SessionRecord } from "../../session/records.ts";
import { readSession } from "../../session/session_reader.ts";
import { write } from "../../platform/output.ts";
import { Transcript, type TranscriptFormat } from "../render/transcript.ts";
import { jsonLine } from "../../platform/json_line.ts";
import { findSession, ROOT } from "./names.ts";

/** What a session can be exported as. */
const EXPORT_FORMATS = ["json", "md", "html"] as const;
export type ExportFormat = typeof EXPORT_FORMATS[number];

/** Writes the session to stdout, or to the file that `output` names. */
export async function run(
  prefix: string | undefined,
  options: { format: ExportFormat; output?: string | undefined },
): Promise<ExitCode> {
  const id = findSession(prefix);
  if (options.output === undefined) {
    await exportSession(id, options.format, write);
    return 0;
  }
  const path = checkedPath(options.output);
  const file = naming(
    path,
    "create",
    () => Deno.openSync(path, { createNew: true, write: true, mode: 0o600 }),
  );
  try {
    const encoder = new TextEncoder();
    await exportSession(id, options.format, (text) => {
      naming(path, "write", () => writeAllSync(file, encoder.encode(text)));
    });
    naming(path, "sync", () => file.syncSync());
  } catch (error) {
    removeIfExists(path);
    throw error;
  } finally {
    file.close();
  }
  console.error(`written to ${path}`);
  return 0;
}

/** m31a writes nowhere but below planning/ and sessions/, and sessions/ is for sessions. */
function checkedPath(output: string): string {
  const path = normalize(output).replaceAll("\\", "/");
  if (!path.startsWith("planning/")) {
    throw new UsageError(
      `${output}: m31a may write below planning/ only; name a file there, or redirect: m31a session export … > ${output}`,
    );
  }
  refuseSymlinks(ROOT, path);
  if (pathExists(path)) throw new UsageError(`${path} exists already; name another file`);
  ensureDirectory(dirname(join(ROOT, path)));
  return path;
}

async function exportSession(
  id: string,
  format: ExportFormat,
  output: (text: string) => void,
): Promise<void> {
  if (format === "json") return await exportJson(id, output);
  const { begin, entry, end } = await loadFormat(format);
  const transcript = new Transcript();
  output(begin(id));
  await readSession(ROOT, id, (record, baseline) => {
    for (const each of transcript.entriesOf(record, baseline)) output(entry(each));
  });
  output(end());
}

async function loadFormat(format: "md" | "html"): Promise<TranscriptFormat> {
  if (format === "md") return (await import("../render/markdown_export.ts")).markdownFormat;
  return (await import("../render/html_export.ts")).htmlFormat;
}

/** `{"session": …, "epochs": [{"baseline": …, "records": […]}, …]}`, a record a line. */
async function exportJson(id: string, output: (text: string) => void): Promise<void> {
  output(`{"session":${jsonLine(id)},"epochs":[`);
  let openEpoch: number | undefined;
  const onRecord = (record: SessionRecord, baseline: Baseline) => {
    if (baseline.epoch === openEpoch) return output(`,\n${jsonLine(record)}`);
    if (openEpoch !== undefined) output("\n]},");
    openEpoch = baseline.epoch;
    output(`\n{"baseline":${jsonLine(baseline)},"records":[\n${jsonLine(record)}`);
  };
  await readSession(ROOT, id, onRecord);
  output("\n]}\n]}\n");
}
