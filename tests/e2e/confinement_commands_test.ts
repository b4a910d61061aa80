/** What each command writes, itself and by what it starts: seen from outside, by the system calls. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { fileChanges, traceCommand } from "../support/file_trace.ts";
import { hasStrace, testWhere } from "../support/machine.ts";
import { DEMONSTRATION, withNumbers, work } from "./ship/numbers_project.ts";

/**
 * Every command but those of a team's ledger, which need a server, in an order in which each has something to do;
 * `ID` is the session. With the exit code where it is not 0.
 */
const COMMANDS: readonly (readonly [args: string, code?: number])[] = [
  ["init"],
  ["doctor --offline"],
  ["config"],
  ["config --trust"],
  ["completions bash"],
  ["complete -- session sh"],
  ["status"],
  ["session list"],
  ["session show ID"],
  ["session search number"],
  ["session verify"],
  ["session export ID"],
  ["session fork ID"],
  ["session repair ID", 2],
  ["session salvage ID", 2],
  ["undo --ship --yes"],
  ["ship ID --dry-run"],
  ["undo --yes --session ID"],
  ["rollback 1 --yes --session ID"],
  ["rewind 1 --yes --session ID"],
  ["session close ID"],
  ["ledger stats"],
  ["ledger list"],
  ["ledger verify"],
  ["ledger report"],
  ["ledger import planning/ledger.jsonl"],
  ["memory show --goal numbers"],
  ["mcp"],
  ["session rm ID --yes"],
];

testWhere(
  hasStrace,
  "needs strace",
  "no command writes outside of planning/ and sessions/ itself, and what it starts keeps to the project and TMPDIR",
  () =>
    withNumbers(async (numbers) => {
      const { project } = numbers;
      const { root, outside } = project;
      const trace = join(outside, "trace");
      const scratch = join(outside, "scratch");
      Deno.mkdirSync(scratch);
      project.use({ TMPDIR: scratch });
      const isIn = (...folders: string[]) => (path: string) =>
        folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
      const isOwnPlace = isIn(join(root, "planning"), join(root, "sessions"), "/dev/null");
      // git changes the tree and its own folder, commands what they may; bubblewrap builds their root in a new `/tmp`.
      const inSandbox = ["/dev", "/proc", "/newroot", "/oldroot", "/run/m31a-caches"];
      const isPlace = isIn(root, scratch, ...inSandbox);
      let own = 0;
      const judge = (command: string) => {
        const changes = fileChanges(Deno.readTextFileSync(trace));
        const bad = changes.filter(({ isOwn, paths }) =>
          isOwn
            ? !paths.every(isOwnPlace)
            : !paths.every((path) => /^(?!\/)|^\/(?:tmp|run)$/.test(path) || isPlace(path))
        );
        assert.equal(bad.length, 0, [command, ...bad.map(({ line }) => line)].join("\n"));
        own += changes.filter(({ isOwn }) => isOwn).length;
      };
      const words = [...work("numbers.txt", "2", "5"), DEMONSTRATION];
      const ended = await numbers.run("Make it 5", words, { under: traceCommand(trace) });
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      judge("run");
      const id = project.sessionId;
      for (const [command, expected = 0] of COMMANDS) {
        const args = command.split(" ").map((word) => word === "ID" ? id : word);
        const { code, stderr } = await project.run(args, { under: traceCommand(trace) });
        assert.equal(code, expected, `${command}: ${stderr}`);
        judge(command);
      }
      assert.ok(own > 100, `m31a's own writes are in the record: ${own}`);
    }),
);
