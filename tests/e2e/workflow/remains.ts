/**
 * What a workflow leaves: the tree, the checkpoints, the documents, the log; to be compared with what another left.
 * Rule: left out is only what two runs that nobody disturbs differ in, and what a kill may leave of itself in the log.
 */
import { join } from "@std/path";
import type { Project } from "../../support/project.ts";

type LogRecord = { type: string; [field: string]: unknown };

/** What is left. */
export interface Remains {
  /** Every file but those of .git and sessions, by path. */
  files: Record<string, string>;
  /** The checkpoints and the trees that they hold. */
  checkpoints: string;
  log: LogRecord[];
}

/** Reads it. */
export async function remainsOf(project: Project): Promise<Remains> {
  const session = project.sessionId;
  const refs = "--format=%(refname) %(tree) %(contents:subject)";
  return {
    files: filesOf(project.root, session),
    checkpoints: (await project.git("for-each-ref", refs, "refs/m31a")).replaceAll(session, "ID"),
    log: project.records().flatMap((record) => timeless(record, session)),
  };
}

/** A command that was under way is not run twice; its result then says that it was interrupted, and nothing else differs. */
export function forgiveInterruptedCommand(remains: Remains, expected: Remains): Remains {
  const log = remains.log.map((record, index) => {
    const other = expected.log[index];
    const isCommand = record.tool === "run_command" && record["interrupted"] === true;
    return isCommand && other?.tool === "run_command" && other["call"] === record["call"]
      ? other
      : record;
  });
  return { ...remains, log };
}

function filesOf(root: string, session: string): Record<string, string> {
  const files: Record<string, string> = {};
  const walk = (folder: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(join(root, folder))) {
      // What is computed again from the commits names them, and they have another time in each repository.
      if (name === ".cache") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (path === ".git" || path === "sessions") continue;
      if (isDirectory) {
        walk(path);
        continue;
      }
      const text = Deno.readTextFileSync(join(root, path));
      files[path] = text.replaceAll(session, "ID").replace(/(\*\*Time:\*\*) .*/, "$1");
    }
  };
  walk("");
  return files;
}

function timeless(record: LogRecord, session: string): LogRecord[] {
  const { seq: _seq, prev: _prev, at: _at, ...rest } = record;
  switch (record.type) {
    // What a call was about to do is written anew when it is run again.
    case "intent":
      return [];
    case "session_start":
      return [{ type: record.type }];
    case "usage":
      return [{ ...rest, requestId: "", durationMs: 0, retries: 0 }];
    case "checkpoint": {
      const { unkept, ...checkpoint } = rest;
      const told = withoutCutOff(unkept);
      return [{ ...checkpoint, commit: "", ...(told.length === 0 ? {} : { unkept: told }) }];
    }
    case "check":
      return [{ ...rest, durationMs: 0, unknown: withoutCutOff(rest["unknown"]) }];
    case "assistant":
      return [{ ...rest, request: null }];
    case "tool_result": {
      const { settled: _settled, ...result } = rest;
      const { durationMs: _durationMs, ...outcome } = outcomeOf(record);
      const output = String(record["output"]).replaceAll(session, "ID");
      return [{ ...result, output: output.replace(/\d+\.\d s\]$/, "s]"), outcome }];
    }
    default:
      return [rest];
  }
}

function outcomeOf({ outcome }: LogRecord): Record<string, unknown> {
  return outcome !== null && typeof outcome === "object" ? { ...outcome } : {};
}

/** What a command that was cut off may have changed is named from then on; one that was not has nothing of it. */
function withoutCutOff(files: unknown): unknown[] {
  if (!Array.isArray(files)) return [];
  return files.filter(({ why }) => !String(why).includes("had begun that was cut off"));
}
