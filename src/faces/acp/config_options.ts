/**
 * The model of a conversation and its effort, as options that a client can set.
 * Rule: what is in force stands in the list, whatever it is; another model than those listed may be set by its name.
 */
import type { SessionConfigOption, SessionConfigSelectOption } from "@agentclientprotocol/sdk";
import type { ModelInWords } from "../../agent/open.ts";
import { EFFORTS } from "../../model/parameters.ts";
import type { Environment } from "../../platform/environment.ts";
import { PROVIDER_NAMES, providerOf } from "../../model/providers.ts";
import { UsageError } from "../../platform/errors.ts";

/** What stands for an effort that was not said. */
const PROVIDERS_OWN = "default";

/** The options, as they are now. */
export function configOptions(
  model: ModelInWords,
  environment: Environment,
): SessionConfigOption[] {
  const effort = model.effort ?? PROVIDERS_OWN;
  return [
    {
      type: "select",
      id: "model",
      name: "Model",
      category: "model",
      currentValue: model.name,
      options: listed([model.name, ...usualModels(environment)]),
    },
    {
      type: "select",
      id: "effort",
      name: "Effort",
      description: "How much the model reasons before it answers, where it can.",
      category: "thought_level",
      currentValue: effort,
      options: listed([effort, ...EFFORTS]),
    },
  ];
}

/**
 * What `/model` is given to set an option.
 *
 * @throws {UsageError} for an option that there is not, or a value that it cannot have
 */
export function wantedOption(id: string, value: unknown): string {
  if (id !== "model" && id !== "effort") throw new UsageError(`${id}: is no option of m31a's`);
  if (typeof value !== "string" || value.trim() === "") {
    throw new UsageError(`${id}: a text is expected`);
  }
  if (id === "model") return value;
  if (EFFORTS.some((effort) => effort === value)) return value;
  throw new UsageError(`${value}: is no effort; one of ${EFFORTS.join(", ")}`);
}

/** The model that each provider has by default whose key is set. */
function usualModels(environment: Environment): string[] {
  return PROVIDER_NAMES.flatMap((provider) => {
    const { keyName, defaultName } = providerOf(provider);
    const isUsable = keyName !== null && environment[keyName] !== undefined && defaultName !== null;
    return isUsable ? [`${provider}:${defaultName}`] : [];
  });
}

function listed(values: readonly string[]): SessionConfigSelectOption[] {
  return [...new Set(values)].map((value) => ({ value, name: value }));
}
