/** The house of docs/architecture.md: a file imports from its own room and from rooms below it. */
import assert from "node:assert/strict";
import { join, relative, resolve } from "@std/path";

const SRC = resolve("src");

/** The floors from the top down; rooms on one floor do not know each other. */
const FLOORS = [
  ["cli"],
  ["faces"],
  ["app"],
  ["workflow"],
  ["ship"],
  ["agent"],
  ["session", "planning", "ledger", "model", "git"],
  ["platform"],
];

const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));
const roomOf = (path: string) => relative(SRC, path).split(/[\\/]/, 1)[0] ?? "";

function* sources(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* sources(path);
    if (name.endsWith(".ts")) yield path;
  }
}

Deno.test("every import points down the house, or stays in its room", () => {
  const wrong: string[] = [];
  for (const path of sources(SRC)) {
    const text = Deno.readTextFileSync(path);
    for (const [, specifier = ""] of text.matchAll(/(?:\bfrom |\bimport\()"(\.[^"]+)"/g)) {
      const [here, there] = [roomOf(path), roomOf(resolve(path, "..", specifier))];
      assert.ok(floorOf(here) >= 0, `${path}: no room of the house`);
      if (here === there || floorOf(there) > floorOf(here)) continue;
      wrong.push(`${relative(SRC, path)} imports ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
});
