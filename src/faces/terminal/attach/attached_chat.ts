/**
 * A second terminal on a conversation that another process holds.
 * Rule: it shows what the first one shows; Ctrl-D leaves and ends nothing; its own end hurts nobody.
 */
import type { ConversationEvent } from "../../../app/events/conversation_event.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { Environment } from "../../../platform/environment.ts";
import { type ExitCode, M31aError } from "../../../platform/errors.ts";
import { LiveClient } from "../../live/live_client.ts";
import { closeConnection, connectLive, type LivePlace } from "../../live/live_socket.ts";
import type { SessionInUse } from "../../../session/errors.ts";
import { createPaint, wantsColour } from "../ansi.ts";
import { ChatCompleter } from "../chat/chat_completer.ts";
import { ConversationView } from "../chat/conversation_view.ts";
import { chatHistory } from "../chat/history.ts";
import { QuestionPrompts } from "../chat/question_prompts.ts";
import { LineEditor } from "../line_editor.ts";
import { systemTerminal } from "../terminal_device.ts";
import { TerminalInput } from "../terminal_input.ts";
import { askYesNo } from "../yes_no.ts";

/** What this terminal is called at the others. */
const NAME = "a second terminal";

/** Attaches until the user leaves, or the holder ends. */
export async function runAttachedChat(
  place: LivePlace,
  environment: Environment,
  input: TerminalInput = new TerminalInput(systemTerminal, systemClock),
): Promise<ExitCode> {
  const isColour = wantsColour(true, environment);
  const view = new ConversationView({
    device: systemTerminal,
    clock: systemClock,
    isColour,
    isUnicode: /utf-?8/i.test(environment.LC_ALL ?? environment.LANG ?? ""),
  });
  const completer = new ChatCompleter(place.root, environment);
  const editor = new LineEditor({
    input,
    isColour,
    history: chatHistory(place.root),
    complete: (text, cursor) => completer.complete(text, cursor),
  });
  const aside = (text: string) => {
    if (editor.isEditing) editor.showAbove(() => view.line(text, "yellow"));
    else view.line(text, "yellow");
  };
  const complain = (error: unknown) => {
    if (!(error instanceof M31aError)) throw error;
    aside(error.message);
  };
  const connected: { client?: LiveClient } = {};
  /** What was typed here stands on the screen already. */
  const typed: string[] = [];
  const prompts = new QuestionPrompts({
    input,
    isColour,
    environment,
    name: NAME,
    takeTerminal: () => editor.take(),
    pause: (shown) => view.pause(shown),
    say: aside,
    answer: (id, answer) => void connected.client?.answer(id, answer).catch(complain),
    interrupt: () => void connected.client?.cancel(),
    fail: complain,
  });
  const show = (event: ConversationEvent) => {
    if (event.body.type === "message" && event.body.text === typed[0]) {
      typed.shift();
      return;
    }
    if (editor.isEditing) editor.showAbove(() => view.showAside(event));
    else view.showAside(event);
    const { body } = event;
    prompts.show(body);
    if (body.type !== "state") return;
    for (const question of body.questions) prompts.show({ type: "question_asked", question });
  };
  const client = await LiveClient.attach(place, {
    clock: systemClock,
    name: NAME,
    onEvent: show,
  });
  connected.client = client;
  aside(`Attached to session ${place.session}. Ctrl-D leaves; the conversation goes on.`);
  const ended = new AbortController();
  client.closed.then(() => ended.abort(new HolderGone()));
  try {
    for (;;) {
      await prompts.idle();
      const line = await editor.readLine("> ", ended.signal);
      if (line.type === "taken") continue;
      if (line.type === "end") return 0;
      if (line.type === "interrupt") {
        await client.cancel();
        continue;
      }
      if (line.text.trim() === "") continue;
      if (!line.text.startsWith("/")) typed.push(line.text);
      // What comes of it is told by events, while the next line can be typed.
      client.say(line.text).catch(complain);
    }
  } catch (error) {
    if (!(error instanceof HolderGone)) throw error;
    view.line("The m31a that held the conversation has ended.", "yellow");
    return 0;
  } finally {
    client.leave();
  }
}

/**
 * Asks whether to attach to a session that another process holds, and does it.
 *
 * @throws {SessionInUse} what was given, when the user does not want to, or nobody can attach
 */
export async function offerToAttach(
  inUse: SessionInUse,
  environment: Environment,
): Promise<ExitCode> {
  const place = { root: Deno.realPathSync("."), session: inUse.session };
  const connection = await connectLive(place);
  if (connection === undefined) throw inUse;
  closeConnection(connection);
  const input = new TerminalInput(systemTerminal, systemClock);
  const question = `Session ${place.session} is live in another m31a. Attach to it?`;
  const paint = createPaint(wantsColour(true, environment));
  if (await askYesNo(input, question, paint) !== "yes") throw inUse;
  return await runAttachedChat(place, environment, input);
}

/** The process that held the conversation has gone. */
class HolderGone extends Error {}
