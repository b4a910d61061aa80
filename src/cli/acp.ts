/**
 * `m31a acp`: the Agent Client Protocol on stdin and stdout, for editors.
 * Rule: stdout belongs to the protocol; everything ends when the editor has gone, or says so by a signal.
 */
import type { ConfigurationFlags } from "../agent/configuration.ts";
import { Project } from "../app/project.ts";
import { serveClient } from "../faces/acp/agent.ts";
import { HeldConversations } from "../faces/acp/held_conversations.ts";
import { isInProject, routeProjects } from "../faces/acp/project_router.ts";
import { ownStream, startIn } from "../faces/acp/stdio.ts";
import { listenForSignals } from "../faces/terminal/terminal_device.ts";
import type { ExitCode } from "../platform/errors.ts";
import type { CommandContext } from "./command_context.ts";

/** Serves until stdin ends. */
export async function run(
  flags: ConfigurationFlags,
  { environment, version }: CommandContext,
): Promise<ExitCode> {
  const root = Deno.realPathSync(".");
  const open = () => Project.open({ environment, flags });
  const held = new HeldConversations({ root, environment, open }, version);
  const stream = routeProjects(ownStream(), {
    isHere: (cwd) => isInProject(root, cwd),
    // From source there is no program that would start one.
    ...(Deno.build.standalone &&
      { start: (cwd: string) => startIn(cwd, [Deno.execPath(), ...Deno.args]) }),
  });
  const connection = serveClient(held, stream);
  let code: ExitCode = 0;
  const stopListening = listenForSignals(["SIGINT", "SIGTERM", "SIGHUP"], () => {
    code = 130;
    connection.close();
  });
  await connection.closed;
  await held.close();
  stopListening();
  return code;
}
