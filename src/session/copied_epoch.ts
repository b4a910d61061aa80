/**
 * An epoch that begins with what was said in an earlier one: for a rewind, and for another model.
 * Rule: the epoch that is copied stays as it is; what the present model has not said itself goes along without what only its
 * own model can read.
 */
import { canonicalJson } from "../platform/canonical_json.ts";
import { copyRecords, toDraft } from "./copy_records.ts";
import { readBaseline } from "./epoch_files.ts";
import type { Baseline } from "./baseline.ts";
import type { CallOutcome } from "./outcome.ts";
import type { AssistantPart, RecordDraft, RecordOf, SessionRecord } from "./records.ts";
import type { Session } from "./session.ts";
import type { TurnPlace } from "./turns.ts";

/** What an epoch begins with. */
export interface CopiedEpoch {
  kind: "rewind" | "model";
  /** Up to where is copied. */
  place: TurnPlace;
  /** The model that the epoch talks to. */
  model: Baseline["model"];
  /** The server's slot for the prompt cache. */
  slot: number | null;
  /** The state of the workflow, for its fold to start from; it accounts for what is copied. */
  workflow: Baseline["carried"]["workflow"];
}

/**
 * Begins the next epoch of `session`. What was used up to now stays counted.
 *
 * @returns how many pieces of reasoning were left out
 * @throws {RecordInvalid} while a tool call has no result
 * @throws {SessionIo} {@linkcode FileError} when the new files cannot be written; the present epoch goes on then
 */
export async function beginWithCopy(
  root: string,
  session: Session,
  { kind, place, model, slot, workflow }: CopiedEpoch,
): Promise<number> {
  const leftSeq = session.endEpoch();
  const { id, totals } = session;
  const { epoch, seq, turn } = place;
  const { baseline } = readBaseline(root, id, epoch);
  const copy = copyFor(baseline.model, model);
  let copied = 0;
  copyRecords(root, id, place, copy, (drafts) => void (copied += drafts.length));
  const { turns, calls } = baseline.carried;
  let leftOut = 0;
  await session.openEpoch(
    {
      ...baseline,
      model,
      parent: { kind, session: id, epoch, seq, copied, rewind: { turn, leftSeq } },
      carried: { ...totals, turns, calls, workflow },
    },
    (append) =>
      copyRecords(root, id, place, (record) => {
        const draft = copy(record);
        if (record.type === "assistant" && draft?.type === "assistant") {
          leftOut += reasoningIn(record.parts) - reasoningIn(draft.parts);
        }
        return draft;
      }, append),
    slot,
  );
  return leftOut;
}

function reasoningIn(parts: readonly AssistantPart[]): number {
  return parts.filter(({ kind }) => kind === "reasoning").length;
}

/** How the records of a conversation with the model `from` are copied for one with the model `to`. */
function copyFor(
  from: Baseline["model"],
  to: Baseline["model"],
): (record: SessionRecord) => RecordDraft | undefined {
  const isSame = canonicalJson(from) === canonicalJson(to);
  const isOwn = from.provider === to.provider && from.name === to.name &&
    from.baseUrl === to.baseUrl;
  return (record) => {
    const draft = conversationOf(record);
    // How the model before was asked to act says nothing of this one.
    if (draft?.type === "actions" && !isOwn) return undefined;
    if (draft?.type !== "assistant" || isSame) return draft;
    // What it answers was another body than this epoch's requests have.
    return { ...draft, request: null, parts: isOwn ? draft.parts : withoutOwnData(draft.parts) };
  };
}

/** What another model can read: words and calls, without thoughts and signatures. */
function withoutOwnData(parts: RecordOf<"assistant">["parts"]): RecordOf<"assistant">["parts"] {
  return parts.flatMap((part) => {
    if (part.kind === "reasoning") return [];
    const { provider: _provider, ...said } = part;
    return [said];
  });
}

/** What makes the requests, as it is. */
const SAID: ReadonlySet<SessionRecord["type"]> = new Set([
  "user",
  "assistant",
  "aborted",
  "actions",
]);

/** What a record says to the model, and of what the model has seen; nothing of what it did or took. */
function conversationOf(record: SessionRecord): RecordDraft | undefined {
  if (SAID.has(record.type)) return toDraft(record);
  if (record.type !== "tool_result") return undefined;
  const { outcome, seq: _seq, prev: _prev, ...said } = record;
  const seen = seenBy(outcome);
  return seen === undefined ? said : { ...said, outcome: { kind: "read", seen } };
}

function seenBy(outcome: CallOutcome | undefined) {
  return outcome?.kind === "read" || outcome?.kind === "change" ? outcome.seen : undefined;
}
