/** Two clones of one repository as two machines, one PostgreSQL: both ship, both ask, and get the same numbers. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { Project } from "../support/project.ts";
import { withTeamServer } from "../support/team_server.ts";
import { initSchema } from "../../src/ledger/team/schema.ts";
import { DEMONSTRATION, NumbersProject, withNumbers, work } from "./ship/numbers_project.ts";

Deno.test("two machines ship into one team's ledger, and both are told the same", () =>
  withTeamServer((server) =>
    withNumbers(async (one) => {
      await server.connect(initSchema);
      const clone = new Project(join(one.project.outside, "clone"), one.project.outside);
      await one.project.git("clone", "--quiet", one.project.root, clone.root);
      clone.use(one.project.variables);
      const two = new NumbersProject(clone, one.model);
      const shipped = async (numbers: NumbersProject, name: string, from: string, to: string) => {
        const env = {
          M31A_LEDGER_URL: server.url,
          GIT_AUTHOR_NAME: name,
          GIT_COMMITTER_NAME: name,
        };
        await numbers.project.git("config", "user.name", name);
        await numbers.project.git("config", "user.email", `${name}@example.org`);
        const words = [...work("numbers.txt", from, to), DEMONSTRATION];
        const { code, stdout, stderr } = await numbers.run(`Make ${from} a ${to}`, words, { env });
        assert.equal(code, 0, stdout + stderr);
        assert.doesNotMatch(stdout + stderr, /team's ledger/);
      };
      await shipped(one, "Ada", "1", "4");
      await shipped(two, "Ben", "2", "5");
      await shipped(two, "Ben", "3", "6");
      const entries = [...one.entries, ...two.entries];
      const told = [];
      for (const { project } of [one, two]) {
        const env = { M31A_LEDGER_URL: server.url };
        const pushed = await project.run(["ledger", "push"], { env });
        assert.match(pushed.stdout, /0 entries were owed/);
        const { stdout } = await project.run(["ledger", "stats", "--team", "--json"], { env });
        told.push(JSON.parse(stdout));
      }
      assert.deepEqual(told[0], told[1]);
      const { all, byAuthor } = told[0];
      const sum = (of: (entry: typeof entries[number]) => number) =>
        entries.reduce((total, entry) => total + of(entry), 0);
      assert.deepEqual(
        [all.attempts, all.shipped, all.requests, all.tokens, all.workingMs, all.files],
        [
          3,
          3,
          sum(({ usage }) => usage.requests),
          sum(({ usage }) => usage.input + usage.output),
          sum(({ workingMs }) => workingMs),
          3,
        ],
      );
      assert.deepEqual(
        byAuthor.map(({ attempts }: { attempts: number }) => attempts),
        [2, 1],
      );
    })
  ));

Deno.test("m31a run ships though the team's ledger is away, says so, and tells it later", () =>
  withTeamServer((server) =>
    withNumbers(async (numbers) => {
      const env = { M31A_LEDGER_URL: "postgres://ada@127.0.0.1:1/team" };
      const words = [...work("numbers.txt", "1", "4"), DEMONSTRATION];
      const { code, stdout, stderr } = await numbers.run("Make 1 a 4", words, { env });
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout + stderr, /The team's ledger was not told: .*m31a ledger push/);
      await server.connect(initSchema);
      const there = { env: { M31A_LEDGER_URL: server.url } };
      const pushed = await numbers.project.run(["ledger", "push"], there);
      assert.match(pushed.stdout, /1 entries were owed, 1 of them were new there/);
    })
  ));
