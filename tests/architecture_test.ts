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

/** The files of the first circle of imports that is met, in their order; undefined when there is none. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(path)) return way.slice(way.indexOf(path));
    if (done.has(path)) return undefined;
    for (const next of imports.get(path) ?? []) {
      const circle = visit(next, [...way, path]);
      if (circle !== undefined) return circle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of imports.keys()) {
    const circle = visit(path, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Rooms in which no file imports itself by way of others; in the rest of them some still do. */
const WITHOUT_CIRCLES = [
  "cli",
  "faces",
  "app",
  "session",
  "planning",
  "ledger",
  "model",
  "platform",
];

Deno.test("no file of these rooms imports itself by way of others", () => {
  const imports = new Map(
    [...sources(SRC)].filter((path) => WITHOUT_CIRCLES.includes(roomOf(path))).map((path) => {
      const named = Deno.readTextFileSync(path).matchAll(/\bfrom "(\.[^"]+)"/g);
      const doc = /^ \*/;
      const others = [...named].filter(({ input, index }) =>
        !doc.test(input.slice(input.lastIndexOf("\n", index) + 1))
      );
      return [path, others.map(([, specifier = ""]) => resolve(path, "..", specifier))];
    }),
  );
  assert.deepEqual(circleIn(imports)?.map((path) => relative(SRC, path)), undefined);
});
