/**
 * The events of a conversation at a terminal: each to the part that shows it.
 * Rule: what is told here is told by the event alone, so that a second terminal shows the same.
 */
import type {
  ConversationEvent,
  EventBody,
  OwnEvent,
} from "../../../app/events/conversation_event.ts";
import { isOfConversation, isOfShip, isOfWorkflow } from "../../../app/events/kinds.ts";
import { describeEndInChat, describeShipInChat } from "../../../app/telling/chat_words.ts";
import { shipLines } from "../../../app/telling/ship_lines.ts";
import { counted } from "../../../platform/text.ts";
import { createPaint } from "../ansi.ts";
import { doneLine, previewLines } from "../undo_view.ts";
import { TerminalView, type TerminalViewOptions } from "./terminal_view.ts";

/** What is shown as it comes, and cannot be above a line that is being edited. */
const NOT_ASIDE = new Set<EventBody["type"]>([
  "request_started",
  "text",
  "reasoning",
  "tool_output",
  "check_started",
]);

/** See the head of this file. */
export class ConversationView {
  readonly #view: TerminalView;
  #isIdle = true;

  constructor(options: TerminalViewOptions) {
    this.#view = new TerminalView(options);
  }

  show({ session, body }: ConversationEvent): void {
    if (isOfConversation(body)) return this.#showOwn(body, session);
    if (isOfWorkflow(body)) return this.#view.showWorkflow(body);
    if (isOfShip(body)) return this.#lines(shipLines(body));
    this.#view.show(body);
  }

  /**
   * Shows what others do while a line is being edited: in whole lines, a reply when it is complete.
   */
  showAside(event: ConversationEvent): void {
    const { body } = event;
    if (NOT_ASIDE.has(body.type)) return;
    if (body.type === "message" && body.source === "user") this.#view.line(`> ${body.text}`);
    if (body.type === "reply" && body.text !== "") this.#view.show({ ...body, type: "text" });
    this.show(event);
    this.pause();
  }

  line(...[text, style]: Parameters<TerminalView["line"]>): void {
    this.#view.line(text, style);
  }

  /** The answer to a command that only asks. */
  answer(text: string): void {
    this.#view.answer(text);
  }

  pause(shown?: string): void {
    this.#view.pause(shown);
  }

  reset(): void {
    this.#view.reset();
  }

  #showOwn(body: OwnEvent, session: string | null): void {
    switch (body.type) {
      case "workflow_ended":
        return this.#view.line(
          describeEndInChat(body.end),
          body.end.outcome === "verified" ? "bold" : "yellow",
        );
      case "ship_ended":
        return this.#lines(describeShipInChat(body.end, session ?? ""));
      case "undo_preview":
        return this.#lines(previewLines(body.preview, body.isForced, createPaint(false)));
      case "undone": {
        const pending = body.isPending ? " /execute does what is pending again." : "";
        return this.#view.line(`${doneLine(body.preview)}${pending}`);
      }
      case "activity":
        this.#isIdle = body.activity === "idle";
        return;
      case "waiting": {
        const messages = body.calls.filter(({ kind }) => kind === "message" || kind === "steer");
        if (messages.length === 0) return;
        const when = this.#isIdle ? "in front of what you say next" : "when this has ended";
        const head = `${counted(messages.length, "message")} waiting, said ${when}:`;
        return this.#lines([head, ...messages.map(({ text }) => `  ${text}`)]);
      }
      default:
        return;
    }
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) this.#view.line(line);
  }
}
