/**
 * What an MCP server answers, as text for the model.
 * Rule: text is kept (without control sequences, capped), and pictures that models read; anything else is named and left out.
 */
import { z } from "zod";
import { capText, stripControlSequences } from "../platform/text.ts";
import { type Image, image, imageBytes, MAX_IMAGE_BYTES } from "../session/images.ts";
import { done, failed } from "./outcome.ts";
import type { ToolOutcome } from "./tool.ts";

const MAX_TEXT_BYTES = 64 * 1024;

const content = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal("resource"),
    resource: z.object({ uri: z.string(), text: z.string().optional() }),
  }),
  z.object({ type: z.literal("resource_link"), uri: z.string() }),
  z.object({ type: z.string() }),
]);

const result = z.object({
  content: z.array(content).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

/**
 * Reads the result of `tools/call`.
 *
 * @param takesImages whether the model can be shown pictures
 */
export function outcomeOf(value: unknown, takesImages: boolean): ToolOutcome {
  const parsed = result.safeParse(value);
  if (!parsed.success) return failed("The server's answer is not a tool's result.");
  const { isError, structuredContent } = parsed.data;
  const images = takesImages ? parsed.data.content.flatMap(imageIn) : [];
  const parts = parsed.data.content.map((part) => textOf(part, takesImages));
  if (parts.length === 0 && structuredContent !== undefined) {
    parts.push(JSON.stringify(structuredContent));
  }
  const text = capText(stripControlSequences(parts.join("\n")), MAX_TEXT_BYTES).text;
  const outcome = isError
    ? failed(text || "The tool failed without a message.")
    : done(text || "Done.");
  return images.length === 0 ? outcome : { ...outcome, images };
}

type Content = z.infer<typeof content>;

/** The picture that a part is, where models read it. */
function imageIn(part: Content): Image[] {
  if (!("data" in part) || part.type !== "image") return [];
  const { success, data } = image.safeParse({ mediaType: part.mimeType, data: part.data });
  return success && imageBytes(data) <= MAX_IMAGE_BYTES ? [data] : [];
}

function textOf(part: Content, takesImages: boolean): string {
  if ("text" in part) return part.text;
  if ("data" in part) {
    const size = `${imageBytes(part)} bytes`;
    const isShown = takesImages && imageIn(part).length > 0;
    return `[${part.type}, ${part.mimeType}, ${size}${isShown ? "" : ", left out"}]`;
  }
  if ("resource" in part) return part.resource.text ?? `[resource ${part.resource.uri}]`;
  if ("uri" in part) return `[resource ${part.uri}]`;
  return `[${part.type}, left out]`;
}
