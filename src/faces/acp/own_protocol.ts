/**
 * What m31a adds to the protocol in `_meta.m31a`, and the notification that carries an event.
 * Rule: docs/protocol.md describes all of it; a client that knows nothing of it misses nothing that the protocol has.
 */
import type { ClientCapabilities } from "@agentclientprotocol/sdk";
import { z } from "zod";

/** The notification that carries an event as it is, to a client that has asked for that. */
export const EVENT_METHOD = "_m31a/event";

/** What a client of m31a's own says of itself. */
export interface OwnCapabilities {
  /** It takes events as they are, in place of updates, and answers questions by `_m31a/answer`. */
  events: boolean;
}

const ownMeta = z.looseObject({
  m31a: z.looseObject({
    events: z.boolean().optional(),
    after: z.string().optional(),
    message: z.string().optional(),
  }).optional(),
}).nullish();

function own(meta: unknown) {
  return ownMeta.safeParse(meta).data?.m31a ?? {};
}

/** What a client has said of itself. */
export function ownCapabilities({ _meta }: ClientCapabilities): OwnCapabilities {
  return { events: own(_meta).events ?? false };
}

/** The last event that a client has, as it says in a request's `_meta`. */
export function lastEventIn(meta: unknown): string | undefined {
  return own(meta).after;
}

/** What a client calls a message, to be told when it is on disk. */
export function messageIn(meta: unknown): string | null {
  return own(meta).message ?? null;
}
