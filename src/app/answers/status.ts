/**
 * `/status`: what a conversation is, and how far it has got.
 * Rule: what is not known is "–"; asking begins nothing and writes nothing.
 */
import { modelToBeginWith } from "../../agent/open.ts";
import { repositorySnapshot } from "../../git/snapshot.ts";
import { Git } from "../../git/run.ts";
import { costText } from "../../platform/cost_text.ts";
import { messageOf, UsageError } from "../../platform/errors.ts";
import { counted } from "../../platform/text.ts";
import { modelInWords, modelOf } from "../telling/session_lines.ts";
import type { Asked } from "./asked.ts";

const UNKNOWN = "–";

/** The lines of the answer. */
export async function statusOf(asked: Asked): Promise<string> {
  const rows = [
    ["model", await modelLine(asked)],
    ["folder", await folderLine(asked)],
    ["mode", modeLine(asked)],
    ["sandbox", await sandboxLine(asked)],
    ...usedRows(asked),
  ];
  return rows.map(([name = "", value = ""]) => `${name.padEnd(8)} ${value}`).join("\n");
}

async function modelLine({ opening, conversation }: Asked): Promise<string> {
  if (conversation !== undefined) return modelInWords(modelOf(conversation.session.baseline));
  try {
    return modelInWords(await modelToBeginWith(opening));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return `${UNKNOWN} (${messageOf(error)})`;
  }
}

async function folderLine({ opening: { root, environment } }: Asked): Promise<string> {
  const repository = await repositorySnapshot(new Git(root, environment));
  if (repository === undefined) return `${root}, no git repository`;
  const branch = repository.branch === null ? "no branch" : `branch ${repository.branch}`;
  const { length } = repository.dirty;
  const dirty = length === 0 ? "" : `, ${counted(length, "file")} not committed`;
  return `${root}, ${branch}${dirty}`;
}

function modeLine({ opening, parts: { link: { state } } }: Asked): string {
  const { phase } = state;
  const what = phase === null ? "conversation" : `goal, ${phase.phase} ${phase.status}`;
  return `${what}; approval ${opening.configuration.approval}`;
}

async function sandboxLine({ opening: { sandbox, configuration } }: Asked): Promise<string> {
  const { mode, network } = configuration.sandbox;
  const kind = await sandbox.kind();
  if (kind !== "none") return `${kind}, ${network ? "with the network" : "no network"}`;
  return mode === "off"
    ? "none: it is switched off"
    : `none here (${mode}); \`m31a doctor\` says why`;
}

function usedRows({ conversation }: Asked): string[][] {
  if (conversation === undefined) {
    return [
      ["session", `${UNKNOWN} (it begins with your first message)`],
      ...["tokens", "cache", "window", "cost"].map((name) => [name, UNKNOWN]),
    ];
  }
  const { session, contextTokens, contextWindowTokens: window } = conversation;
  const { baseline: { epoch }, totals } = session;
  const { turns, requests, tokens, cacheRead } = totals;
  const inEpoch = epoch > 0 ? `, epoch ${epoch}` : "";
  const share = (part: number, whole: number) => `${Math.round(100 * part / whole)} %`;
  return [
    ["session", `${session.id}${inEpoch}, ${counted(turns, "turn")}`],
    ["tokens", requests === 0 ? UNKNOWN : `${tokens}, ${counted(requests, "request")}`],
    ["cache", requests === 0 ? UNKNOWN : `${cacheRead} of these tokens read from a cache`],
    [
      "window",
      window === undefined || contextTokens === 0
        ? UNKNOWN
        : `${share(contextTokens, window)} used: ${contextTokens} of ${window} tokens`,
    ],
    ["cost", costText(totals)],
  ];
}
