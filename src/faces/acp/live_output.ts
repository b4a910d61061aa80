/**
 * The output of a running command, for a client that shows the whole content of a call at each update.
 * Rule: what is sent grows with the output, not with its square; what is left out is said, and comes with the result.
 */
import { ControlSequenceStripper } from "../../platform/text.ts";

/** How much of the end is shown while the command runs. */
const MAX_SHOWN_CHARACTERS = 8_000;

/** It is shown anew when it has grown by this part of what is shown. */
const GROWTH = 1 / 8;

/** See the head of this file. */
export class LiveOutput {
  readonly #stripper = new ControlSequenceStripper();
  #text = "";
  #isCut = false;
  #added = 0;

  /** Takes a piece of output; gives what is to be shown now, undefined when that can wait for more. */
  push(piece: string): string | undefined {
    const text = this.#stripper.push(piece);
    this.#text += text;
    this.#added += text.length;
    if (this.#text.length > MAX_SHOWN_CHARACTERS) {
      this.#text = this.#text.slice(-MAX_SHOWN_CHARACTERS).toWellFormed();
      this.#isCut = true;
    }
    if (this.#added === 0 || this.#added < this.#text.length * GROWTH) return undefined;
    this.#added = 0;
    const note = "[… what came before is shown when the command has ended …]\n";
    return this.#isCut ? note + this.#text : this.#text;
  }
}
