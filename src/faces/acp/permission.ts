/**
 * Questions that a client answers by an option: may this be done, shall this be committed.
 * Rule: pure; what "always" covers stands in the option's name, and anything but an allowing option is a no.
 */
import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { Answer, OpenQuestion } from "../../app/questions.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { shownPatch } from "./diffs.ts";
import { callId, kindOf, textContent } from "./tool_calls.ts";

/** The options, by their ids. */
const ALLOW_ONCE = "allow-once";
const ALLOW_ALWAYS = "allow-always";
const REJECT = "reject";

type QuestionOf<K extends OpenQuestion["kind"]> = Extract<OpenQuestion, { kind: K }>;
type AnswerOf<K extends Answer["kind"]> = Extract<Answer, { kind: K }>;

/**
 * The question whether a tool may do something.
 *
 * @param call the one that is running; undefined where none is
 */
export function approvalRequest(
  root: string,
  sessionId: string,
  question: QuestionOf<"approval">,
  call: number | undefined,
): RequestPermissionRequest {
  const { id, tool, summary, detail, scope } = question;
  const { content, locations } = shownPatch(root, detail);
  return {
    sessionId,
    toolCall: {
      toolCallId: call === undefined ? id : callId(call),
      title: stripControlSequences(summary),
      kind: kindOf(tool),
      status: "pending",
      content: content.length > 0 ? content : [textContent(detail)],
      locations,
    },
    options: [
      { optionId: ALLOW_ONCE, kind: "allow_once", name: "Allow" },
      ...(scope.keys.length === 0 ? [] : [alwaysOption(scope.words)]),
      { optionId: REJECT, kind: "reject_once", name: "Reject" },
    ],
    _meta: { m31a: { question: id } },
  };
}

function alwaysOption(words: string): PermissionOption {
  const name = stripControlSequences(`Always allow ${words}, in this conversation`);
  return { optionId: ALLOW_ALWAYS, kind: "allow_always", name };
}

/** What a client has answered; the reason of a no may be in `_meta.m31a.reason` of the response or the outcome. */
export function approvalAnswer(
  { outcome, _meta }: RequestPermissionResponse,
): AnswerOf<"approval"> {
  const option = outcome.outcome === "selected" ? outcome.optionId : undefined;
  if (option === ALLOW_ONCE) return { kind: "approval", decision: "yes" };
  if (option === ALLOW_ALWAYS) return { kind: "approval", decision: "always" };
  const own = outcome.outcome === "selected" ? reasonIn(outcome._meta) : undefined;
  const reason = own ?? reasonIn(_meta);
  return { kind: "approval", decision: "no", ...(reason !== undefined && { reason }) };
}

/** The question whether something of m31a's own is to be done. */
export function confirmationRequest(
  sessionId: string,
  { id, question, detail }: QuestionOf<"confirmation">,
): RequestPermissionRequest {
  return {
    sessionId,
    toolCall: {
      toolCallId: id,
      title: stripControlSequences(question),
      kind: "other",
      status: "pending",
      content: detail === "" ? [] : [textContent(detail)],
    },
    options: [
      { optionId: ALLOW_ONCE, kind: "allow_once", name: "Yes" },
      { optionId: REJECT, kind: "reject_once", name: "No" },
    ],
    _meta: { m31a: { question: id } },
  };
}

/** Whether a client has said yes. */
export function confirmationAnswer(
  { outcome }: RequestPermissionResponse,
): AnswerOf<"confirmation"> {
  const isConfirmed = outcome.outcome === "selected" && outcome.optionId === ALLOW_ONCE;
  return { kind: "confirmation", isConfirmed };
}

function reasonIn(meta: { [key: string]: unknown } | null | undefined): string | undefined {
  const own = meta?.m31a;
  if (own === null || typeof own !== "object" || !("reason" in own)) return undefined;
  return typeof own.reason === "string" && own.reason.trim() !== "" ? own.reason.trim() : undefined;
}
