/** A terminal without a window: xterm's own parser and buffer, to read what a person would see. */
import xterm from "@xterm/headless";

/** What a terminal of `columns` by `rows` shows after `output`, scrolled-off lines included, right-trimmed. */
export async function showOnScreen(
  output: string,
  columns: number,
  rows: number,
): Promise<string[]> {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 1_000,
    convertEol: true,
    allowProposedApi: true,
  });
  try {
    await new Promise<void>((resolve) => terminal.write(output, resolve));
    const buffer = terminal.buffer.active;
    const lines = Array.from(
      { length: buffer.length },
      (_, index) => buffer.getLine(index)?.translateToString(true).trimEnd() ?? "",
    );
    while (lines.at(-1) === "") lines.pop();
    return lines;
  } finally {
    terminal.dispose();
  }
}
