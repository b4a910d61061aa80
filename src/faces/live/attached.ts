/**
 * A client on the socket of a live conversation, served like any other client of the protocol.
 * Rule: it is on this conversation alone. Without a sandbox a command of the model's could be the client: then it answers
 * no question.
 */
import { serveClient } from "../acp/agent.ts";
import { Company, type HeldConversation } from "../acp/held_conversation.ts";
import type { AcpPlace } from "../acp/place.ts";
import { foldOwnLedger } from "../../ledger/ledger_sources.ts";
import { statsOf } from "../../ledger/stats.ts";
import { systemClock } from "../../platform/clock.ts";
import { UsageError } from "../../platform/errors.ts";
import { connectionStream } from "./connection_stream.ts";
import type { Offer } from "./offer.ts";

/** Those who are on it, by conversation: they share its mode. */
const companies = new WeakMap<Offer, Company>();

/** Serves the client until it goes. */
export async function serveAttached(
  offer: Offer,
  session: string,
  client: Deno.Conn,
): Promise<void> {
  const { live, root, environment, version } = offer;
  const company = companies.get(offer) ?? new Company();
  companies.set(offer, company);
  const isSandboxed = await live.isSandboxed();
  const held: HeldConversation = { id: session, live, company, mayAnswer: isSandboxed };
  const onlyThis = () =>
    Promise.reject(
      new UsageError(`this is the socket of session ${session} alone; m31a serve holds others`),
    );
  const place: AcpPlace = {
    root,
    version,
    environment,
    expectModel: async () => void await live.model(),
    begin: onlyThis,
    hold: (id) => id === session ? Promise.resolve(held) : onlyThis(),
    // Whoever attached may leave; the conversation is not theirs to end.
    release: () => Promise.resolve(),
    stats: async () => statsOf(await foldOwnLedger(root)),
  };
  await serveClient(place, connectionStream(client, systemClock)).closed;
}
