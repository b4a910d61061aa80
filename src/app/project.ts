/**
 * A project that is open: its settings, and the conversations that can be had in it.
 * Rule: opening one writes nothing but trust that was asked for; what the settings mean is decided here for every face.
 */
import type { Configuration, ConfigurationFlags } from "../agent/configuration.ts";
import { type ModelInWords, modelToBeginWith } from "../agent/open.ts";
import { firstChoices } from "../model/first_choices.ts";
import type { Environment } from "../platform/environment.ts";
import { listSessions, type SessionSummary } from "../session/catalog.ts";
import type { ChatStart, HostOptions } from "./conversation_host.ts";
import { LiveConversation } from "./live_conversation.ts";
import { type Brought, prepareOpening, type ProjectSettings } from "./opening.ts";
import { configurationToWorkWith, type TrustQuestion } from "./trust.ts";

/** What a project is opened with. */
export interface ProjectStart {
  environment: Environment;
  /** What the command line says; it goes before the configuration. */
  flags: ConfigurationFlags;
  /** Left out where nobody can be asked: a configuration that needs trust and has none is then refused. */
  trust?: TrustQuestion;
}

/** How a conversation is held. */
export interface ConversationOptions extends HostOptions {
  /** What a client brings along. */
  brought?: Brought;
}

/** See the head of this file. */
export class Project {
  readonly #settings: ProjectSettings;

  private constructor(settings: ProjectSettings) {
    this.#settings = settings;
  }

  /**
   * Opens the project in the current folder.
   *
   * @throws {ConfigurationInvalid}
   * @throws {UsageError} when the configuration needs trust that nobody has given
   */
  static async open({ environment, flags, trust }: ProjectStart): Promise<Project> {
    const root = Deno.realPathSync(".");
    const configuration = await configurationToWorkWith(root, environment, flags, trust);
    return new Project({ root, environment, configuration, flags });
  }

  /** The project's root, a real path. */
  get root(): string {
    return this.#settings.root;
  }

  get configuration(): Configuration {
    return this.#settings.configuration;
  }

  /**
   * The model that a new conversation would begin with.
   *
   * @throws {UsageError} {@linkcode NoModel} when there is none
   */
  async model(): Promise<ModelInWords> {
    const { environment, configuration: { model }, flags } = this.#settings;
    const modelFlag = flags.model === undefined ? {} : { modelFlag: flags.model };
    return await modelToBeginWith({ environment, model, ...modelFlag });
  }

  /**
   * What a first conversation can be had with, where neither a flag nor the environment nor the configuration says it;
   * undefined where one of them does.
   */
  async firstChoices(): ReturnType<typeof firstChoices> {
    const { environment, configuration, flags } = this.#settings;
    const flag = flags.model === undefined ? {} : { flag: flags.model };
    return await firstChoices({ environment, configuration: configuration.model, ...flag });
  }

  /** The newest sessions, newest first. */
  sessions(limit = Infinity): SessionSummary[] {
    return listSessions(this.root, limit);
  }

  /**
   * Begins a conversation, or goes on with one. A new one has no session before its first message
   * ({@linkcode LiveConversation.begin} makes one at once).
   *
   * @throws {SessionNotFound} when there is nothing to go on with {@linkcode SessionInUse} {@linkcode SessionTorn}
   * @throws {UsageError} when its model cannot be had
   */
  async converse(
    start: ChatStart,
    { brought, ...options }: ConversationOptions,
  ): Promise<LiveConversation> {
    return await LiveConversation.open(
      (holder) => prepareOpening(this.#settings, holder, brought),
      start,
      options,
    );
  }
}
