/**
 * A conversation at a terminal: words as they come, tools as lines, a status line after each turn.
 * Rule: nothing that comes from a model or a tool is written but through the terminal layer, which strips it.
 */
import type { CallOutcome } from "../../../session/outcome.ts";
import { costText } from "../../../platform/cost_text.ts";
import type { AgentEvent } from "../../../agent/events.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { JsonValue } from "../../../platform/canonical_json.ts";
import { ControlSequenceStripper, counted, stripControlSequences } from "../../../platform/text.ts";
import { createPaint, type Paint } from "../ansi.ts";
import { paintPatch } from "../diff.ts";
import { MarkdownStream } from "../markdown.ts";
import { Spinner } from "../spinner.ts";
import { renderStatusLine, type Status } from "../status_line.ts";
import type { TerminalDevice } from "../terminal_device.ts";
import { truncate } from "../width.ts";
import { wrapText } from "../wrap.ts";
import type { WorkflowEvent } from "../../../workflow/events.ts";
import { lineOf } from "../../../app/telling/workflow_lines.ts";
import { oneLine, summarizeCall } from "../../../app/telling/call_summary.ts";

/** How many lines of a running command's output are shown. */
const MAX_OUTPUT_LINES = 20;

/** How a {@linkcode TerminalView} writes. */
export interface TerminalViewOptions {
  device: TerminalDevice;
  clock: Clock;
  isColour: boolean;
  isUnicode: boolean;
}

/** Shows the events of a conversation at a terminal. */
export class TerminalView {
  readonly #device: TerminalDevice;
  readonly #isColour: boolean;
  readonly #paint: Paint;
  readonly #spinner: Spinner;
  #markdown: MarkdownStream | undefined;
  #output: OutputLines | undefined;
  #status: Status | undefined;
  #model = "";
  #session = "";
  #tokens = { input: 0, output: 0, cacheRead: 0 };
  /** The patch that the user has just been shown to allow it. */
  #shownPatch = "";

  constructor({ device, clock, isColour, isUnicode }: TerminalViewOptions) {
    this.#device = device;
    this.#isColour = isColour;
    this.#paint = createPaint(isColour);
    this.#spinner = new Spinner({
      write: (text) => device.write(text),
      size: () => device.size(),
      paint: this.#paint,
      isTerminal: true,
      clock,
      isUnicode,
    });
  }

  show(event: AgentEvent): void {
    switch (event.type) {
      case "session":
        return this.#showSession(event);
      case "request_started":
        return this.#spinner.start("thinking");
      case "text":
        return this.#showText(event.text);
      case "restarted":
        this.#endText();
        this.line("The reply broke off; it starts over.", "yellow");
        return this.#spinner.start("thinking");
      case "retry":
        return this.#spinner.notice(
          `${oneLine(event.reason)}; trying again in ${Math.ceil(event.waitMs / 1000)} s`,
        );
      case "reply":
        return this.#endText();
      case "tool_started":
        this.#endText();
        return this.#startTool(event.tool, event.input);
      case "tool_output":
        return this.#showOutput(event.text);
      case "tool_finished":
        return this.#finishTool(event.output, event.isError, event.outcome);
      case "usage":
        return this.#count(event);
      case "compacted":
        return this.line(`Summarized; the conversation goes on in epoch ${event.epoch}.`, "dim");
      case "notice":
        this.#endText();
        return this.line(oneLine(event.text), "yellow");
      case "turn_ended":
        this.#endText();
        if (event.end.outcome === "aborted") this.line(oneLine(event.end.detail), "red");
        if (this.#status !== undefined) this.#writeStatus(this.#status);
        return;
      case "turn_started":
      case "reasoning":
        return;
    }
  }

  /** Shows what happens in a workflow. */
  showWorkflow(event: WorkflowEvent): void {
    this.#endText();
    if (event.type === "notice") return this.line(oneLine(event.text), "yellow");
    if (event.type === "check_started") return this.#spinner.start(`check ${event.name}`);
    // The output of a check has been shown as it came.
    const text = event.type === "check" ? lineOf({ ...event, output: "" }) : lineOf(event);
    if (text === undefined) return;
    const hasFailed = (event.type === "check" && !event.passed) ||
      ("status" in event && event.status === "failed");
    this.line(text.trimEnd(), hasFailed ? "red" : event.type === "phase" ? "bold" : "dim");
  }

  /** Writes a line of m31a's own, broken between words where it is too long. */
  line(text: string, style: "dim" | "yellow" | "red" | "bold" = "dim"): void {
    this.pause();
    for (const part of wrapText(text, this.#device.size().columns)) {
      this.#device.write(`${this.#paint(part, style)}\n`);
    }
  }

  /** Writes what a command answers, in the terminal's own colour; what is a patch as a patch. */
  answer(text: string): void {
    this.pause();
    const isPatch = text.startsWith("diff --git ");
    const lines = isPatch
      ? [paintPatch(text, this.#paint).trimEnd()]
      : wrapText(stripControlSequences(text), this.#device.size().columns);
    for (const line of lines) this.#device.write(`${line}\n`);
  }

  /** Takes the spinner away, so that a question can be asked; `shown` is the patch that it shows. */
  pause(shown = ""): void {
    this.#spinner.stop();
    this.#shownPatch = shown;
  }

  /** Forgets the session: what comes is another one. */
  reset(): void {
    this.#status = undefined;
    this.#tokens = { input: 0, output: 0, cacheRead: 0 };
  }

  #showSession(event: Extract<AgentEvent, { type: "session" }>): void {
    this.#session = event.session;
    this.#model = `${event.provider}:${event.model}`;
    if (!event.isResumed) return;
    const turns = counted(event.turns, "turn");
    this.line(`Going on with session ${event.session} (${turns}, ${this.#model}).`);
  }

  #showText(text: string): void {
    this.#spinner.stop();
    const { columns, rows } = this.#device.size();
    this.#markdown ??= new MarkdownStream({ width: columns, rows, isColour: this.#isColour });
    this.#device.write(this.#markdown.push(text));
  }

  #endText(): void {
    this.#spinner.stop();
    if (this.#markdown === undefined) return;
    this.#device.write(this.#markdown.end());
    this.#markdown = undefined;
  }

  #startTool(tool: string, input: JsonValue): void {
    const text = truncate(`● ${summarizeCall(tool, input)}`, this.#device.size().columns - 1);
    this.#device.write(`${this.#paint(text, "cyan")}\n`);
    this.#output = undefined;
    this.#spinner.start(tool);
  }

  #showOutput(text: string): void {
    this.#spinner.stop();
    this.#output ??= new OutputLines();
    for (const line of this.#output.push(text)) {
      const shown = truncate(`  ${line}`, this.#device.size().columns - 1);
      this.#device.write(`${this.#paint(shown, "dim")}\n`);
    }
  }

  #finishTool(output: string, isError: boolean, outcome: CallOutcome | undefined): void {
    this.#spinner.stop();
    if (outcome?.kind === "change" && outcome.patch !== this.#shownPatch) {
      this.#device.write(`${paintPatch(outcome.patch, this.#paint).trimEnd()}\n`);
    }
    if (!isError) return;
    const text = truncate(`  ${oneLine(output)}`, this.#device.size().columns - 1);
    this.#device.write(`${this.#paint(text, "red")}\n`);
  }

  #count({ usage, totals }: Extract<AgentEvent, { type: "usage" }>): void {
    this.#tokens.input += usage.input;
    this.#tokens.output += usage.output;
    this.#tokens.cacheRead += usage.cacheRead;
    const { input, output, cacheRead } = this.#tokens;
    this.#status = {
      model: this.#model,
      inputTokens: input,
      outputTokens: output,
      ...(input > 0 && { cacheHitRate: cacheRead / input }),
      cost: costText(totals),
      sessionId: this.#session,
    };
  }

  #writeStatus(status: Status): void {
    const line = renderStatusLine(status, this.#device.size().columns - 1, this.#paint);
    this.#device.write(`\n${line}\n`);
  }
}

/** Cuts a stream of output into lines, and stops after {@linkcode MAX_OUTPUT_LINES}. */
class OutputLines {
  readonly #stripper = new ControlSequenceStripper();
  #pending = "";
  #shown = 0;

  push(text: string): string[] {
    const lines = (this.#pending + this.#stripper.push(text)).split("\n");
    this.#pending = lines.pop() ?? "";
    const room = MAX_OUTPUT_LINES - this.#shown;
    this.#shown += lines.length;
    if (room <= 0) return [];
    return lines.length <= room ? lines : [...lines.slice(0, room), "…"];
  }
}
