/**
 * Pictures in a conversation: what a record holds of them.
 * Rule: only kinds that models read, as base64; what a picture is, its bytes say, no name.
 */
import { Buffer } from "node:buffer";
import { z } from "zod";

/** Larger ones are refused by providers, in bytes. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** A picture in base64. */
export const image = z.strictObject({
  mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  data: z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/),
});
export type Image = z.infer<typeof image>;

/** The pictures of a message or a result; left out where there is none. */
export const images = z.array(image).min(1).optional();

/** What the first bytes of each kind are, as text of one byte a character. */
const BEGINNINGS: readonly [Image["mediaType"], RegExp][] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];

/** The kind of picture that `bytes` are; undefined when they are none that models read. */
function imageTypeOf(bytes: Uint8Array): Image["mediaType"] | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, 16));
  return BEGINNINGS.find(([, begins]) => begins.test(beginning))?.[0];
}

/** A picture from its bytes; undefined when they are none that models read. */
export function toImage(bytes: Uint8Array): Image | undefined {
  const mediaType = imageTypeOf(bytes);
  if (mediaType === undefined) return undefined;
  return { mediaType, data: Buffer.from(bytes).toString("base64") };
}

/** How many bytes a picture has. */
export function imageBytes({ data }: Pick<Image, "data">): number {
  return Math.floor(data.replace(/=+$/, "").length * 3 / 4);
}

/** What stands for pictures where there are only words. */
export function describeImages(images: readonly Image[] | undefined): string {
  return (images ?? []).map((image) => `[${image.mediaType}, ${imageBytes(image)} bytes]`)
    .join(" ");
}
