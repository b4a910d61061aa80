/**
 * Server-sent events out of text that comes in pieces, as the standard has them and as servers write them.
 * Rule: each event's data is given once; what cannot be one is passed over, so that the text ends as an answer or as nothing.
 */

/** Reads events from pieces of text. */
export class EventStream {
  #pending = "";
  #lines: string[] = [];

  /** Takes the next piece; gives the data of the events that are complete with it. */
  push(text: string): string[] {
    this.#pending += text;
    // Only a piece with a line end can complete a line; a long line is not searched again and again.
    if (!/[\r\n]/.test(text)) return [];
    // A return at the very end may be the first half of a line end.
    const end = /[\r\n](?=[^\r\n]*$)/.exec(this.#pending)?.index ?? -1;
    const isHalf = this.#pending[end] === "\r" && end === this.#pending.length - 1;
    const length = isHalf ? end : end + 1;
    const lines = this.#pending.slice(0, length).split(/\r\n|\r|\n/);
    this.#pending = this.#pending.slice(length);
    const rest = lines.pop() ?? "";
    this.#pending = rest + this.#pending;
    return lines.flatMap((line) => this.#take(line));
  }

  /** What is left at the end, whose last event may lack its blank line. */
  end(): string[] {
    const last = this.#pending;
    this.#pending = "";
    return [...this.#take(last.replace(/\r$/, "")), ...this.#take("")];
  }

  #take(line: string): string[] {
    if (line === "") return this.#dispatch();
    const plain = line.replace(/^\ufeff/, "");
    // A bare object is a line of another format (NDJSON) that means the same.
    if (plain.startsWith("{")) return [...this.#dispatch(), plain];
    const data = /^data(?::[ ]?(.*))?$/s.exec(plain);
    if (data === null) return [];
    this.#lines.push(data[1] ?? "");
    return [];
  }

  /** An event may have several lines. Servers that forget the blank line between events write one a line. */
  #dispatch(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length < 2) return lines;
    const whole = lines.join("\n");
    return isJson(whole) ? [whole] : lines;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
