/**
 * What an MCP server answers, as text for the model.
 * Rule: text is kept (without control sequences, capped), anything else is named and left out.
 */
import { z } from "zod";
import { capText, stripControlSequences } from "../platform/text.ts";
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

/** Reads the result of `tools/call`. */
export function outcomeOf(value: unknown): ToolOutcome {
  const parsed = result.safeParse(value);
  if (!parsed.success) return failed("The server's answer is not a tool's result.");
  const { isError, structuredContent } = parsed.data;
  const parts = parsed.data.content.map(textOf);
  if (parts.length === 0 && structuredContent !== undefined) {
    parts.push(JSON.stringify(structuredContent));
  }
  const text = capText(stripControlSequences(parts.join("\n")), MAX_TEXT_BYTES).text;
  return isError ? failed(text || "The tool failed without a message.") : done(text || "Done.");
}

function textOf(part: z.infer<typeof content>): string {
  if ("text" in part) return part.text;
  if ("data" in part) {
    const sizeBytes = Math.floor(part.data.length * 3 / 4);
    return `[${part.type}, ${part.mimeType}, ${sizeBytes} bytes, left out]`;
  }
  if ("resource" in part) return part.resource.text ?? `[resource ${part.resource.uri}]`;
  if ("uri" in part) return `[resource ${part.uri}]`;
  return `[${part.type}, left out]`;
}
