/**
 * How full the model's context window is.
 * Rule: a fold; as the last reply told it, and what that cannot know at four bytes a token.
 */
import type { Baseline } from "../session/baseline.ts";
import type { Fold, SessionRecord } from "../session/records.ts";
import { encodeRequest, Replay } from "../session/replay.ts";

/** See the head of this file. */
export class ContextFill implements Fold {
  tokens: number;

  /** @param baseline with what each request begins: no copy of a reply tells how much that is, the next reply does */
  constructor(baseline: Baseline) {
    const beginsWithCopies = baseline.parent?.copied !== undefined;
    this.tokens = beginsWithCopies ? tokensOf(encodeRequest(new Replay(baseline).request())) : 0;
  }

  apply(record: SessionRecord): void {
    if (record.type === "usage" && record.purpose === "turn") {
      this.tokens = record.input + record.output;
    }
    if (record.type === "user") this.tokens += tokensOf(record.text) + tokensIn(record.images);
    if (record.type === "tool_result") {
      this.tokens += tokensOf(record.output) + tokensIn(record.images);
    }
    // A copy of a reply has no usage behind it.
    if (record.type === "assistant") this.tokens += tokensOf(JSON.stringify(record.parts));
  }
}

/** About what a picture takes; providers count by its width and height, which is not looked at here. */
const TOKENS_OF_A_PICTURE = 1_500;

function tokensIn(images: readonly unknown[] = []): number {
  return images.length * TOKENS_OF_A_PICTURE;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
