/**
 * A picture as a part of a user's message.
 * Rule: the bytes go as they are recorded.
 */
import type { PromptMessage } from "../model/port.ts";
import type { Image } from "../session/images.ts";

/** A part of a user's message. */
export type UserPart = Extract<PromptMessage, { role: "user" }>["content"][number];

/** The part that shows a picture. */
export function toFile({ mediaType, data }: Image): UserPart {
  return { type: "file", mediaType, data: { type: "data", data } };
}
