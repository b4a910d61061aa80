/**
 * What `/model` is given: a model, an effort, or both.
 * Rule: a word that is a level of effort is one; any other is the model.
 */
import type { Opening } from "../agent/open.ts";
import { EFFORTS } from "../model/parameters.ts";
import { UsageError } from "../platform/errors.ts";

/**
 * Reads the words behind `/model`.
 *
 * @param opening of the chat: what is not named stays as it is there
 * @throws {UsageError} when there are two models or two efforts
 *
 * @example
 * ```ts
 * import { wantedModel } from "./wanted_model.ts";
 * import assert from "node:assert/strict";
 *
 * const opening = { model: { parameters: { topP: 1 } } };
 * assert.deepEqual(wantedModel("openai:gpt-5.2 high", opening), {
 *   modelFlag: "openai:gpt-5.2",
 *   effortFlag: "high",
 *   model: { parameters: { topP: 1, reasoning: "high" } },
 * });
 * ```
 */
export function wantedModel(
  argument: string,
  opening: Pick<Opening, "model" | "modelFlag" | "effortFlag">,
): Pick<Opening, "model" | "modelFlag" | "effortFlag"> {
  const words = argument.split(/\s+/).filter((word) => word !== "");
  const isEffort = (word: string) => EFFORTS.some((effort) => effort === word);
  const [effort, ...moreEfforts] = words.filter(isEffort);
  const [model, ...moreModels] = words.filter((word) => !isEffort(word));
  if (moreEfforts.length + moreModels.length > 0) {
    throw new UsageError(
      `/model takes one provider:name and one of ${EFFORTS.join(", ")}, not "${argument}".`,
    );
  }
  const modelFlag = model ?? opening.modelFlag;
  const effortFlag = effort ?? opening.effortFlag;
  const parameters = { ...opening.model.parameters, ...(effort && { reasoning: effort }) };
  return {
    ...(modelFlag !== undefined && { modelFlag }),
    ...(effortFlag !== undefined && { effortFlag }),
    model: { ...opening.model, parameters },
  };
}
