/** A terminal without a window: xterm's own parser and buffer, to read what a person would see. */
import xterm from "@xterm/headless";

/** A screen that is written to and read. */
export class VirtualScreen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 1_000,
      convertEol: true,
      allowProposedApi: true,
    });
  }

  /** Writes output of a program. */
  async write(output: string): Promise<void> {
    await new Promise<void>((resolve) => this.#terminal.write(output, resolve));
  }

  /** Gives the screen another size; lines that the terminal itself broke are broken anew. */
  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** The lines, those that scrolled off included, without white space at their ends. */
  get lines(): string[] {
    const buffer = this.#terminal.buffer.active;
    const lines = Array.from(
      { length: buffer.length },
      (_, index) => buffer.getLine(index)?.translateToString(true).trimEnd() ?? "",
    );
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  /** Frees what the terminal holds. */
  dispose(): void {
    this.#terminal.dispose();
  }
}

/** What a terminal of `columns` by `rows` shows after `output`. */
export async function showOnScreen(
  output: string,
  columns: number,
  rows: number,
): Promise<string[]> {
  const screen = new VirtualScreen(columns, rows);
  try {
    await screen.write(output);
    return screen.lines;
  } finally {
    screen.dispose();
  }
}
