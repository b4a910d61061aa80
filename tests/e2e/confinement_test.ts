/** What the process itself writes: seen from outside, by the system calls that it makes. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { fileChanges, traceCommand } from "../support/file_trace.ts";
import { hasStrace, testWhere } from "../support/machine.ts";
import { withProject } from "../support/project.ts";
import { ModelServer, type Reply, strictly } from "../support/servers/mod.ts";
import { openAi } from "./protocols.ts";

const ANSWERS: Reply[] = [
  {
    calls: [
      { tool: "list_files", input: {} },
      { tool: "search_files", input: { pattern: "Hello" } },
      { tool: "read_file", input: { path: "src/greet.ts" } },
      { tool: "write_file", input: { path: "made/by_git.txt", content: "by git\n" } },
      { tool: "run_command", input: { command: "echo by sh > by_sh.txt" } },
      { tool: "git_diff", input: {} },
    ],
  },
  { text: "Done." },
  { text: "The summary." },
  { text: "After the summary." },
];

testWhere(
  hasStrace,
  "needs strace",
  "chat with tools opens nothing for writing outside planning/ and sessions/",
  async () => {
    await using server = ModelServer.start(strictly(ANSWERS));
    await withProject(async (project) => {
      project.use({ ...openAi(server), M31A_APPROVAL: "all" });
      await project.git("add", "--all");
      await project.git("commit", "--quiet", "--message=all");
      const output = join(project.outside, "trace");
      const { code, stdout, stderr } = await project.run(["chat"], {
        input: `go ${"x".repeat(2_000)}\n/compact\non\n`,
        under: traceCommand(output),
      });
      assert.equal(code, 0, stderr);
      assert.equal(stdout, "Done.\nAfter the summary.\n");
      assert.equal(Deno.readTextFileSync(join(project.root, "by_sh.txt")), "by sh\n");

      const changes = fileChanges(Deno.readTextFileSync(output));
      const isInside = (path: string) =>
        ["planning", "sessions"].some((folder) => {
          const allowed = join(project.root, folder);
          return path === allowed || path.startsWith(`${allowed}/`);
        }) || path === "/dev/null";
      const own = changes.filter(({ isOwn }) => isOwn);
      const outside = own.filter(({ paths }) => !paths.every(isInside));
      assert.deepEqual(outside.map(({ line }) => line), []);
      // What shows that the record was read rightly: its own writes are in it, and those of git and sh are not its own.
      assert.ok(own.some(({ paths }) => paths.some((path) => path.endsWith("/1.jsonl"))));
      for (const name of ["by_git.txt", "by_sh.txt"]) {
        const [written] = changes.filter(({ paths }) => paths.some((path) => path.endsWith(name)));
        assert.equal(written?.isOwn, false, name);
      }
    });
  },
);
