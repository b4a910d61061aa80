import assert from "node:assert/strict";
import { withWrittenCalls } from "../../src/agent/written_calls.ts";
import type { ToolDefinition } from "../../src/model/port.ts";

const TOOLS: ToolDefinition[] = [
  {
    name: "read_file",
    description: "",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, first: { type: "integer" } },
    },
  },
  { name: "finish_task", description: "", inputSchema: { type: "object" } },
];

const READ = { name: "read_file", input: { path: "a.txt", first: 2 } };
const JSON_CALL = '{"name": "read_file", "arguments": {"path": "a.txt", "first": 2}}';

/** How each template, or a model that was taught by it, writes the same call. */
const FORMS: readonly [form: string, text: string][] = [
  ["Hermes and Qwen", `<tool_call>\n${JSON_CALL}\n</tool_call>`],
  ["Hermes without its end", `<tool_call>\n${JSON_CALL}`],
  ["Mistral's list", `[TOOL_CALLS][${JSON_CALL}]`],
  ["Mistral's name and arguments", '[TOOL_CALLS]read_file[ARGS]{"path": "a.txt", "first": 2}'],
  [
    "Llama's tag",
    '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.txt", "first": 2}}',
  ],
  ["Llama's function", '<function=read_file>{"path": "a.txt", "first": 2}</function>'],
  [
    "Qwen3-Coder's elements",
    "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=first>\n2\n" +
    "</parameter>\n</function>\n</tool_call>",
  ],
  [
    "elements with names",
    '<invoke name="read_file"><parameter name="path">a.txt</parameter><parameter name="first">2</parameter></invoke>',
  ],
  ["a fenced object", `\`\`\`json\n${JSON_CALL}\n\`\`\``],
  ["a bare object", '{"tool": "read_file", "input": {"path": "a.txt", "first": "2"}}'],
  [
    "OpenAI's object, arguments as text",
    '{"type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a.txt\\", \\"first\\": 2}"}}',
  ],
];

for (const [form, text] of FORMS) {
  Deno.test(`withWrittenCalls() reads a call in the form of ${form}`, () => {
    const content = withWrittenCalls([{ type: "text", text: `I look.\n${text}` }], TOOLS) ??
      withWrittenCalls([{ type: "text", text }], TOOLS);
    const calls = content?.flatMap((part) =>
      part.type === "tool-call" ? [{ name: part.name, input: part.input }] : []
    );
    assert.deepEqual(calls, [READ]);
    assert.ok(content?.every((part) => part.type !== "text" || part.text === "I look."));
  });
}

Deno.test("withWrittenCalls() reads several calls, in their order", () => {
  const text = `<tool_call>${JSON_CALL}</tool_call>\n<tool_call>` +
    '{"name": "finish_task", "arguments": {"summary": "}"}}</tool_call>';
  const names = withWrittenCalls([{ type: "text", text }], TOOLS)?.map((part) =>
    part.type === "tool-call" ? part.name : part.type
  );
  assert.deepEqual(names, ["read_file", "finish_task"]);
});

Deno.test("withWrittenCalls() takes nothing for a call that names no tool, is cut off or is only shown", () => {
  for (
    const text of [
      "Yes.",
      '{"name": "write_novel", "arguments": {}}',
      '<tool_call>{"name": "read_file", "argu',
      `\`\`\`json\n${JSON_CALL}\n\`\`\`\nis how a call looks.`,
      '{"name": "read_file"}',
    ]
  ) {
    assert.equal(withWrittenCalls([{ type: "text", text }], TOOLS), undefined, text);
  }
  const own = { type: "tool-call", name: "read_file", id: "1", input: {} } as const;
  assert.equal(withWrittenCalls([own, { type: "text", text: JSON_CALL }], TOOLS), undefined);
});
