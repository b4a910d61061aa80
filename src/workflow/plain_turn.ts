/**
 * A turn of a conversation that is none of the workflow's.
 * Rule: what it changed can be taken back: a checkpoint is made when it ends, or before the next one where it was cut off.
 */
import type { Conversation } from "../agent/conversation.ts";
import { cleanText } from "../agent/clean.ts";
import type { TurnEnd } from "../agent/events.ts";
import { sessionGit, sessionStore } from "../agent/session_tree.ts";
import { runTurn } from "../agent/turn.ts";
import { NoGit, NotARepository } from "../git/errors.ts";
import { Git } from "../git/run.ts";
import type { Image } from "../session/images.ts";
import { counted } from "../platform/text.ts";
import type { WorkflowLink } from "./link.ts";
import { settleRewind } from "./rewind.ts";
import type { WorkflowState } from "./state.ts";
import { keepChanged } from "./undo_cut_off.ts";
import { settleUndo } from "./undo_settle.ts";

/** How many of the files that were taken back the model is told by name. */
export const MOST_FILES_TOLD = 50;

/** How much of a message the checkpoint of its turn is called by, in characters. */
export const LONGEST_SUBJECT = 60;

/**
 * Says `text` to the model, with pictures where there are any, and runs the turn to its end.
 *
 * @throws {SessionError} when the log cannot be written
 * @throws {GitError} when the checkpoint cannot be made; the next turn makes it
 */
export async function runPlainTurn(
  conversation: Conversation,
  link: WorkflowLink,
  text: string,
  signal: AbortSignal,
  images: readonly Image[] = [],
): Promise<TurnEnd> {
  for (const text of await settleTakenBack(conversation, link)) {
    conversation.world.onEvent({ type: "notice", text });
  }
  await keepTurn(conversation, link);
  const note = noteOf(link.state);
  const end = await runTurn(conversation, text, "user", signal, { note, images });
  const [line = ""] = cleanText(text, conversation.world.secrets).trim().split("\n", 1);
  const called = line.length > LONGEST_SUBJECT
    ? `${line.slice(0, LONGEST_SUBJECT).toWellFormed()}…`
    : line;
  await keepTurn(conversation, link, `turn ${conversation.session.totals.turns}: ${called}`);
  return end;
}

/**
 * Brings an undo or a rewind to its end that an earlier process was killed in.
 *
 * @returns what there is to say of it
 */
export async function settleTakenBack(
  { session, world }: Conversation,
  link: WorkflowLink,
): Promise<string[]> {
  if (link.state.undo === null && link.state.rewind === null) return [];
  const git = await sessionGit({ ...world, session: session.id });
  const undone = await settleUndo(git, session, link.state);
  const rewound = await settleRewind(world.root, session, link.state);
  return [undone, rewound].filter((text) => text !== undefined);
}

/**
 * Makes the checkpoint of what was changed since the last one, unless it belongs to a task that goes on. Outside of a
 * repository there is none.
 */
export async function keepTurn(
  { session, world, pendingCalls }: Conversation,
  { state }: WorkflowLink,
  subject?: string,
): Promise<void> {
  const { attempt, touched, unknown } = state;
  if (attempt !== null && attempt.about.task !== null) return;
  if (
    touched.length + unknown.length === 0 &&
    pendingCalls.all.every(({ intent }) => intent === undefined)
  ) return;
  try {
    const store = await sessionStore({ ...world, session: session.id });
    const draft = await keepChanged(new Git(world.root, world.environment), store, {
      session: session.id,
      state,
      pending: pendingCalls.all,
      turn: session.totals.turns,
      ...(subject === undefined ? {} : { subject }),
      atMs: world.clock.now().getTime(),
    });
    if (draft !== undefined) session.append([{ ...draft, kind: "turn" }]);
  } catch (error) {
    if (!(error instanceof NotARepository || error instanceof NoGit)) throw error;
  }
}

/** What the model is told of files that were taken back since its last turn; undefined when none were. */
function noteOf({ untold }: WorkflowState): string | undefined {
  if (untold.length === 0) return undefined;
  const named = untold.slice(0, MOST_FILES_TOLD).map((path) => `- ${path}`).join("\n");
  const rest = untold.length - MOST_FILES_TOLD;
  const more = rest > 0 ? `\n- and ${counted(rest, "more file")}` : "";
  return `[The user has taken changes of yours back. These files are as they were before; read them again before you ` +
    `rely on what you know of them:\n${named}${more}]`;
}
