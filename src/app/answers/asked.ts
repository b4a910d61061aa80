/**
 * What an answer is made of.
 * Rule: for reading alone.
 */
import type { ConversationHost } from "../conversation_host.ts";

/** What an answer is made of. */
export type Asked = Pick<ConversationHost, "opening" | "conversation" | "parts" | "queue">;
