/** Damaged sessions: named by file and line, not touched, and helped by the command that the message names. */
import assert from "node:assert/strict";
import { withProject } from "../support/project.ts";
import { ModelServer, strictly } from "../support/servers/mod.ts";
import { anthropic, openAi } from "./protocols.ts";
import { assertGoesOn } from "./soundness.ts";

/** A way to damage a log of ten records. */
interface Damage {
  /** From the log's lines, each with its newline, to what is on disk afterwards. */
  change: (lines: Uint8Array[]) => Uint8Array[];
  /** The line that must be named. */
  line: number;
  help: "repair" | "salvage";
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** `lines` with line `number` (from 1) replaced. */
function replaced(
  lines: Uint8Array[],
  number: number,
  change: (line: Uint8Array) => Uint8Array,
): Uint8Array[] {
  return lines.map((line, index) => index === number - 1 ? change(line) : line);
}

const DAMAGES: Record<string, Damage> = {
  "record 3 of 10 is no JSON": {
    change: (lines) => replaced(lines, 3, () => bytes("{half a rec\n")),
    line: 3,
    help: "salvage",
  },
  "4 KB of NUL bytes are in the middle": {
    change: (lines) => replaced(lines, 4, () => new Uint8Array(4096)),
    line: 4,
    help: "salvage",
  },
  "1,728 NUL bytes follow the last record": {
    change: (lines) => [...lines, new Uint8Array(1728)],
    line: 11,
    help: "repair",
  },
  "the final newline is missing": {
    change: (lines) => replaced(lines, 10, (line) => line.subarray(0, -1)),
    line: 10,
    help: "repair",
  },
  "the last record is cut off": {
    change: (lines) => replaced(lines, 10, (line) => line.subarray(0, line.length / 2)),
    line: 10,
    help: "repair",
  },
  "record 5 holds a 0xFF byte": {
    change: (lines) => replaced(lines, 5, (line) => line.with(line.length - 6, 0xff)),
    line: 5,
    help: "salvage",
  },
  "record 6 is lost": {
    change: (lines) => lines.filter((_, index) => index !== 5),
    line: 6,
    help: "salvage",
  },
  "record 6 is there twice": {
    change: (lines) => lines.flatMap((line, index) => index === 5 ? [line, line] : [line]),
    line: 7,
    help: "salvage",
  },
  "a word of record 2 was changed": {
    change: (lines) =>
      replaced(lines, 2, (line) => bytes(new TextDecoder().decode(line).replace("one", "eno"))),
    line: 3,
    help: "salvage",
  },
};

for (const [name, { change, line, help }] of Object.entries(DAMAGES)) {
  Deno.test(`chat refuses a session in which ${name}, names the line, and goes on after ${help}`, async () => {
    await using server = ModelServer.start(strictly(() => ({ text: "Answer." })));
    await withProject(async (project) => {
      project.use(anthropic(server));
      await project.run(["chat"], { input: "one\ntwo\nthree\n" });
      const damagedId = project.sessionId;
      const path = project.sessionFile("0.jsonl");
      Deno.writeFileSync(path, concatenate(change(linesOf(Deno.readFileSync(path)))));
      const before = project.sessionBytes();
      const sent = server.requests.length;

      const refused = await project.run(["chat", "--continue"], { input: "four\n" });
      assert.equal(refused.code, 3, refused.stderr);
      assert.equal(refused.stdout, "");
      assert.ok(refused.stderr.includes(`sessions/${damagedId}/0.jsonl:${line}: `), refused.stderr);
      assert.ok(refused.stderr.includes(`m31a session ${help} ${damagedId}`), refused.stderr);
      const verified = await project.run(["session", "verify"]);
      assert.equal(verified.code, 3);
      assert.ok(verified.stdout.includes(`0.jsonl:${line}: `), verified.stdout);
      if (help === "salvage") {
        assert.equal((await project.run(["session", "repair", damagedId])).code, 3);
      }
      assert.deepEqual(project.sessionBytes(), before);
      assert.equal(server.requests.length, sent);

      const helped = await project.run(["session", help, damagedId]);
      assert.equal(helped.code, 0, helped.stderr);
      if (help === "salvage") {
        const after = project.sessionBytes();
        for (const [file, content] of Object.entries(before)) assert.equal(after[file], content);
        // What could be saved takes the place of the damaged one, which the user may then remove.
        const removed = await project.run(["session", "rm", "--yes", damagedId]);
        assert.equal(removed.code, 0, removed.stderr);
      }
      await assertGoesOn(project);
    });
  });
}

for (const [name, content] of Object.entries({ "empty": "", "garbled": '{"format": 1, "sess' })) {
  Deno.test(`chat refuses a session whose baseline is ${name}, and touches neither file`, async () => {
    await using server = ModelServer.start(strictly(() => ({ text: "Answer." })));
    await withProject(async (project) => {
      project.use(openAi(server));
      await project.run(["chat"], { input: "one\n" });
      Deno.writeTextFileSync(project.sessionFile("0.baseline.json"), content);
      const before = project.sessionBytes();
      const refused = await project.run(["chat", "--continue"], { input: "two\n" });
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, new RegExp(`sessions/${project.sessionId}/0\\.baseline\\.json`));
      assert.deepEqual(project.sessionBytes(), before);
      assert.equal(server.requests.length, 1);
    });
  });
}

function linesOf(log: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < log.length;) {
    const end = log.indexOf(0x0a, start) + 1;
    lines.push(log.slice(start, end));
    start = end;
  }
  assert.equal(lines.length, 10);
  return lines;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}
