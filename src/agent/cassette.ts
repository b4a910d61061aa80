/**
 * A recorded session as a cassette for `replay:`.
 * Rule: the answers come in the order in which they were recorded, through all epochs.
 */
import type { CompletionPart } from "../model/port.ts";
import type { RecordedAnswer } from "../model/replay.ts";
import type { AssistantPart } from "../session/records.ts";
import { readSession } from "../session/session_reader.ts";
import { toProviderOptions } from "./prompt.ts";

/**
 * Reads the assistant's side of a session.
 *
 * @throws what {@linkcode readSession} throws
 */
export async function readCassette(root: string, id: string): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  await readSession(root, id, (record) => {
    if (record.type !== "assistant") return;
    answers.push({ content: record.parts.map(toCompletionPart), finish: record.finish });
  });
  return answers;
}

function toCompletionPart(part: AssistantPart): CompletionPart {
  const { providerOptions } = toProviderOptions(part.provider);
  const metadata = providerOptions === undefined ? {} : { providerMetadata: providerOptions };
  if (part.kind !== "call") return { type: part.kind, text: part.text, ...metadata };
  return {
    type: "tool-call",
    name: part.tool,
    id: `recorded-${part.call}`,
    input: part.input,
    ...(part.malformed === undefined ? {} : { malformed: part.malformed }),
    ...metadata,
  };
}
