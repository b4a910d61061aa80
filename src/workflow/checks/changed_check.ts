/**
 * A check that this session has changed, where there is no sandbox: a command like any other.
 * Rule: it runs when somebody says so, a list or a mode of the user's allows it, or not at all.
 */
import { isAllowedCommand } from "../../agent/approval.ts";
import { readFileState } from "../../git/file_state.ts";
import type { Git } from "../../git/run.ts";
import { canonicalJson, sha256Hex } from "../../platform/canonical_json.ts";
import { UsageError } from "../../platform/errors.ts";
import { decodeLossy } from "../../platform/text.ts";
import type { Check } from "../run_checks.ts";
import type { WorkflowState } from "../state.ts";
import type { Work } from "../work.ts";
import { definitionOf, type TreeReader } from "./definition.ts";
import { isTestFile } from "../../ship/checks/test_files.ts";

/**
 * Asks for leave to run a check, where it needs one.
 *
 * @throws {UsageError} that says what to do, when it may not be run
 */
export async function expectAllowed(work: Work, { name, command }: Check, signal: AbortSignal) {
  const { conversation, sandbox, commands } = work.parts;
  const touched = touchedBySession(work.state);
  if (touched.size === 0 || isAllowedCommand(command, commands.allowed)) return;
  if (await sandbox.kind() !== "none") return;
  const definition = await definitionOf(command, treeOf(work.git));
  const defining = new Set(definition.map(({ path }) => path));
  const changed = [...touched].filter((path) => defining.has(path) || isTestFile(path)).sort();
  if (changed.length === 0) return;
  const files = changed.map((path) => ({ path, sha256: hashOf(work.root, path) }));
  const { isAllowed, reason } = await conversation.world.approve({
    tool: "check",
    summary: `run the check ${name} without a sandbox, with what this session changed in it`,
    detail: `${command}\n\nChanged in this session:\n${changed.join("\n")}`,
    scope: {
      keys: [`check ${canonicalJson({ command, files })}`],
      words: "this check, as long as these files stay as they are",
    },
    id: crypto.randomUUID(),
    signal,
  });
  if (isAllowed) return;
  const { id } = conversation.session;
  throw new UsageError(
    `The check ${name} was not run: this session has changed what it runs (${
      changed.join(", ")
    }), ` +
      `there is no sandbox here, and ${reason ?? "it was not allowed"}.\n` +
      `Look at the changes (git diff). To run it all the same: m31a run --resume ${id} --approval all, ` +
      `or m31a chat --resume ${id} and /continue, which asks.`,
  );
}

/** The files that this session has changed, those of earlier checkpoints included. */
function touchedBySession({ touched, unknown, checkpoints }: WorkflowState): Set<string> {
  const kept = checkpoints.flatMap(({ files, unkept }) => [
    ...files,
    ...unkept.map(({ path }) => path),
  ]);
  return new Set([...[...touched, ...unknown].map(({ path }) => path), ...kept]);
}

/** The working tree, as the definitions of checks are read from it. */
export function treeOf(git: Git): TreeReader {
  return {
    async files() {
      const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
      const names = (await git.readText(args)).split("\0");
      return [...new Set(names)].filter((name) => name !== "" && !name.endsWith("/"));
    },
    read(path) {
      const state = readFileState(git.root, path);
      return Promise.resolve(state === undefined ? undefined : decodeLossy(state.bytes));
    },
  };
}

function hashOf(root: string, path: string): string | null {
  const state = readFileState(root, path);
  return state === undefined ? null : sha256Hex(state.bytes);
}
