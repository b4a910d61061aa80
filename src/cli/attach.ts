/**
 * `m31a attach`: a second terminal on a conversation that is live.
 * Rule: without a session it takes the only one that is live, or lists them.
 */
import { closeConnection, connectLive } from "../faces/live/live_socket.ts";
import { isInteractive } from "../faces/terminal/terminal_device.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { printLine } from "../platform/output.ts";
import { showHidden } from "../platform/visible.ts";
import { titleOf } from "../session/catalog.ts";
import { listSessionIds } from "../session/layout.ts";
import { resolveSessionId } from "../session/session_id.ts";
import type { CommandContext } from "./command_context.ts";

/** Runs the command. */
export async function run(
  given: string | undefined,
  { environment }: CommandContext,
): Promise<ExitCode> {
  const root = Deno.realPathSync(".");
  const ids = listSessionIds(root);
  const live = given === undefined ? await liveAmong(root, ids) : [resolveSessionId(ids, given)];
  const [session] = live;
  if (session === undefined) {
    throw new UsageError(
      "no conversation is live here; m31a chat begins one, m31a serve holds them",
    );
  }
  if (live.length > 1) {
    for (const id of live) printLine(`${id}  ${showHidden(titleOf(root, id))}`);
    return 0;
  }
  if (!isInteractive()) throw new UsageError("m31a attach needs a terminal");
  const { runAttachedChat } = await import("../faces/terminal/attach/attached_chat.ts");
  return await runAttachedChat({ root, session }, environment);
}

async function liveAmong(root: string, ids: readonly string[]): Promise<string[]> {
  const live: string[] = [];
  for (const session of ids) {
    const connection = await connectLive({ root, session });
    if (connection === undefined) continue;
    closeConnection(connection);
    live.push(session);
  }
  return live;
}
