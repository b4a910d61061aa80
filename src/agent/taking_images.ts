/**
 * Whether a model takes pictures.
 * Rule: one that is known to take none gets none, and that is said; where nobody knows, its own refusal says it.
 */
import type { Model } from "../model/port.ts";
import { UsageError } from "../platform/errors.ts";

/** What is said of a model that takes none; undefined where it takes them, or nobody knows. */
export async function whyNoImages(model: Model): Promise<string | undefined> {
  if (await model.takesImages?.() !== false) return undefined;
  return `${model.id.provider}:${model.id.name} takes no pictures, as its server says`;
}

/** @throws {UsageError} when the model is known to take none */
export async function refuseWithoutImages(model: Model): Promise<void> {
  const why = await whyNoImages(model);
  if (why === undefined) return;
  throw new UsageError(`${why}; name one that does (/model, --model), or leave them out.`);
}
