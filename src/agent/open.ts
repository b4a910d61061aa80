/**
 * Opening a conversation: the model chosen and opened, the tools gathered, the baseline made or read.
 * Rule: a new conversation takes what is configured now; a resumed one takes its baseline's word for what a request says.
 */
import { chooseModel, type ModelChoice, type ModelConfiguration } from "../model/choice.ts";
import { openModel } from "../model/open.ts";
import { refuseForeignAddress } from "../model/provider_address.ts";
import type { Model } from "../model/port.ts";
import { llamaCppSlots } from "../model/probe.ts";
import { isProviderName, KEY_NAMES, providerOf } from "../model/providers.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import { repositorySnapshot } from "../git/snapshot.ts";
import { Git } from "../git/run.ts";
import type { Baseline } from "../session/baseline.ts";
import { listEpochs } from "../session/layout.ts";
import { readBaseline } from "../session/epoch_files.ts";
import { type FirstWay, firstWay } from "./action_way.ts";
import { readCassette } from "./cassette.ts";
import { Conversation, type ConversationWorld, type NextModel } from "./conversation.ts";
import { readInstructions } from "./instructions.ts";
import type { Limits } from "./limits.ts";
import { maskEvents } from "./masked_events.ts";
import { modelOfBaseline, newBaseline } from "./new_baseline.ts";
import { type GuardedSession, guardSession } from "./git_guard.ts";
import { refuseTrackedSession } from "./trust_store.ts";
import type { ToolSet } from "./tool_set.ts";

/** What a conversation is opened with. */
export interface Opening {
  /** The project's root, a real path. */
  root: string;
  clock: Clock;
  environment: Environment;
  /** `--model`. */
  modelFlag?: string;
  /** `--effort`; `model` holds it already. */
  effortFlag?: string;
  /** `[model]` of the configuration. */
  model: ModelConfiguration;
  limits: Limits;
  tools: ToolSet;
  onEvent: ConversationWorld["onEvent"];
  approve: ConversationWorld["approve"];
  ask: ConversationWorld["ask"];
  /** Puts a question that no mode answers; left out where nobody can be asked. */
  askUser?: GuardedSession["askUser"];
  forbid?: NonNullable<ConversationWorld["forbid"]>;
  openText?: NonNullable<ConversationWorld["openText"]>;
  folds?: NonNullable<ConversationWorld["folds"]>;
  onDurable?: NonNullable<ConversationWorld["onDurable"]>;
  takeSteered?: NonNullable<ConversationWorld["takeSteered"]>;
  carriedWorkflow?: NonNullable<ConversationWorld["carriedWorkflow"]>;
  /** The id of a new session, where it was promised to somebody. */
  session?: string;
  /** What earlier sessions taught that bears on this one; null when nothing does. */
  memory?: Baseline["memory"];
}

/**
 * Begins a new conversation with the model that the flag, the environment or the configuration names.
 *
 * @throws {UsageError} {@linkcode NoModel} when there is no such model
 * @throws {SessionIo} when the session cannot be written
 */
export async function startConversation(opening: Opening): Promise<Conversation> {
  const { root, clock, environment, limits, tools } = opening;
  const choice = await chosenModel(opening);
  const { way, notice } = await firstWay(opening.model.actions ?? "auto", choice);
  if (notice !== undefined) opening.onEvent({ type: "notice", text: notice });
  const model = await open(opening, choice);
  const git = new Git(root, environment);
  const instructions = await readInstructions(git, environment);
  const baseline = newBaseline({
    ...(opening.session !== undefined && { session: opening.session }),
    clock,
    limits,
    model: modelOfBaseline(model, baseUrlOf(choice), choice.parameters, way),
    tools: [...tools.definitions],
    repository: await repositorySnapshot(git) ?? null,
    memory: opening.memory ?? null,
    instructions,
  });
  guardSession({ ...opening, repository: baseline.repository });
  const slot = await slotOf(choice, baseline.session);
  const conversation = await Conversation.start(worldOf(opening, model, choice), baseline, slot);
  for (const text of instructions.notices) opening.onEvent({ type: "notice", text });
  return conversation;
}

/** A model as people name it. */
export interface ModelInWords {
  /** `provider:name`. */
  name: string;
  /** How much it is asked to reason, where that was said. */
  effort?: string;
}

/**
 * The model that a new conversation would begin with.
 *
 * @throws {UsageError} {@linkcode NoModel} when there is no such model
 */
export async function modelToBeginWith(
  opening: Pick<Opening, "environment" | "model" | "modelFlag">,
): Promise<ModelInWords> {
  const choice = await chosenModel(opening);
  const provider = choice.kind === "network" ? choice.provider : choice.kind;
  const { reasoning } = choice.parameters;
  const effort = reasoning === undefined ? {} : { effort: String(reasoning) };
  return { name: `${provider}:${choice.name}`, ...effort };
}

/** The model that the flag, the environment or the configuration names. */
async function chosenModel(
  { environment, model, modelFlag }: Pick<Opening, "environment" | "model" | "modelFlag">,
): Promise<ModelChoice> {
  const flag = modelFlag === undefined ? {} : { flag: modelFlag };
  return await chooseModel({ environment, configuration: model, ...flag });
}

/**
 * Goes on with session `id`, with the model of its baseline at the address where it was, unless the environment names
 * another address; or, where `--model` or `--effort` name another, with that one in a new epoch.
 *
 * @throws {UsageError} when git tracks the session's files, when the model cannot be reached any more, for want of a
 *   key for example, or nothing but the session's own files says that it is at this address
 * @throws what {@linkcode Conversation.resume} throws
 */
export async function resumeConversation(opening: Opening, id: string): Promise<Conversation> {
  const { root, environment } = opening;
  await refuseTrackedSession(root, environment, id);
  const { baseline } = readBaseline(root, id, listEpochs(root, id).at(-1) ?? 0);
  const { model: recorded, repository } = baseline;
  guardSession({ ...opening, repository });
  const next = await nextModelOf(opening, recorded, id);
  return await Conversation.resume(next.world, id, next.isAnother ? next : undefined);
}

/**
 * Goes on with another model, or another effort, in the middle of a conversation.
 *
 * @param opening with the model in `modelFlag`, the effort in `effortFlag`; both left out is the model as it is
 * @returns whether it is another than before
 * @throws {UsageError} as {@linkcode resumeConversation}; the conversation goes on as it was then
 */
export async function changeModel(opening: Opening, conversation: Conversation): Promise<boolean> {
  const { session, world } = conversation;
  const next = await nextModelOf(opening, session.baseline.model, session.id, world.secrets);
  if (next.isAnother) await conversation.changeModel(next.world, next);
  return next.isAnother;
}

/** The model that session `id` goes on with: as it was recorded, or as the flags say. */
async function nextModelOf(
  opening: Opening,
  recorded: Baseline["model"],
  id: string,
  secrets: readonly string[] = [],
): Promise<NextModel & { world: ConversationWorld; isAnother: boolean }> {
  const { modelFlag, effortFlag } = opening;
  const name = `${recorded.provider}:${recorded.name}`;
  const isSameName = modelFlag === undefined || modelFlag === name ||
    name.startsWith(`${modelFlag}:`);
  const choice = isSameName ? await recordedChoice(opening, recorded) : await chosenModel(opening);
  const opened = await open(opening, choice);
  // What a conversation was asked to reason stays, unless something else is said now.
  const { reasoning } = recorded.parameters;
  const parameters = {
    ...(isSameName
      ? recorded.parameters
      : { ...(reasoning !== undefined && { reasoning }), ...choice.parameters }),
    ...(effortFlag !== undefined && { reasoning: effortFlag }),
  };
  const isAnother = !isSameName || parameters.reasoning !== reasoning;
  const first: FirstWay = isSameName
    ? { way: undefined }
    : await firstWay(opening.model.actions ?? "auto", choice);
  if (first.notice !== undefined) opening.onEvent({ type: "notice", text: first.notice });
  const model = isSameName
    ? { ...recorded, parameters }
    : modelOfBaseline(opened, baseUrlOf(choice), parameters, first.way);
  return {
    model,
    slot: isAnother ? await slotOf(choice, id) : null,
    world: worldOf(opening, opened, choice, secrets),
    isAnother,
  };
}

/** The model of a baseline, at the address where it was. */
async function recordedChoice(
  opening: Opening,
  { provider, name, baseUrl }: Baseline["model"],
): Promise<ModelChoice> {
  const { environment } = opening;
  if (baseUrl !== null && isProviderName(provider)) {
    const { provider: configured = provider, baseUrl: configuredUrl } = opening.model;
    const named = configured === provider ? configuredUrl : undefined;
    refuseForeignAddress(
      baseUrl,
      provider,
      environment,
      named,
      opening.model.keyCommand !== undefined,
    );
  }
  return await chooseModel({
    environment,
    flag: `${provider}:${name}`,
    configuration: {
      ...withoutKeyOfAnother(opening.model, provider),
      provider,
      ...(baseUrl === null ? {} : { baseUrl }),
    },
  });
}

/** The command for a key is one for the provider that it is configured with. */
function withoutKeyOfAnother(model: ModelConfiguration, provider: string): ModelConfiguration {
  if ((model.provider ?? "openai-compatible") === provider) return model;
  const { keyCommand: _, ...others } = model;
  return others;
}

async function open({ root, clock, limits }: Opening, choice: ModelChoice): Promise<Model> {
  return await openModel(choice, {
    clock,
    limits: { idleTimeoutMs: limits.silenceSeconds * 1000 },
    loadCassette: (session) => readCassette(root, session),
  });
}

function worldOf(
  opening: Opening,
  model: Model,
  choice: ModelChoice,
  earlier: readonly string[] = [],
): ConversationWorld {
  const { root, clock, environment, tools, limits, approve, ask } = opening;
  const used = choice.kind === "network" && choice.apiKey !== undefined ? [choice.apiKey] : [];
  const known = KEY_NAMES.flatMap((name) => environment[name] ?? []);
  const secrets = [...new Set([...earlier, ...known, ...used])];
  const { tell, release } = maskEvents(secrets, opening.onEvent);
  const { onDurable } = opening;
  return {
    root,
    clock,
    environment,
    model,
    tools,
    limits,
    secrets,
    onEvent: tell,
    approve,
    ask,
    ...(opening.forbid !== undefined && { forbid: opening.forbid }),
    ...(opening.openText !== undefined && { openText: opening.openText }),
    ...(opening.folds !== undefined && { folds: opening.folds }),
    ...(onDurable !== undefined && {
      onDurable: () => {
        release();
        onDurable();
      },
    }),
    ...(opening.takeSteered !== undefined && { takeSteered: opening.takeSteered }),
    ...(opening.carriedWorkflow !== undefined && { carriedWorkflow: opening.carriedWorkflow }),
  };
}

function baseUrlOf(choice: ModelChoice): string | null {
  return choice.kind === "network" ? choice.baseUrl : null;
}

/** A llama.cpp server keeps a prompt cache a slot: a session always asks for the same one. */
async function slotOf(choice: ModelChoice, session: string): Promise<number | null> {
  if (choice.kind !== "network" || !providerOf(choice.provider).chat.takesSlot) return null;
  const slots = await llamaCppSlots(choice.baseUrl);
  return slots === undefined ? null : parseInt(session.slice(-4), 16) % slots;
}
