/**
 * `m31a serve`: holds conversations without a terminal, for browsers and whoever attaches.
 * Rule: it goes on when everybody has left; told to end, it ends every session soundly and says what was under way.
 */
import type { ConfigurationFlags } from "../agent/configuration.ts";
import { Project } from "../app/project.ts";
import { serveClient } from "../faces/acp/agent.ts";
import { HeldConversations } from "../faces/acp/held_conversations.ts";
import { type ListenAddress, startServer } from "../faces/serve/server.ts";
import { listenForSignals } from "../faces/terminal/terminal_device.ts";
import { systemClock } from "../platform/clock.ts";
import { type ExitCode, UsageError } from "../platform/errors.ts";
import { printLine, sayAside } from "../platform/output.ts";
import type { CommandContext } from "./command_context.ts";

/** The options of `m31a serve`. */
export interface ServeOptions extends ConfigurationFlags {
  listen?: string | undefined;
  allowHost?: readonly string[] | undefined;
}

const DEFAULT_ADDRESS = "127.0.0.1:8731";

/** Serves until the process is told to end. */
export async function run(
  options: ServeOptions,
  { environment, version }: CommandContext,
): Promise<ExitCode> {
  const listen = addressOf(options.listen ?? DEFAULT_ADDRESS);
  const project = await Project.open({ environment, flags: options });
  const open = () => Project.open({ environment, flags: options });
  const held = new HeldConversations({ root: project.root, environment, open }, version);
  const { promise: toldToEnd, resolve } = Promise.withResolvers<void>();
  // SIGHUP says that the terminal is gone; what is held here goes on.
  const stopListening = [
    listenForSignals(["SIGINT", "SIGTERM"], resolve),
    listenForSignals(["SIGHUP"], () => {}),
  ];
  const server = startServer({
    listen,
    allowedHosts: options.allowHost ?? [],
    clock: systemClock,
    serveClient: (stream) => serveClient(held, stream).closed,
    onNotice: sayAside,
  });
  printLine(server.address);
  sayAside(
    `serves ${project.root} to whoever has that address; Ctrl-C or SIGTERM ends it` +
      (isLoopback(listen) ? "." : ". What goes over it is not encrypted: see docs/serve.md."),
  );
  await toldToEnd;
  for (const running of await held.underWay()) sayAside(`${running}: ended`);
  await held.close();
  await server.close();
  for (const stop of stopListening) stop();
  return 0;
}

/** @throws {UsageError} */
function addressOf(given: string): ListenAddress {
  const [, hostname, port] = given.match(/^(?:(.*):)?(\d{1,5})$/) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw new UsageError(`--listen ${given}: is no address; one is ${DEFAULT_ADDRESS}`);
  }
  return { hostname: hostname?.replace(/^\[|\]$/g, "") || "127.0.0.1", port: Number(port) };
}

function isLoopback({ hostname }: ListenAddress): boolean {
  return /^(?:localhost|127\..*|::1)$/.test(hostname);
}
