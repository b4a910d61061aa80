/** Pictures in a conversation over real HTTP: sent, recorded, and refused by name where a model takes none. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { changeModel, resumeConversation, startConversation } from "../../src/agent/open.ts";
import { readFile } from "../../src/agent/tools/read_file.ts";
import { runTurn } from "../../src/agent/turn.ts";
import { mentionedImages } from "../../src/app/mentioned_images.ts";
import { MAX_IMAGE_BYTES, toImage } from "../../src/session/images.ts";
import { withPlainFolder } from "../support/git_folder.ts";
import { assertEachBeginsWithTheOneBefore } from "../support/prefixes.ts";
import { ModelServer } from "../support/servers/mod.ts";
import { toolContext } from "../support/tool_context.ts";
import { CLOUD, OWN, withTwoModels } from "../support/two_models.ts";

const SIGNAL = new AbortController().signal;
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const IMAGE = toImage(PNG) ?? assert.fail("a picture");
const DATA = IMAGE.data;

Deno.test("a picture goes along with every request, byte for byte across a restart and another model", () =>
  withTwoModels([{ text: "Red." }, { text: "Yes." }], [{ text: "Red it is." }], async (it) => {
    const first = await startConversation(it.opening(CLOUD));
    await runTurn(first, "What colour?", "user", SIGNAL, { images: [IMAGE] });
    first.close();
    const again = await resumeConversation(it.opening(), first.session.id);
    try {
      assert.deepEqual(it.notices(), [], "the request was rebuilt byte for byte");
      await runTurn(again, "Sure?", "user", SIGNAL);
      assertEachBeginsWithTheOneBefore(it.cloud.requests);
      await changeModel(it.opening(OWN), again);
      await runTurn(again, "And you?", "user", SIGNAL);
      assert.ok(it.own.bodies[0]?.includes(`data:image/png;base64,${DATA}`));
    } finally {
      again.close();
    }
  }));

Deno.test("pictures of results are shown behind the results of their reply", () =>
  withTwoModels(
    [
      { calls: [{ tool: "shoot", input: { at: 1 } }, { tool: "shoot", input: { at: 2 } }] },
      { text: "Both red." },
      { text: "Yes." },
    ],
    [],
    async (it) => {
      const opening = it.opening(CLOUD);
      const tools = {
        ...opening.tools,
        runCalls: (...[calls, , observer]: Parameters<typeof opening.tools.runCalls>) => {
          for (const call of calls) {
            observer.onResult(call, { output: "shot", isError: false, images: [IMAGE] });
          }
          return Promise.resolve();
        },
      };
      const conversation = await startConversation({ ...opening, tools });
      try {
        await runTurn(conversation, "Look.", "user", SIGNAL);
        await runTurn(conversation, "Sure?", "user", SIGNAL);
        assertEachBeginsWithTheOneBefore(it.cloud.requests);
        const { messages } = JSON.parse(it.cloud.bodies[1] ?? "");
        const kinds = messages.slice(2).flatMap((message: { content: { type: string }[] }) =>
          message.content.map(({ type }) => type)
        );
        assert.deepEqual(kinds, ["tool_result", "tool_result", "text", "image", "image"]);
      } finally {
        conversation.close();
      }
    },
  ));

Deno.test("a picture that a server refuses is named, and the next message goes on without it", () =>
  withTwoModels(
    [],
    [
      { status: 400, body: { error: { message: "this model does not support image input" } } },
      { text: "Fine." },
    ],
    async (it) => {
      const conversation = await startConversation(it.opening(OWN));
      try {
        const end = await runTurn(conversation, "What?", "user", SIGNAL, { images: [IMAGE] });
        assert.ok(end.outcome === "aborted" && /takes no pictures for b/.test(end.detail));
        await runTurn(conversation, "In words, then.", "user", SIGNAL);
        const body = it.own.bodies[1] ?? "";
        assert.ok(!body.includes(DATA));
        assert.match(
          body,
          /\[image\/png, 11 bytes\] was not taken by the model, and is left out\./,
        );
      } finally {
        conversation.close();
      }
    },
  ));

Deno.test("a model whose server says that it takes none is refused by name, before anything is recorded or sent", async () => {
  await using server = ModelServer.start([]);
  server.pages.set("/props", { modalities: { vision: false } });
  await withTwoModels([{ text: "Red." }, { text: "On." }], [], async (it) => {
    const opening = (flag: { modelFlag: string }) => {
      const plain = it.opening(flag);
      return {
        ...plain,
        model: { provider: "llamacpp", baseUrl: server.baseUrl },
      };
    };
    const blind = await startConversation(opening({ modelFlag: "llamacpp:blind" }));
    await assert.rejects(
      runTurn(blind, "What?", "user", SIGNAL, { images: [IMAGE] }),
      /llamacpp:blind takes no pictures, as its server says/,
    );
    assert.equal(blind.session.totals.turns, 0);
    blind.close();
    const seeing = await startConversation(it.opening(CLOUD));
    try {
      await runTurn(seeing, "What?", "user", SIGNAL, { images: [IMAGE] });
      await assert.rejects(
        changeModel(opening({ modelFlag: "llamacpp:blind" }), seeing),
        /takes no pictures/,
      );
      await runTurn(seeing, "Go on.", "user", SIGNAL);
      assert.equal(seeing.session.baseline.epoch, 0);
      assert.equal(server.requests.length, 0);
    } finally {
      seeing.close();
    }
  });
});

Deno.test("read_file shows a picture to a model that takes it, and says so to one that does not", () =>
  withPlainFolder(async (folder) => {
    Deno.writeFileSync(join(folder.root, "shot.bin"), PNG);
    const context = toolContext(folder);
    const blind = await readFile.run({ path: "shot.bin" }, context);
    assert.match(blind.output, /shot\.bin: is a picture \(11 bytes\), and you take none/);
    const seeing = await readFile.run(
      { path: "shot.bin" },
      { ...context, takesImages: () => Promise.resolve(true) },
    );
    assert.deepEqual(seeing.images, [IMAGE]);
  }));

Deno.test("mentionedImages() takes what is a picture along, and says of each other why it does not", () =>
  withPlainFolder((folder) => {
    const { root } = folder;
    const write = (name: string, bytes: Uint8Array) => Deno.writeFileSync(join(root, name), bytes);
    write("a.png", PNG);
    write("b.jpg", new TextEncoder().encode("no picture"));
    const large = new Uint8Array(MAX_IMAGE_BYTES + 1);
    large.set(PNG);
    write("large.png", large);
    const told: string[] = [];
    const text = "See @a.png and (@b.jpg), @large.png, @gone.png, @../out.png; mail me@a.png";
    const images = mentionedImages(root, text, (notice) => told.push(notice));
    assert.deepEqual(images, [IMAGE]);
    assert.match(told.join("\n"), /^b\.jpg does not go along as a picture: it is no PNG/m);
    assert.match(told.join("\n"), /^large\.png .*5242881 bytes, and models take up to 5242880$/m);
    assert.match(told.join("\n"), /^gone\.png does not go along/m);
    assert.match(told.join("\n"), /^\.\.\/out\.png does not go along/m);
    assert.equal(told.length, 4);
    const many = Array.from({ length: 21 }, (_, index) => `p${index}.png`);
    for (const name of many) write(name, PNG);
    const said: string[] = [];
    const all = mentionedImages(
      root,
      many.map((name) => `@${name}`).join(" "),
      (notice) => said.push(notice),
    );
    assert.equal(all.length, 20);
    assert.deepEqual(said, ["p20.png does not go along: a message takes 20 pictures."]);
    return Promise.resolve();
  }));
