/**
 * A chat at a terminal.
 * Rule: Ctrl-C once ends the turn, twice leaves; however it is left, the session can be resumed and says how.
 */
import { CONFIGURATION_PATH, type ConfigurationFlags } from "../../../agent/configuration.ts";
import type { LooseSetting } from "../../../agent/trust.ts";
import { isAnswered } from "../../../app/answers/answers.ts";
import type { Pursuit } from "../../../app/goal/pursue.ts";
import type { ChatStart } from "../../../app/conversation_host.ts";
import type { LiveConversation } from "../../../app/live_conversation.ts";
import type { ConversationEvent } from "../../../app/events/conversation_event.ts";
import { Project } from "../../../app/project.ts";
import {
  isWorkflowCommand,
  parseChatLine,
  pursuitOf,
  type SlashName,
} from "../../../app/slash_commands.ts";
import { mentionOfGoal } from "../../../app/telling/chat_words.ts";
import { farewell, NOTHING_TO_SUMMARIZE } from "../../../app/telling/session_lines.ts";
import { looseLines } from "../../../app/trust.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { Environment } from "../../../platform/environment.ts";
import { type ExitCode, Interrupted, M31aError } from "../../../platform/errors.ts";
import { offerLive } from "../../live/offer.ts";
import { helpText } from "../../pipe/piped_chat.ts";
import { wantsColour } from "../ansi.ts";
import { askApproval } from "../approval_prompt.ts";
import { askChoice } from "../prompt.ts";
import { Interrupts } from "../interrupts.ts";
import { LineEditor } from "../line_editor.ts";
import { listenForSignals, systemTerminal } from "../terminal_device.ts";
import { TerminalInput } from "../terminal_input.ts";
import { keyLines } from "../editor_keys.ts";
import { turnLines } from "../undo_view.ts";
import { ChatCompleter } from "./chat_completer.ts";
import { chatUndoOf } from "../../../app/chat_undo.ts";
import { ConversationView } from "./conversation_view.ts";
import { chatHistory } from "./history.ts";
import { pickSession } from "./pick_session.ts";
import { QuestionPrompts } from "./question_prompts.ts";

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
  program: { environment: Environment; version: string },
): Promise<ExitCode> {
  return await new InteractiveChat(program.environment, program.version).run(start);
}

class InteractiveChat {
  readonly #environment: Environment;
  readonly #version: string;
  readonly #isColour: boolean;
  readonly #input = new TerminalInput(systemTerminal, systemClock);
  readonly #view: ConversationView;
  readonly #prompts: QuestionPrompts;
  readonly #interrupts: Interrupts;
  #chat: LiveConversation | undefined;
  #editor: LineEditor | undefined;
  #hasLeft = false;
  #isToldToEnd = false;

  constructor(environment: Environment, version: string) {
    this.#environment = environment;
    this.#version = version;
    this.#isColour = wantsColour(true, environment);
    this.#view = new ConversationView({
      device: systemTerminal,
      clock: systemClock,
      isColour: this.#isColour,
      isUnicode: /utf-?8/i.test(environment.LC_ALL ?? environment.LANG ?? ""),
    });
    this.#prompts = new QuestionPrompts({
      input: this.#input,
      isColour: this.#isColour,
      environment,
      name: "the terminal",
      takeTerminal: async () => await this.#editor?.take(),
      pause: (shown) => this.#view.pause(shown),
      say: (line) => this.#view.line(line, "yellow"),
      answer: (id, answer, by) => this.#chat?.questions.answer(id, answer, by),
      interrupt: () => this.#interrupts.press(),
      fail: (error) => this.#chat?.cancel(error),
    });
    this.#interrupts = new Interrupts(systemClock, (action) => {
      if (action === "hint") return this.#view.line("Ctrl-C again leaves.");
      if (action === "leave") this.#hasLeft = true;
      this.#chat?.cancel(new Interrupted());
    });
  }

  async run({ goal, message, flags, start }: InteractiveStart): Promise<ExitCode> {
    const chosen = start.kind === "pick" ? await pickSession(this.#input, this.#isColour) : start;
    if (chosen === undefined) return 130;
    const project = await Project.open({
      environment: this.#environment,
      flags,
      trust: (settings) => this.#trust(settings),
    });
    const chat = await project.converse(chosen, {
      isAttended: true,
      onEvent: (event) => {
        this.#show(event);
        this.#prompts.show(event.body);
      },
    });
    this.#chat = chat;
    const stopListening = [
      offerLive({
        live: chat,
        root: project.root,
        environment: this.#environment,
        version: this.#version,
        say: (text) => this.#view.line(text, "yellow"),
      }),
      this.#interrupts.listen(),
      listenForSignals(["SIGTERM", "SIGHUP"], () => this.#end()),
    ];
    if (chosen.kind === "new") {
      this.#view.line("m31a: ask about this project. /help lists the commands, Ctrl-D leaves.");
    }
    try {
      if (chosen.kind === "new") await this.#chooseFirstModel(project, chat);
      if (goal !== undefined) await this.#pursue(chat, { goal });
      const mention = mentionOfGoal(chat.workflow);
      if (goal === undefined && mention !== undefined) this.#view.line(mention);
      if (message !== undefined) {
        this.#view.line(`> ${message}`);
        await this.#inTurn(() => chat.say(message));
      }
      await this.#readLines(chat, project.root);
      return this.#isToldToEnd ? 130 : 0;
    } finally {
      for (const stop of stopListening) stop();
      const words = farewell(chat);
      await chat.close();
      if (words !== undefined) this.#view.line(words);
    }
  }

  /** Where nothing says which model is meant: the user chooses among those that are there, or reads how to get one. */
  async #chooseFirstModel(project: Project, chat: LiveConversation): Promise<void> {
    const first = await project.firstChoices();
    if (first === undefined || first.choices.length === 1) return;
    if (first.choices.length === 0) return this.#view.line(first.ways, "yellow");
    const labels = first.choices.map(({ label }) => label);
    const answer = await askChoice(this.#input, "Which model?", labels, this.#isColour);
    if (answer === undefined) return;
    const chosen = first.choices.find(({ label }) => label === answer)?.model ?? answer.trim();
    await this.#inTurn(async () => {
      for (const line of await chat.changeModel(chosen)) this.#view.line(line);
      this.#view.line(`M31A_MODEL=${chosen}, or [model] in planning/config.toml, keeps that.`);
    });
  }

  /** The process is told to end, or its terminal is gone: the turn ends, and then the chat. */
  #end(): void {
    this.#isToldToEnd = true;
    this.#hasLeft = true;
    this.#chat?.cancel(new Interrupted("told to end"));
  }

  /** Others may be on the conversation, and say something while a line is being edited here. */
  #show(event: ConversationEvent): void {
    const editor = this.#editor;
    if (editor === undefined || !editor.isEditing) return this.#view.show(event);
    editor.showAbove(() => this.#view.showAside(event));
  }

  async #readLines(chat: LiveConversation, root: string): Promise<void> {
    const completer = new ChatCompleter(root, this.#environment);
    const editor = new LineEditor({
      input: this.#input,
      isColour: this.#isColour,
      history: chatHistory(root),
      complete: (text, cursor) => completer.complete(text, cursor),
    });
    this.#editor = editor;
    while (!this.#hasLeft) {
      await this.#prompts.idle();
      const line = await editor.readLine("> ");
      if (line.type === "taken") continue;
      if (line.type === "end") return;
      if (line.type === "interrupt") {
        this.#interrupts.press();
        continue;
      }
      if (line.text.trim() === "") continue;
      const parsed = parseChatLine(line.text);
      if (parsed.kind === "mistake") {
        this.#view.line(parsed.words, "yellow");
        continue;
      }
      if (parsed.kind === "message") {
        await this.#inTurn(() => chat.say(parsed.text));
        continue;
      }
      if (parsed.name === "exit") return;
      await this.#obey(parsed.name, parsed.argument, chat);
    }
  }

  /** Runs something that Ctrl-C ends. What goes wrong in it is shown; only a log that cannot be written ends the chat. */
  async #inTurn(work: () => Promise<unknown>): Promise<void> {
    this.#interrupts.startTurn();
    try {
      await work();
    } catch (error) {
      const isAnswerable = error instanceof Interrupted ||
        (error instanceof M31aError && error.exitCode === 2);
      if (!isAnswerable) throw error;
      this.#view.line(error.message, "red");
    } finally {
      await this.#prompts.idle();
      this.#view.pause();
      this.#interrupts.endTurn();
    }
  }

  async #pursue(chat: LiveConversation, pursuit: Pursuit): Promise<void> {
    await this.#inTurn(() => chat.pursue(pursuit));
  }

  async #obey(name: SlashName, argument: string, chat: LiveConversation): Promise<void> {
    if (isWorkflowCommand(name)) {
      if (name !== "goal" || argument !== "") {
        return await this.#pursue(chat, pursuitOf(name, argument));
      }
      return this.#view.line("Say what is to be done: /goal TEXT", "yellow");
    }
    if (isAnswered(name)) {
      return await this.#inTurn(async () => this.#view.answer(await chat.answer(name)));
    }
    switch (name) {
      case "ship":
        return await this.#inTurn(async () => {
          if (await chat.ship() === undefined) this.#view.line("There is nothing to ship yet.");
        });
      case "undo":
      case "rewind":
        return await this.#inTurn(() => this.#takeBack(chat, name, argument));
      case "compact":
        return await this.#inTurn(async () => {
          if (!await chat.compact({ keep: argument })) this.#view.line(NOTHING_TO_SUMMARIZE);
        });
      case "model":
        return await this.#inTurn(async () => {
          for (const line of await chat.changeModel(argument)) this.#view.line(line);
        });
      case "new": {
        const words = farewell(chat);
        if (words !== undefined) this.#view.line(words);
        await chat.renew();
        return this.#view.reset();
      }
      case "help":
        return this.#view.line(helpText(this.#input.device.size().columns));
      case "keys":
        return this.#view.answer(keyLines().join("\n"));
      case "exit":
        return;
    }
  }

  async #takeBack(
    chat: LiveConversation,
    command: "undo" | "rewind",
    argument: string,
  ): Promise<void> {
    const { target, isForced } = chatUndoOf(command, argument);
    if (target !== undefined) {
      if (await chat.undo({ target, isForced })) return;
      return this.#view.line("There is nothing to take back: nothing was said yet.");
    }
    const turns = await chat.turns();
    if (turns === undefined) return;
    this.#view.line("0. before the first turn");
    for (const line of turnLines(turns)) this.#view.line(line);
    this.#view.line("/rewind TURN goes back to the end of one, with its files.");
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
}
