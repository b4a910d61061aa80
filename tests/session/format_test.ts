/** docs/session-format.md: its examples are what the store writes, and its reader agrees with the store. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { fileURLToPath } from "node:url";
import { baselinePath, sessionDirectory } from "../../src/session/layout.ts";
import { RECORD_TYPES, sessionRecord } from "../../src/session/records.ts";
import { Session } from "../../src/session/session.ts";
import { scanEpoch } from "../../src/session/session_reader.ts";
import { withTemporaryFolder } from "../support/temporary.ts";
import { runToEnd } from "./processes.ts";
import {
  ID,
  logFile,
  reply,
  result,
  sampleBaseline,
  stoppedClock,
  usage,
  user,
} from "./samples.ts";

const DOCUMENT = Deno.readTextFileSync(
  fileURLToPath(new URL("../../docs/session-format.md", import.meta.url)),
);

/** The text of the code block behind `<!-- example: name -->`. */
function example(name: string): string {
  const match = new RegExp(`<!-- example: ${name} -->\\s*\`\`\`\\w+\\n([^]*?)\n\`\`\``).exec(
    DOCUMENT,
  );
  assert.ok(match?.[1] !== undefined, name);
  return match[1];
}

async function makeExample(root: string): Promise<void> {
  using session = await Session.create(root, sampleBaseline(), null, { clock: stoppedClock });
  session.append([user("What does main.ts do?"), reply("Let me look.", 1), usage(812, 21)]);
  session.append([result(1, 'console.log("hello");\n')]);
  session.append([reply("It prints hello."), usage(870, 6)]);
}

Deno.test("docs/session-format.md shows the baseline and the log as the store writes them", async () => {
  await withTemporaryFolder(async (root) => {
    await makeExample(root);
    assert.equal(example("baseline"), Deno.readTextFileSync(join(root, baselinePath(ID, 0))));
    assert.equal(example("log") + "\n", Deno.readTextFileSync(logFile(root)));
  });
});

/** Runs the document's reader over epoch 0. */
async function readByDocument(root: string): Promise<{ code: number; lines: string[] }> {
  const reader = join(root, "read.mjs");
  Deno.writeTextFileSync(reader, example("reader"));
  const directory = join(root, sessionDirectory(ID));
  return await runToEnd([Deno.execPath(), "run", "-A", "--quiet", reader, directory, "0"]);
}

Deno.test("docs/session-format.md has a reader that reads a session", async () => {
  await withTemporaryFolder(async (root) => {
    await makeExample(root);
    assert.deepEqual(await readByDocument(root), {
      code: 0,
      lines: [
        "> What does main.ts do?",
        "Let me look.",
        'read_file {"path":"file-1"}',
        "It prints hello.",
      ],
    });
  });
});

Deno.test("docs/session-format.md has a reader that refuses the damage that the store refuses", async () => {
  await withTemporaryFolder(async (root) => {
    await makeExample(root);
    const whole = Deno.readFileSync(logFile(root));
    for (
      const damage of [
        (bytes: Uint8Array) => bytes.subarray(0, -1),
        (bytes: Uint8Array) => bytes.subarray(0, -100),
        (bytes: Uint8Array) => bytes.with(300, 0xff),
        (bytes: Uint8Array) => bytes.with(700, 0x78),
        () => new Uint8Array(0),
      ]
    ) {
      Deno.writeFileSync(logFile(root), damage(whole));
      assert.ok(scanEpoch(root, ID, 0, () => {}).damage);
      assert.equal((await readByDocument(root)).code, 3);
    }
  });
});

Deno.test("docs/session-format.md names every record type with its fields", () => {
  const rows = new Map(
    [...DOCUMENT.matchAll(/^\| `(\w+)` *\| (.*?) *\|/gm)].map(([, type, fields]) => [type, fields]),
  );
  for (const schema of sessionRecord.options) {
    const { type, seq: _seq, at: _at, prev: _prev, ...fields } = schema.shape;
    const documented = [...(rows.get(type.value) ?? "").matchAll(/`(\w+)`(\??)/g)]
      .map(([, name, optional]) => `${name}${optional}`);
    const real = Object.entries(fields).map(([name, field]) =>
      `${name}${field.safeParse(undefined).success ? "?" : ""}`
    );
    assert.deepEqual(documented, real, type.value);
  }
  assert.equal(sessionRecord.options.length, RECORD_TYPES.length);
});

Deno.test("docs/session-format.md names every field of the baseline", () => {
  for (const field of Object.keys(sampleBaseline())) {
    assert.match(DOCUMENT, new RegExp(`^\\| (\`\\w+\`, )?\`${field}\``, "m"), field);
  }
});
