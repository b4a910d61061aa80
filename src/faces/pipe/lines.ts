/**
 * Lines from standard input.
 * Rule: a line is ended by `\n` (a `\r` before it goes with it); the last one may lack it.
 */

/** The lines of `stream`, each without its end. Bytes that are not UTF-8 become U+FFFD. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let pending = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const lines = (pending + decoder.decode(bytes, { stream: true })).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  pending += decoder.decode();
  if (pending !== "") yield pending;
}
