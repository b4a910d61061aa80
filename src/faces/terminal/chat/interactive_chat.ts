/**
 * A chat at a terminal.
 * Rule: Ctrl-C once ends the turn, twice leaves; however it is left, the session can be resumed and says how.
 */
import { CONFIGURATION_PATH } from "../../../agent/configuration.ts";
import type { ApprovalAnswer } from "../../../agent/approval.ts";
import type { OpenApproval, UserQuestion } from "../../../agent/tool.ts";
import type { LooseSetting } from "../../../agent/trust.ts";
import { systemClock } from "../../../platform/clock.ts";
import { type ExitCode, Interrupted, M31aError } from "../../../platform/errors.ts";
import type { Environment } from "../../../platform/environment.ts";
import { openingOf, type PreparedOpening } from "../../../app/opening.ts";
import type { WorkflowEvent } from "../../../workflow/events.ts";
import type { PlanReview } from "../../../workflow/gates.ts";
import { WorkflowLink } from "../../../workflow/link.ts";
import { wantsColour } from "../ansi.ts";
import { Interrupts } from "../interrupts.ts";
import { LineEditor } from "../line_editor.ts";
import { askApproval } from "../approval_prompt.ts";
import { askChoice } from "../prompt.ts";
import { listenForSignals, systemTerminal } from "../terminal_device.ts";
import { TerminalInput } from "../terminal_input.ts";
import { looseLines } from "../../../app/trust.ts";
import type { ConfigurationFlags } from "../../../agent/configuration.ts";
import { ChatSession, type ChatStart } from "../../../app/chat_session.ts";
import { ChatCompleter } from "./chat_completer.ts";
import { editDocument } from "./edit_document.ts";
import { chatHistory } from "./history.ts";
import { helpText, unknownCommand } from "../../pipe/piped_chat.ts";
import { pickSession } from "./pick_session.ts";
import { isWorkflowCommand, parseChatLine, type SlashName } from "../../../app/slash_commands.ts";
import {
  describeEndInChat,
  mentionOfGoal,
  PLAN_ANSWERS,
  pursue,
  type Pursuit,
  pursuitOf,
  reviewOf,
} from "../../../app/goal.ts";
import { TerminalView } from "./terminal_view.ts";
import type { ShipEvent } from "../../../ship/events.ts";
import { shipLines } from "../../../app/telling/ship_lines.ts";
import { beginGoal, shipGoal, tellFailure } from "../../../app/ship_goal.ts";
import { chatUndoOf, undoInChat } from "./undo_in_chat.ts";

/** What a chat at a terminal begins with. */
export interface InteractiveStart {
  goal: string | undefined;
  /** What is said first. */
  message: string | undefined;
  flags: ConfigurationFlags;
  /** `pick`: the user chooses the session. */
  start: ChatStart | { kind: "pick" };
}

/** Runs the chat until the user leaves. */
export async function runInteractiveChat(
  start: InteractiveStart,
  environment: Environment,
): Promise<ExitCode> {
  return await new InteractiveChat(environment).run(start);
}

class InteractiveChat {
  readonly #link = new WorkflowLink({
    ask: (question) => this.#ask(question),
    reviewPlan: () => this.#reviewPlan(),
  });
  readonly #environment: Environment;
  readonly #isColour: boolean;
  readonly #input = new TerminalInput(systemTerminal, systemClock);
  readonly #view: TerminalView;
  readonly #interrupts: Interrupts;
  #opening: PreparedOpening | undefined;
  #turn: AbortController | undefined;
  #hasLeft = false;
  #isToldToEnd = false;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#isColour = wantsColour(true, environment);
    this.#view = new TerminalView({
      device: systemTerminal,
      clock: systemClock,
      isColour: this.#isColour,
      isUnicode: /utf-?8/i.test(environment.LC_ALL ?? environment.LANG ?? ""),
    });
    this.#interrupts = new Interrupts(systemClock, (action) => {
      if (action === "hint") return this.#view.line("Ctrl-C again leaves.");
      if (action === "leave") this.#hasLeft = true;
      this.#turn?.abort(new Interrupted());
    });
  }

  async run({ goal, message, flags, start }: InteractiveStart): Promise<ExitCode> {
    const chosen = start.kind === "pick" ? await pickSession(this.#input, this.#isColour) : start;
    if (chosen === undefined) return 130;
    const opening = await openingOf(flags, this.#environment, {
      onEvent: (event) => this.#view.show(event),
      approve: (request) => this.#approve(request),
      link: this.#link,
      trust: (settings) => this.#trust(settings),
    });
    this.#opening = opening;
    const chat = await ChatSession.open(opening, chosen, this.#link);
    const stopListening = [
      this.#interrupts.listen(),
      listenForSignals(["SIGTERM", "SIGHUP"], () => this.#end()),
    ];
    if (chosen.kind === "new") {
      this.#view.line("m31a: ask about this project. /help lists the commands, Ctrl-D leaves.");
    }
    try {
      if (goal !== undefined) await this.#pursue(chat, { goal });
      const mention = mentionOfGoal(this.#link.state);
      if (goal === undefined && mention !== undefined) this.#view.line(mention);
      if (message !== undefined) {
        this.#view.line(`> ${message}`);
        await this.#inTurn((signal) => chat.say(message, signal));
      }
      await this.#readLines(chat, opening.root);
      return this.#isToldToEnd ? 130 : 0;
    } finally {
      for (const stop of stopListening) stop();
      await tellFailure(chat.conversation, this.#link, opening);
      await chat.close();
      if (chat.farewell !== undefined) this.#view.line(chat.farewell);
    }
  }

  /** The process is told to end, or its terminal is gone: the turn ends, and then the chat. */
  #end(): void {
    this.#isToldToEnd = true;
    this.#hasLeft = true;
    this.#turn?.abort(new Interrupted("told to end"));
  }

  async #readLines(chat: ChatSession, root: string): Promise<void> {
    const completer = new ChatCompleter(root, this.#environment);
    const editor = new LineEditor({
      input: this.#input,
      isColour: this.#isColour,
      history: chatHistory(root),
      complete: (text, cursor) => completer.complete(text, cursor),
    });
    while (!this.#hasLeft) {
      const line = await editor.readLine("> ");
      if (line.type === "end") return;
      if (line.type === "interrupt") {
        this.#interrupts.press();
        continue;
      }
      if (line.text.trim() === "") continue;
      const parsed = parseChatLine(line.text);
      if (parsed.kind === "unknown") {
        this.#view.line(unknownCommand(parsed.name, parsed.nearest), "yellow");
        continue;
      }
      if (parsed.kind === "message") {
        await this.#inTurn((signal) => chat.say(parsed.text, signal));
        continue;
      }
      if (parsed.name === "exit") return;
      if (isWorkflowCommand(parsed.name)) {
        if (parsed.name === "goal" && parsed.argument === "") {
          this.#view.line("Say what is to be done: /goal TEXT", "yellow");
          continue;
        }
        await this.#pursue(chat, pursuitOf(parsed.name, parsed.argument));
        continue;
      }
      if (parsed.name === "ship") {
        const opening = this.#opening;
        if (opening !== undefined) {
          await this.#inTurn((signal) => this.#ship(chat, opening, signal));
        }
        continue;
      }
      await this.#obey(parsed.name, parsed.argument, chat);
    }
  }

  /** Runs something that Ctrl-C ends. What goes wrong in it is shown; only a log that cannot be written ends the chat. */
  async #inTurn(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    this.#turn = new AbortController();
    this.#interrupts.startTurn();
    try {
      await work(this.#turn.signal);
    } catch (error) {
      const isAnswerable = error instanceof Interrupted ||
        (error instanceof M31aError && error.exitCode === 2);
      if (!isAnswerable) throw error;
      this.#view.line(error.message, "red");
    } finally {
      this.#view.pause();
      this.#interrupts.endTurn();
      this.#turn = undefined;
    }
  }

  async #pursue(chat: ChatSession, pursuit: Pursuit): Promise<void> {
    const opening = this.#opening;
    if (opening === undefined) return;
    const show = (event: WorkflowEvent) => this.#view.showWorkflow(event);
    await this.#inTurn(async (signal) => {
      const memory = await beginGoal(
        opening,
        chat.conversation?.session.id,
        pursuit.goal,
        (notice) => this.#view.show(notice),
      );
      const end = await chat.withConversation(
        (conversation) => pursue(conversation, this.#link, opening, pursuit, show, signal),
        memory,
      );
      this.#view.line(describeEndInChat(end), end.outcome === "verified" ? "bold" : "yellow");
      if (end.outcome === "verified") await this.#ship(chat, opening, signal);
    });
  }

  /** Ships what is verified, if the user wants it now. */
  async #ship(chat: ChatSession, opening: PreparedOpening, signal: AbortSignal): Promise<void> {
    const { conversation } = chat;
    if (conversation === undefined) return this.#view.line("There is nothing to ship yet.");
    const ask = (question: UserQuestion) => this.#ask(question);
    const show = (event: ShipEvent) => {
      if (event.type === "notice") return this.#view.show(event);
      for (const line of shipLines(event)) this.#view.line(line);
    };
    for (
      const line of await shipGoal({ conversation, link: this.#link, opening, ask, show, signal })
    ) {
      this.#view.line(line);
    }
  }

  async #reviewPlan(): Promise<PlanReview> {
    const options = Object.values(PLAN_ANSWERS);
    const question = "The whole plan is in planning/plan.md. What now? (Or say what to change.)";
    const review = reviewOf(await this.#ask({ question, options }));
    if (review.decision !== "edited") return review;
    const problem = await editDocument("planning/plan.md", this.#environment);
    if (problem !== undefined) this.#view.line(problem, "yellow");
    return review;
  }

  async #obey(name: SlashName, argument: string, chat: ChatSession): Promise<void> {
    if (name === "undo" || name === "rewind") {
      const say = (line: string) => this.#view.line(line);
      const user = { input: this.#input, isColour: this.#isColour, say };
      await this.#inTurn(() =>
        undoInChat(chat.conversation, this.#link, chatUndoOf(name, argument), user)
      );
    }
    if (name === "help") this.#view.line(helpText(this.#input.device.size().columns));
    if (name === "new") {
      if (chat.farewell !== undefined) this.#view.line(chat.farewell);
      chat.renew();
      this.#view.reset();
    }
    await this.#inTurn(async (signal) => {
      for (const line of await chat.obey(name, argument, signal)) this.#view.line(line);
    });
  }

  async #approve({ summary, detail, scope, signal }: OpenApproval): Promise<ApprovalAnswer> {
    this.#view.pause(detail);
    const question = { summary, detail, always: `${scope.words}, in this chat` };
    const { decision, ...why } = await askApproval(this.#input, question, this.#isColour, signal);
    if (decision !== "interrupt") return { decision, ...why };
    this.#interrupts.press();
    return { decision: "no" };
  }

  async #trust(settings: readonly LooseSetting[]): Promise<boolean> {
    const summary = `${CONFIGURATION_PATH} loosens protections, or starts or reaches something. ` +
      "Trust this file, as it is now?";
    const question = { summary, detail: looseLines(settings).join("\n") };
    const { decision } = await askApproval(this.#input, question, this.#isColour);
    if (decision === "interrupt") throw new Interrupted();
    if (decision === "yes") return true;
    this.#view.line("These settings are not in force in this chat.", "yellow");
    return false;
  }

  async #ask({ question, options }: UserQuestion): Promise<string> {
    this.#view.pause();
    const answer = await askChoice(
      this.#input,
      question,
      options,
      this.#isColour,
      this.#turn?.signal,
    );
    if (answer !== undefined) return answer;
    this.#interrupts.press();
    throw new Interrupted();
  }
}
