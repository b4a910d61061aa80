/** Whatever commands do to whatever the user has there: an undo brings back what it says, and names the rest. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { sessionStore, sessionTree } from "../../src/agent/session_tree.ts";
import { TreeWatch } from "../../src/agent/tree_watch.ts";
import { createCheckpoint } from "../../src/git/checkpoint.ts";
import { applyRollback, previewRollback } from "../../src/git/rollback.ts";
import { checkpointFiles } from "../../src/agent/checkpoint_files.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

const KEEP_BYTES = 3_000;

/** Names as sh writes them in double quotes; the last is no UTF-8. */
const NAMES = [
  "plain",
  "with space",
  "dir/a",
  "dir/sub/b",
  "target/c.js",
  "node_modules/d",
  "-dash",
  ":colon",
  "new\nline",
  "é",
  'quo\\"te',
  "a\\\\b",
  "x.ignored",
  "$(printf 'b\\351te')",
];

/** What can be done to `$f`, and to `$g`, another one. */
const ACTIONS = [
  'echo "$r" > "$f"',
  'echo "$r" >> "$f"',
  'head -c 5000 /dev/zero >> "$f"',
  'head -c 2900 /dev/urandom > "$f"',
  'rm -rf "$f"',
  'mv "$f" "$g"',
  'chmod +x "$f"',
  'ln -sfn plain "$f"',
  'cp "$f" "$g"',
  'touch "$f"',
  'rm -rf "$f"; mkdir -p "$f"; echo "$r" > "$f/inside"',
  'printf "%s\\r\\n" "$r" > "$f"',
];

const step = fc.record({
  action: fc.constantFrom(...ACTIONS),
  f: fc.constantFrom(...NAMES),
  g: fc.constantFrom(...NAMES),
  r: fc.stringMatching(/^[a-z]{1,5}$/),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function script(steps: readonly Step[]): string {
  return steps.map(({ action, f, g, r }) =>
    `f=./"${f}"; g=./"${g}"; r=${r}; mkdir -p "$(dirname "$f")" "$(dirname "$g")"; ${action}`
  ).join("\n");
}

/** Failing steps are part of it: a folder may be where a file was. */
function sh(folder: GitFolder, steps: readonly Step[]): void {
  new Deno.Command("sh", {
    args: ["-c", `exec 2>/dev/null\n${script(steps)}\ntrue`],
    cwd: folder.root,
    env: folder.environment,
  }).outputSync();
}

/** Every file and link that is there, m31a's and git's own apart: mode and content by name. */
function everything(folder: GitFolder): Map<string, string> {
  const { stdout } = new Deno.Command("sh", {
    args: ["-c", LIST],
    cwd: folder.root,
    env: { ...folder.environment, LC_ALL: "C" },
  }).outputSync();
  const fields = new TextDecoder("latin1").decode(stdout).split("\0");
  const found = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = (fields[index] ?? "").slice(2);
    found.set(new TextDecoder().decode(latin1Bytes(name)), fields[index + 1] ?? "");
  }
  return found;
}

const LIST =
  `find . -path ./.git -prune -o -path ./sessions -prune -o \\( -type f -o -type l \\) -exec sh -c '
  for path; do
    if [ -L "$path" ]; then state="link $(readlink "$path")"
    else state="$([ -x "$path" ] && echo x) $(sha256sum < "$path")"; fi
    printf "%s\\\\0%s\\\\0" "$path" "$state"
  done' sh {} +`;

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

Deno.test("what commands changed comes back byte for byte or is named, and the user's own stays", async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, steps, steps, steps, async (committed, users, command, second) => {
      await withGitFolder(async (folder) => {
        folder.write(".gitignore", "*.ignored\n");
        sh(folder, committed);
        folder.run("add", "-A");
        folder.run("commit", "-qm", "all");
        sh(folder, users);
        const before = everything(folder);
        const place = { root: folder.root, environment: folder.environment, session: "s1" };
        const named = new Set<string>();
        for (const [index, work] of [command, second].entries()) {
          const watch = await TreeWatch.begin(sessionTree(place, KEEP_BYTES));
          sh(folder, work);
          const { tree, touched, unknown } = await watch.end();
          assert("id" in tree);
          const { files, unkept } = checkpointFiles({ touched, unknown: [...unknown] });
          for (const { path } of unkept) named.add(path);
          await createCheckpoint(folder.git, {
            session: "s1",
            number: index + 1,
            files,
            store: await sessionStore(place),
            message: "work",
            atMs: 0,
          });
        }
        const after = everything(folder);
        const { git } = await sessionStore(place);
        const preview = await previewRollback(git, "s1", 0);
        const files = preview.files.filter(({ path }) => !named.has(path));
        const conflicts = files.filter(({ verdict }) => verdict === "conflict");
        assert.deepEqual(conflicts, [], "nobody else has changed anything");
        await applyRollback(git, { ...preview, files });
        const undone = everything(folder);
        for (const path of new Set([...before.keys(), ...undone.keys(), ...after.keys()])) {
          const expected =
            named.has(path) || path.endsWith(".ignored") || path.includes(".ignored/")
              ? after
              : before;
          assert.equal(undone.get(path), expected.get(path), JSON.stringify(path));
        }
      });
    }),
    { numRuns: Number(Deno.env.get("M31A_PROPERTY_RUNS") ?? 7) },
  );
});
