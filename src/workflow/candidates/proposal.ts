/**
 * What a small model is told of a file, and what it proposes.
 * Rule: the goal and the file and nothing else; an answer is a path and a content, which the server enforces.
 */
import type { JsonValue } from "../../platform/canonical_json.ts";
import type { Piece } from "./piece.ts";

/** The question. */
export function question(goal: string, path: string, piece: Piece): string {
  const part = piece.isWhole ? "" : " (a part of it)";
  return `${goal}\n\n${path}${part}:\n${piece.text}`;
}

/** What an answer is held to. */
export function answerSchema(path: string): { [key: string]: JsonValue } {
  return {
    type: "object",
    properties: { path: { type: "string", enum: [path] }, content: { type: "string" } },
    required: ["path", "content"],
    additionalProperties: false,
  };
}

/** The content that an answer proposes; undefined where it is none: cut off, or not what was asked for. */
export function contentOf(answer: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== "object" || !("content" in value)) return undefined;
  if (typeof value.content !== "string") return undefined;
  const content = value.content.replaceAll("\r\n", "\n");
  return /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/.exec(content)?.[1] ?? content;
}
