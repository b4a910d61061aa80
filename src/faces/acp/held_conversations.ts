/**
 * The conversations of a project that clients are on.
 * Rule: one is held once, however many are on it, until it is released or everything is closed.
 */
import type { ServerConfiguration } from "../../agent/configuration_schema.ts";
import type { ChatStart } from "../../app/conversation_host.ts";
import type { Project } from "../../app/project.ts";
import { foldOwnLedger } from "../../ledger/ledger_sources.ts";
import { statsOf } from "../../ledger/stats.ts";
import type { Environment } from "../../platform/environment.ts";
import { systemClock } from "../../platform/clock.ts";
import { sayAside } from "../../platform/output.ts";
import { newSessionId } from "../../session/session_id.ts";
import { offerLive } from "../live/offer.ts";
import { Company, type HeldConversation } from "./held_conversation.ts";
import type { AcpPlace } from "./place.ts";

/** What is needed of an open project. */
type OpenProject = Pick<Project, "model" | "converse">;

/** A project's folder, and how it is opened. */
export interface ProjectFolder {
  /** A real path. */
  root: string;
  environment: Environment;
  /** Reads the configuration. @throws {UsageError} when it needs trust that nobody has given */
  open(): Promise<OpenProject>;
}

type Servers = Readonly<Record<string, ServerConfiguration>>;

/** See the head of this file. */
export class HeldConversations implements AcpPlace {
  readonly version: string;
  readonly #folder: ProjectFolder;
  readonly #held = new Map<string, Promise<HeldConversation>>();

  /** @param folder opened for each conversation: what is configured and trusted may have changed since the last one */
  constructor(folder: ProjectFolder, version: string) {
    this.#folder = folder;
    this.version = version;
  }

  get root(): string {
    return this.#folder.root;
  }

  get environment(): Environment {
    return this.#folder.environment;
  }

  async expectModel(): Promise<void> {
    await (await this.#folder.open()).model();
  }

  begin(brought: Servers): Promise<HeldConversation> {
    return this.#hold(newSessionId(systemClock.now()), { kind: "new" }, brought);
  }

  hold(id: string, brought: Servers): Promise<HeldConversation> {
    return this.#held.get(id) ?? this.#hold(id, { kind: "resume", id }, brought);
  }

  async release({ id, live, withdraw }: HeldConversation): Promise<void> {
    this.#held.delete(id);
    withdraw?.();
    await live.close();
  }

  async stats(): Promise<unknown> {
    return statsOf(await foldOwnLedger(this.root));
  }

  /** What goes on in which of them, in words. */
  async underWay(): Promise<string[]> {
    const all = await Promise.allSettled(this.#held.values());
    return all.flatMap((held) => {
      if (held.status !== "fulfilled") return [];
      const { id, live } = held.value;
      const { activity } = live.state;
      return activity === "idle" ? [] : [`session ${id}, ${activity} under way`];
    });
  }

  /** Ends what goes on in all of them, and lets go of them. */
  async close(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held.clear();
    for (const held of await Promise.allSettled(all)) {
      if (held.status !== "fulfilled") continue;
      held.value.withdraw?.();
      await held.value.live.close();
    }
  }

  #hold(id: string, start: ChatStart, servers: Servers): Promise<HeldConversation> {
    const held = this.#open(id, start, servers);
    this.#held.set(id, held);
    held.catch(() => this.#held.delete(id));
    return held;
  }

  async #open(id: string, start: ChatStart, servers: Servers): Promise<HeldConversation> {
    const company = new Company();
    const { openText, forbid } = company;
    const brought = { session: id, servers, openText, forbid };
    const project = await this.#folder.open();
    const live = await project.converse(start, { isAttended: true, brought });
    const { root, environment, version } = this;
    const withdraw = offerLive({ live, root, environment, version, say: sayAside });
    return { id, live, company, mayAnswer: true, withdraw };
  }
}
