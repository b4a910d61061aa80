/**
 * A conversation for a pipe: replies on stdout, everything else on stderr.
 * Rule: stdout holds the model's words and nothing else.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { write } from "../../platform/output.ts";
import { oneLine, summarizeCall } from "../../app/telling/call_summary.ts";

/** Whether a failure is worth a line: that a call was cut off is told by how its turn ended. */
export function isTold(
  { isError, interrupted, settled }: Extract<AgentEvent, { type: "tool_finished" }>,
): boolean {
  return isError && (interrupted !== true || settled === true);
}

/** Shows events as plain text. */
export class PlainView {
  readonly #say: (line: string) => void;
  #reply = "";

  /** @param say gets what is told beside the replies, a line at a time */
  constructor(say: (line: string) => void = (line) => console.error(line)) {
    this.#say = say;
  }

  show(event: AgentEvent): void {
    // A reply is printed when it is complete: what a broken stream had sent is not taken back from a pipe.
    if (event.type === "reply") write(withNewline(stripControlSequences(event.text)));
    if (event.type === "tool_started") {
      this.#say(`${event.call}. ${summarizeCall(event.tool, event.input)}`);
    }
    if (event.type === "tool_finished" && isTold(event)) {
      this.#say(`${event.call}. failed: ${oneLine(event.output).slice(0, 200)}`);
    }
    if (event.type === "retry") {
      this.#say(`${oneLine(event.reason)}; trying again in ${Math.ceil(event.waitMs / 1000)} s`);
    }
    if (event.type === "notice") this.#say(oneLine(event.text));
    if (event.type === "turn_ended" && event.end.outcome === "aborted") {
      this.#say(oneLine(event.end.detail));
    }
  }
}

function withNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
