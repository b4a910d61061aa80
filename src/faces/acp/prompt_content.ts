/**
 * What a client sends as a prompt, as a message of the user's.
 * Rule: what the model cannot be given is refused by name, never left out.
 */
import type {
  ContentBlock,
  EmbeddedResourceResource,
  ImageContent,
} from "@agentclientprotocol/sdk";
import { Buffer } from "node:buffer";
import { relative } from "@std/path";
import { UsageError } from "../../platform/errors.ts";
import { type Image, imageBytes, MAX_IMAGE_BYTES, toImage } from "../../session/images.ts";

/** A message of the user's. */
export interface PromptMessage {
  text: string;
  images: Image[];
}

/**
 * Puts the blocks of a prompt together: words as they are, files that are named as their paths, files that are brought
 * along with their text.
 *
 * @param root the project's folder; files in it are named relative to it
 * @throws {UsageError} for sound, for pictures that no model reads, and for files that are no text
 *
 * @example
 * ```ts
 * import { promptMessage } from "./prompt_content.ts";
 * import assert from "node:assert/strict";
 *
 * const link = { type: "resource_link", name: "a.ts", uri: "file:///project/src/a.ts#L3:5" } as const;
 * assert.deepEqual(promptMessage("/project", [{ type: "text", text: "What does " }, link]), {
 *   text: "What does src/a.ts (lines 3 to 5)",
 *   images: [],
 * });
 * ```
 */
export function promptMessage(root: string, blocks: readonly ContentBlock[]): PromptMessage {
  let text = "";
  const attached: string[] = [];
  const images: Image[] = [];
  for (const block of blocks) {
    if (block.type === "text") text += block.text;
    if (block.type === "resource_link") text += nameOf(root, block.uri, block.name);
    if (block.type === "image") images.push(pictureOf(block));
    if (block.type === "audio") {
      throw new UsageError(`m31a takes no sound (${block.mimeType}); say it in words`);
    }
    if (block.type === "resource") {
      text += nameOf(root, block.resource.uri);
      attached.push(attachment(root, block.resource));
    }
  }
  return { text: [text, ...attached].join("\n\n"), images };
}

function pictureOf({ mimeType, data }: ImageContent): Image {
  const image = toImage(Buffer.from(data, "base64"));
  if (image === undefined) {
    throw new UsageError(
      `${mimeType}: models read PNG, JPEG, GIF and WebP, and this is none of them`,
    );
  }
  if (imageBytes(image) <= MAX_IMAGE_BYTES) return image;
  throw new UsageError(
    `${mimeType}: the picture has ${
      imageBytes(image)
    } bytes; providers take ${MAX_IMAGE_BYTES} at the most`,
  );
}

function attachment(root: string, resource: EmbeddedResourceResource): string {
  const name = nameOf(root, resource.uri);
  if (!("text" in resource)) {
    const kind = resource.mimeType ?? "bytes of no known kind";
    throw new UsageError(
      `${name}: m31a takes no files but text (this is ${kind}); name its path instead`,
    );
  }
  const longest = Math.max(2, ...[...resource.text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const end = resource.text.endsWith("\n") ? "" : "\n";
  return `${name}, as the user's editor has it:\n${fence}\n${resource.text}${end}${fence}`;
}

/** A file's path, relative inside the project, with the lines that are meant; of anything else the address. */
function nameOf(root: string, uri: string, given?: string): string {
  if (!uri.startsWith("file://")) return given === undefined ? uri : `${given} (${uri})`;
  const { pathname, hash } = new URL(uri);
  const path = decodeURIComponent(pathname);
  const inside = relative(root, path);
  const isInside = inside !== "" && inside !== ".." && !inside.startsWith("../");
  const [, first, last = first] = /^#L(\d+)(?:[:-]L?(\d+))?$/.exec(hash) ?? [];
  const lines = first === undefined
    ? ""
    : first === last
    ? ` (line ${first})`
    : ` (lines ${first} to ${last})`;
  return `${isInside ? inside : path}${lines}`;
}
