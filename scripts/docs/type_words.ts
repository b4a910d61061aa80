/** A schema in the few words that a table has room for. */
import { z } from "zod";

/** The parts of a JSON Schema that are put into words. */
const jsonSchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

/** `schema` in words: `text`, `0 or more`, `a | b`, `list of text`, `{name: text, …}`. */
export function typeOf(schema: z.core.$ZodType): string {
  return words(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

function words(schema: unknown): string {
  const { type, enum: values, const: value, anyOf, items, properties, required = [] } = jsonSchema
    .parse(schema);
  if (anyOf !== undefined) return anyOf.map(words).join(" or ");
  if (values !== undefined) return values.map((one) => `\`${one}\``).join(" or ");
  if (value !== undefined) return `\`${value}\``;
  if (type === "array") return `list of ${words(items ?? {})}`;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) =>
      `\`${name}\`${required.includes(name) ? "" : "?"}: ${words(field)}`
    );
    return `{${fields.join(", ")}}`;
  }
  if (Array.isArray(type)) return type.map((one) => TYPE_WORDS[one] ?? one).join(" or ");
  return TYPE_WORDS[type ?? ""] ?? "any JSON";
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  null: "null",
  object: "table",
};
