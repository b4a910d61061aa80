/** Taking back in plain chats, on the executable: in a pipe, by the commands, and at a terminal. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { testWhere } from "../support/machine.ts";
import { type Project, withProject } from "../support/project.ts";
import { hasTmux, withPty } from "../support/pty.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { executablePath } from "./executable.ts";
import { openAi } from "./protocols.ts";
import { assertSound } from "./soundness.ts";

/** The replies of a turn that writes a file. */
function writes(path: string, content: string): Reply[] {
  return [
    {
      calls: [{ tool: "read_file", input: { path } }, {
        tool: "write_file",
        input: { path, content },
      }],
    },
    { text: `Wrote ${path}.` },
  ];
}

function read(project: Project, path: string): string | undefined {
  try {
    return Deno.readTextFileSync(join(project.root, path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("a piped chat's turns are taken back by m31a undo, its conversation by m31a rewind, and it goes on as it was then", async () => {
  const answers = [
    ...writes("a.txt", "1\n"),
    ...writes("a.txt", "2\n"),
    ...writes("b.txt", "b\n"),
    { text: "I see." },
    { text: "Another way." },
  ];
  await using server = ModelServer.start(strictly(answers));
  await withProject(async (project) => {
    project.use(openAi(server));
    const chat = (input: string) => project.run(["chat", "--continue"], { input });
    const begun = await project.run(["chat"], { input: "One.\nTwo.\nThree.\n" });
    assert.equal(begun.code, 0, begun.stderr);
    assert.deepEqual([read(project, "a.txt"), read(project, "b.txt")], ["2\n", "b\n"]);

    const inPipe = await chat("/undo 2\n");
    assert.match(inPipe.stderr, /\/undo needs a terminal.*m31a undo 2 --yes/);
    const undone = await project.run(["undo", "--yes"]);
    assert.equal(undone.code, 0, undone.stderr);
    assert.match(undone.stdout, /taken back +3\. turn 3: Three\.\n +removed +b\.txt\n/);
    assert.equal(read(project, "b.txt"), undefined);
    assert.equal((await chat("What now?\n")).code, 0);
    assert.match(server.bodies.at(-1) ?? "", /taken changes of yours back.*b\.txt.*What now\?/);

    const list = await project.run(["rewind"]);
    assert.deepEqual(list.stdout.split("\n").slice(1, -1), [
      "0. before the first turn",
      "1. One. (changed a.txt)",
      "2. Two. (changed a.txt)",
      "3. Three.",
      "4. What now?",
    ]);
    const refused = await project.run(["rewind", "1"]);
    assert.deepEqual([refused.code, read(project, "a.txt")], [2, "2\n"]);
    const rewound = await project.run(["rewind", "1", "--yes"]);
    assert.equal(rewound.code, 0, rewound.stderr);
    assert.match(rewound.stdout, /The conversation is back to the end of turn 1\.\n$/);
    assert.equal(read(project, "a.txt"), "1\n");
    assert.equal((await chat("Two.\n")).code, 0);
    // The second turn's first request, and the one that was sent instead of it now.
    assert.equal(server.bodies.at(-1), server.bodies[2]);

    const shown = await project.run(["session", "show", project.sessionId]);
    assert.equal(shown.stdout.split("Wrote a.txt.").length, 3);
    assert.match(shown.stdout, /the conversation was taken back to the end of turn 1/);
    assert.equal(await project.git("status", "--porcelain", "--", "a.txt"), "?? a.txt\n");
    await assertSound(project);
  });
});

Deno.test("a piped chat outside of a git repository changes nothing, and tells the model why", async () => {
  await using server = ModelServer.start(strictly([...writes("a.txt", "1\n"), { text: "Yes." }]));
  await withProject(async (project) => {
    project.use(openAi(server));
    Deno.removeSync(join(project.root, ".git"), { recursive: true });
    const { code, stderr } = await project.run(["chat"], { input: "Write it.\n" });
    assert.equal(code, 0, stderr);
    assert.equal(read(project, "a.txt"), undefined);
    assert.match(server.bodies[1] ?? "", /in no git repository.*could not be taken back/);
  });
});

testWhere(
  hasTmux,
  "needs tmux",
  "/undo and /rewind in a chat at a terminal show, ask, and take a plain turn back",
  async () => {
    const answers = [
      ...writes("a.txt", "1\n"),
      ...writes("a.txt", "2\n"),
      ...writes("a.txt", "3\n"),
      { text: "Here again." },
    ];
    await using server = ModelServer.start(strictly(answers));
    await withProject(async (project) => {
      project.use(openAi(server));
      const command = [executablePath(), "chat", "--approval", "allowlist"];
      const options = {
        columns: 110,
        rows: 60,
        folder: project.root,
        environment: { ...project.variables },
      };
      await withPty(command, async (pty) => {
        const say = async (text: string) => {
          await pty.type(text);
          await pty.press("Enter");
        };
        await pty.waitFor(/^>$/m);
        for (const [index, text] of ["One.", "Two.", "Three."].entries()) {
          await say(text);
          const done = "Wrote a\\.txt\\.[^]*".repeat(index + 1);
          await pty.waitFor(new RegExp(`${done}\\n>$`));
        }
        await say("/undo");
        await pty.waitFor(/taken back +3\. turn 3: Three\.[^]*Take this back\?/);
        await pty.type("y");
        await pty.waitFor("Done; recorded as checkpoint 4.");
        assert.equal(read(project, "a.txt"), "2\n");
        await say("/rewind");
        await pty.waitFor(
          /1\. One\. \(changed a\.txt\)\n2\. Two\. \(changed a\.txt\)\n3\. Three\.\n/,
        );
        await say("/rewind x");
        await pty.waitFor("/rewind takes the number of a turn");
        await say("/rewind 0");
        await pty.waitFor(/goes back to before the first turn[^]*Take this back\?/);
        await pty.type("y");
        await pty.waitFor("The conversation is back to before the first turn.");
        assert.equal(read(project, "a.txt"), undefined);
        await say("One.");
        await pty.waitFor(/Here again\.[^]*\n>$/);
        assert.equal(server.bodies.at(-1), server.bodies[0]);
        await pty.press("C-d");
        await pty.waitFor("[exit 0]");
      }, options);
      await assertSound(project);
    });
  },
);
