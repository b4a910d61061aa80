import assert from "node:assert/strict";
import { flawIn } from "../../src/agent/reply_flaw.ts";
import { runTurn } from "../../src/agent/turn.ts";
import type { FinishReason } from "../../src/model/port.ts";
import type { AssistantPart } from "../../src/session/records.ts";
import {
  type Answer,
  says,
  startConversation,
  WordsModel,
  worldOf,
} from "../support/conversations.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const text = (said: string): AssistantPart => ({ kind: "text", text: said });
const thought: AssistantPart = { kind: "reasoning", text: "Hm." };
const TOOLS = ["read_file", "run_command"].map((name) => ({
  name,
  description: "",
  inputSchema: { type: "object" },
}));

/** Replies that are no answer, what is said of each, and whether the model is asked once more. */
const FLAWS: [
  what: string,
  parts: AssistantPart[],
  finish: FinishReason,
  said: RegExp,
  again: boolean,
][] = [
  ["nothing", [], "stop", /holds nothing/, true],
  ["blanks", [text(" \n")], "stop", /holds nothing/, true],
  ["thoughts alone", [thought], "stop", /thoughts alone/, true],
  ["half an answer", [text("Half of")], "length", /cut off/, false],
  ["thoughts that were cut off", [thought], "length", /cut off/, false],
  ["a filtered answer", [text("I")], "content-filter", /filter stopped/, false],
  ["an answer that ends with an error", [text("I")], "error", /with an error/, false],
  [
    "a marked call",
    [text('I look.\n<tool_call>\n{"name": "read_file", "arguments": {}}\n</tool_call>')],
    "stop",
    /a call of read_file as text/,
    true,
  ],
  [
    "a fenced call",
    [text('```json\n{"name": "run_command", "arguments": {"command": "ls"}}\n```')],
    "stop",
    /a call of run_command as text/,
    true,
  ],
  [
    "a bare call",
    [text('{"tool": "read_file", "input": {"path": "a"}}')],
    "stop",
    /a call of read_file/,
    true,
  ],
  [
    "a call in a template's words",
    [text("[TOOL_CALLS] read_file {}")],
    "stop",
    /a call of read_file/,
    true,
  ],
  [
    "a call as XML",
    [text('<function=read_file>{"path":"a"}</function>')],
    "stop",
    /a call of read_file/,
    true,
  ],
];

for (const [what, parts, finish, said, again] of FLAWS) {
  Deno.test(`flawIn() finds ${what}`, () => {
    const flaw = flawIn(parts, finish, TOOLS);
    assert.match(flaw?.said ?? "", said);
    assert.equal(flaw?.nudge !== undefined, again);
  });
}

Deno.test("flawIn() finds nothing in an answer, nor in one that shows how a call looks", () => {
  const call: AssistantPart = { kind: "call", call: 1, tool: "read_file", input: {} };
  const answers: [AssistantPart[], FinishReason][] = [
    [[text("Yes.")], "stop"],
    [[text("Yes.")], "other"],
    [[call], "length"],
    [[thought, text("Yes.")], "stop"],
    [[text('```json\n{"name": "read_file", "arguments": {}}\n```\nis how a call looks.')], "stop"],
    [[text('```json\n{"name": "m31a", "version": "1"}\n```')], "stop"],
    [[text('```json\n{"name": "other_tool", "arguments": {}}\n```')], "stop"],
  ];
  for (const [parts, finish] of answers) assert.equal(flawIn(parts, finish, TOOLS), undefined);
});

async function turnWith(answers: readonly Answer[]) {
  return await withTemporaryFolder(async (root) => {
    const model = new WordsModel(answers);
    const world = worldOf(root, model);
    const conversation = await startConversation(world);
    const end = await runTurn(conversation, "Go", "user", new AbortController().signal);
    conversation.close();
    const notices = world.events.flatMap((event) => event.type === "notice" ? event.text : []);
    return { end, notices, model };
  });
}

Deno.test("runTurn() asks once more after an empty reply, and takes the answer", async () => {
  const { end, notices, model } = await turnWith([says(""), says("Here.")]);
  assert.deepEqual(end, { outcome: "replied", finish: "stop" });
  assert.deepEqual(notices, [
    "The model's answer holds nothing, and no words. It is asked once more.",
  ]);
  const before = model.bodies[0]?.slice(0, -2) ?? "?";
  assert.ok(model.bodies[1]?.startsWith(before), "the second request begins with the first");
});

Deno.test("runTurn() asks no third time, and the turn's end tells the flaw", async () => {
  const { end, notices } = await turnWith([says(""), says(" ")]);
  assert.ok(end.outcome === "replied" && /holds nothing/.test(end.flaw ?? ""));
  assert.equal(notices.length, 2);
});
