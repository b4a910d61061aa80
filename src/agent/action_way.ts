/**
 * How a model is asked to act: what `[model] actions` says, and where a new conversation begins.
 * Rule: what was asked for is done or refused; `auto` begins lower only for a model that is known to be small.
 */
import type { ModelChoice } from "../model/choice.ts";
import { parametersOf } from "../model/model_size.ts";
import { providerOf } from "../model/providers.ts";
import { UsageError } from "../platform/errors.ts";
import { isEnforced } from "./constrained.ts";
import type { ActionWay } from "../session/side_records.ts";

/** Where a new conversation begins. */
export interface FirstWay {
  /** Undefined: natively, up to where the model shows that it needs another way. */
  way: ActionWay | undefined;
  /** What is to be said of it. */
  notice?: string;
}

/** Up to so many parameters a model is known to make no calls, and to write a small file well. */
const SMALL_PARAMETERS = 1.2e9;

/**
 * Decides it.
 *
 * @throws {UsageError} when the provider does not speak the protocol that the way needs
 */
export async function firstWay(
  setting: "auto" | ActionWay,
  choice: ModelChoice,
): Promise<FirstWay> {
  if (setting !== "auto") {
    refuseWithoutSchemas(setting, choice);
    return { way: setting };
  }
  if (choice.kind !== "network") return { way: undefined };
  const parameters = await parametersOf(choice);
  if (parameters === undefined || parameters > SMALL_PARAMETERS) return { way: undefined };
  const millions = Math.round(parameters / 1e6);
  const notice =
    `${choice.provider}:${choice.name} has ${millions} million parameters: it is asked ` +
    "for candidates, which the checks judge ([model] actions).";
  return { way: "candidates", notice };
}

function refuseWithoutSchemas(way: ActionWay, choice: ModelChoice): void {
  if (!isEnforced(way) || choice.kind !== "network") return;
  if (providerOf(choice.provider).protocol === "chat") return;
  throw new UsageError(
    `[model] actions = "${way}" needs a server that speaks chat completions and holds an answer to a ` +
      `schema; ${choice.provider} is none. Set it to "auto", or choose another provider.`,
  );
}
