/**
 * Lets others see a conversation that this process holds: whoever opens its socket is on it.
 * Rule: the socket is there as long as the session is; that none can be made is said and stands in nobody's way.
 */
import type { ConversationEvent } from "../../app/events/conversation_event.ts";
import type { LiveConversation } from "../../app/live_conversation.ts";
import type { Environment } from "../../platform/environment.ts";
import { messageOf } from "../../platform/errors.ts";
import { listenLive, type LiveSocket } from "./live_socket.ts";

/** What is offered, and what clients are told of this m31a. */
export interface Offer {
  live: LiveConversation;
  root: string;
  environment: Environment;
  version: string;
  /** Something that whoever is here should know. */
  say(text: string): void;
}

/**
 * Offers a conversation until the returned function is called.
 *
 * Nothing of the protocol is loaded before the first client comes.
 */
export function offerLive(offer: Offer): () => void {
  const { live, root, say } = offer;
  let offered: { session: string; socket: LiveSocket | undefined } | undefined;
  const withdraw = () => {
    offered?.socket?.close();
    offered = undefined;
  };
  const offerSession = (session: string) => {
    if (offered?.session === session) return;
    withdraw();
    try {
      const socket = listenLive({ root, session }, async (client) => {
        const { serveAttached } = await import("./attached.ts");
        await serveAttached(offer, session, client);
      });
      offered = { session, socket };
    } catch (error) {
      offered = { session, socket: undefined };
      say(messageOf(error));
    }
  };
  const stopListening = live.listen(({ session }: ConversationEvent) => {
    if (session !== null) offerSession(session);
  });
  if (live.session !== null) offerSession(live.session);
  return () => {
    stopListening();
    withdraw();
  };
}
