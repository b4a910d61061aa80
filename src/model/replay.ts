/**
 * `replay:`: the assistant's side of a recorded session.
 * Rule: answer n of the recording answers request n, whatever is asked.
 */
import { type Clock, systemClock } from "../platform/clock.ts";
import { answersBefore, play, playError } from "./played.ts";
import type { CompletionPart, FinishReason, Model, ModelUsage } from "./port.ts";
import { encodeOffline } from "./wire.ts";

/** One recorded answer. */
export interface RecordedAnswer {
  content: CompletionPart[];
  finish?: FinishReason;
  usage?: ModelUsage;
}

/** The answers of a session, in order. */
export type Cassette = Iterable<RecordedAnswer> | AsyncIterable<RecordedAnswer>;

/** A model that plays `cassette`; `name` is the session, for messages. */
export async function replayModel(
  cassette: Cassette,
  name: string,
  clock: Clock = systemClock,
): Promise<Model> {
  const answers = await Array.fromAsync(cassette);
  return {
    id: { provider: "replay", name },
    contextWindowTokens: undefined,
    encode: (call) => Promise.resolve(encodeOffline(call)),
    async stream(call, options) {
      const index = answersBefore(call);
      const answer = answers[index];
      if (answer === undefined) {
        throw playError(
          `replay:${name} holds ${answers.length} answers; the conversation asks for number ${
            index + 1
          }. ` +
            "Begin a new conversation with another model.",
        );
      }
      return await play(answer, call, options, clock);
    },
  };
}
