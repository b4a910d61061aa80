/**
 * What m31a is to its clients: a project, and the conversations that are held in it.
 * Rule: several clients may be on one conversation; it is held once.
 */
import type { ServerConfiguration } from "../../agent/configuration_schema.ts";
import type { Environment } from "../../platform/environment.ts";
import type { HeldConversation } from "./held_conversation.ts";

/** See the head of this file. */
export interface AcpPlace {
  /** The project's root, a real path. */
  root: string;
  /** m31a's own version. */
  version: string;
  environment: Environment;
  /** @throws {NoModel} when there is no model to talk to, and what is missing */
  expectModel(): Promise<void>;
  /**
   * Promises a new conversation; nothing is written before its first message.
   *
   * @param brought MCP servers of the client's
   */
  begin(brought: Readonly<Record<string, ServerConfiguration>>): Promise<HeldConversation>;
  /**
   * Gives a conversation that is held, or goes on with one of the project's.
   *
   * @throws {SessionNotFound} {@linkcode SessionInUse} when another process has it
   */
  hold(
    id: string,
    brought: Readonly<Record<string, ServerConfiguration>>,
  ): Promise<HeldConversation>;
  /** A client is on it no more, because it said so. */
  release(held: HeldConversation): Promise<void>;
  /** The statistics of the project's finished sessions, as JSON. */
  stats(): Promise<unknown>;
}
