/**
 * A real pseudo-terminal for tests, driven through tmux on a server of its own.
 * Rule: the server is killed whatever happens; a wait has a deadline and says what the screen showed.
 */

const DEADLINE_MS = 10_000;
const POLL_MS = 20;

/** Whether tmux is installed here. */
export const hasTmux = isInstalled();

/** How the terminal is started. */
export interface PtyOptions {
  columns?: number;
  rows?: number;
  environment?: Record<string, string>;
  folder?: string;
}

/** What a test does with the terminal. */
export class Pty {
  readonly #socket: string;

  constructor(socket: string) {
    this.#socket = socket;
  }

  /** Presses keys by tmux's names: `Enter`, `C-c`, `Up`, `M-Enter`. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux("send-keys", "-t", "main", ...keys);
  }

  /** Types text as it is. */
  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-t", "main", "-l", text);
  }

  /** Pastes text, in brackets if the program asked for them. */
  async paste(text: string): Promise<void> {
    await this.#tmux("set-buffer", text);
    await this.#tmux("paste-buffer", "-p", "-r", "-t", "main");
  }

  /** Gives the terminal another size. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux("resize-window", "-t", "main", "-x", String(columns), "-y", String(rows));
  }

  /** The screen's rows, without white space at their ends and without empty rows at the end. */
  async screen(): Promise<string> {
    const text = await this.#tmux("capture-pane", "-p", "-t", "main");
    return text.replace(/[ \t]+$/gm, "").trimEnd();
  }

  /** Column and row of the cursor, from 0. */
  async cursor(): Promise<{ column: number; row: number }> {
    const text = await this.#tmux("display-message", "-p", "-t", "main", "#{cursor_x} #{cursor_y}");
    const [column = NaN, row = NaN] = text.trim().split(" ").map(Number);
    return { column, row };
  }

  /** The title that a program has given the terminal; the host's name before that. */
  async title(): Promise<string> {
    return (await this.#tmux("display-message", "-p", "-t", "main", "#{pane_title}")).trim();
  }

  /** The process in the terminal. */
  async pid(): Promise<number> {
    return Number(await this.#tmux("display-message", "-p", "-t", "main", "#{pane_pid}"));
  }

  /** The program that {@linkcode withPty} was given, while it runs. */
  async programPid(): Promise<number> {
    const { stdout } = await new Deno.Command("pgrep", {
      args: ["-P", String(await this.pid())],
    }).output();
    return Number(new TextDecoder().decode(stdout).trim());
  }

  /** Takes the terminal away, as closing its window does. */
  async close(): Promise<void> {
    await this.#tmux("kill-server");
  }

  /** Waits until the screen contains, matches or satisfies `expected`; gives the screen. */
  async waitFor(expected: string | RegExp): Promise<string> {
    const deadline = Date.now() + DEADLINE_MS;
    let screen = "";
    while (Date.now() < deadline) {
      screen = await this.screen();
      if (typeof expected === "string" ? screen.includes(expected) : expected.test(screen)) {
        return screen;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`the screen never showed ${expected}; it shows:\n${screen}`);
  }

  async #tmux(...args: string[]): Promise<string> {
    return await runTmux(this.#socket, args);
  }
}

/** Runs `command` in a pseudo-terminal, hands that to `test`, and ends both. After the
 * command it shows whether the terminal is back in line mode (`icanon`, `echo`) and the exit code (`[exit 0]`). */
export async function withPty(
  command: readonly string[],
  test: (pty: Pty) => Promise<void>,
  options: PtyOptions = {},
): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "m31a-pty-" });
  const socket = `${folder}/socket`;
  const environment = Object.entries(options.environment ?? {})
    .flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  try {
    await runTmux(socket, [
      ...["-f", "/dev/null", "new-session", "-d", "-s", "main"],
      ...["-x", String(options.columns ?? 80), "-y", String(options.rows ?? 24)],
      ...["-c", options.folder ?? Deno.cwd(), ...environment],
      ...[
        "sh",
        "-c",
        'trap : INT; "$@"; code=$?; stty -a | tr ";" "\\n" | grep -wo -e "-*icanon" -e "-*echo"; echo "[exit $code]"; exec sleep 3600',
        "sh",
        ...command,
      ],
    ]);
    await test(new Pty(socket));
  } finally {
    await runTmux(socket, ["kill-server"]).catch(() => {});
    Deno.removeSync(folder, { recursive: true });
  }
}

async function runTmux(socket: string, args: readonly string[]): Promise<string> {
  const output = await new Deno.Command("tmux", { args: ["-S", socket, ...args] }).output();
  if (!output.success) throw new Error(new TextDecoder().decode(output.stderr));
  return new TextDecoder().decode(output.stdout);
}

function isInstalled(): boolean {
  try {
    return new Deno.Command("tmux", { args: ["-V"] }).outputSync().success;
  } catch {
    return false;
  }
}
