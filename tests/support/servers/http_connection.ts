/** Just enough HTTP/1.1 to answer a client byte by byte, which a ready-made server does not allow. */

/** A request as it came. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Headers;
  /** Exactly the bytes of the body. */
  body: Uint8Array;
}

/** Reads requests from a connection and writes answers to it. */
export class HttpConnection {
  readonly #connection: Deno.Conn;
  #buffer = new Uint8Array();

  constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  /** The next request; `undefined` when the client has left. */
  async read(): Promise<RecordedRequest | undefined> {
    for (;;) {
      const end = indexOfBlankLine(this.#buffer);
      if (end !== -1) return await this.#finish(end);
      if (!await this.#fill()) return undefined;
    }
  }

  async #finish(end: number): Promise<RecordedRequest | undefined> {
    const [first = "", ...lines] = new TextDecoder().decode(this.#buffer.subarray(0, end))
      .split("\r\n");
    const headers = new Headers(lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }));
    const [method = "", path = ""] = first.split(" ");
    const start = end + 4;
    const length = Number(headers.get("content-length") ?? 0);
    while (this.#buffer.byteLength < start + length) {
      if (!await this.#fill()) return undefined;
    }
    const body = this.#buffer.slice(start, start + length);
    this.#buffer = this.#buffer.slice(start + length);
    return { method, path, headers, body };
  }

  async #fill(): Promise<boolean> {
    const chunk = new Uint8Array(64 * 1024);
    const count = await this.#connection.read(chunk);
    if (count === null) return false;
    const joined = new Uint8Array(this.#buffer.byteLength + count);
    joined.set(this.#buffer);
    joined.set(chunk.subarray(0, count), this.#buffer.byteLength);
    this.#buffer = joined;
    return true;
  }

  /** Writes `text` as it is. */
  async write(text: string): Promise<void> {
    await this.writeBytes(new TextEncoder().encode(text));
  }

  /** Writes `bytes` as they are. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.byteLength;) {
      start += await this.#connection.write(bytes.subarray(start));
    }
  }

  /** Writes `text` as one chunk of a chunked body. */
  async writeChunk(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    await this.write(`${bytes.byteLength.toString(16)}\r\n`);
    await this.writeBytes(bytes);
    await this.write("\r\n");
  }

  /** Closes the connection; twice does no harm. */
  close(): void {
    try {
      this.#connection.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }
}

function indexOfBlankLine(bytes: Uint8Array): number {
  for (let index = 0; index + 3 < bytes.byteLength; index++) {
    if (
      bytes[index] === 13 && bytes[index + 1] === 10 && bytes[index + 2] === 13 &&
      bytes[index + 3] === 10
    ) return index;
  }
  return -1;
}
