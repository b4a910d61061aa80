/**
 * Whether a model takes pictures.
 * Rule: one that is known to take none gets none, and that is said; where nobody knows, its own refusal says it.
 */
import type { Model } from "../model/port.ts";
import { UsageError } from "../platform/errors.ts";

/** @throws {UsageError} when the model is known to take none */
export async function refuseWithoutImages(model: Model): Promise<void> {
  if (await model.takesImages?.() !== false) return;
  throw new UsageError(
    `${model.id.provider}:${model.id.name} takes no pictures, as its server says; name one that does ` +
      "(/model, --model), or leave them out.",
  );
}
