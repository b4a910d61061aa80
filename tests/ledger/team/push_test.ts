/** A team's ledger under faults: away, slow, cut off, with roles, told twice. */
import assert from "node:assert/strict";
import { TeamLedger, tellTeam } from "../../../src/agent/team_ledger.ts";
import { decodeEntry, encodeEntry } from "../../../src/ledger/entry.ts";
import { appendEntry } from "../../../src/ledger/ledger.ts";
import { parseTeamAddress } from "../../../src/ledger/team/address.ts";
import { TeamLedgerFailed } from "../../../src/ledger/team/connection.ts";
import { owedPart } from "../../../src/ledger/team/owed.ts";
import { forgetAuthor, pulledEntries, pullEntries } from "../../../src/ledger/team/pull.ts";
import { pushEntries, withoutWords } from "../../../src/ledger/team/push.ts";
import { initSchema, SCHEMA_VERSION } from "../../../src/ledger/team/schema.ts";
import { NO_SECRETS, type TeamServer, withTeamServer } from "../../support/team_server.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";
import { oldEntry, sampleEntry } from "../entries.ts";

const PATIENCE_MS = 60_000;

const session = (n: number) => `20261129-231205-${n.toString(16).padStart(4, "0")}`;
const entryNumber = (n: number) => sampleEntry({ session: session(n) });

async function countOf({ database }: TeamServer, table = "entries"): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select count(*)::int n from m31a.${table}`);
  return rows[0]?.n ?? -1;
}

const ledgerOf = (url: string) => new TeamLedger(parseTeamAddress(url), NO_SECRETS, true);

/** Hands bytes to a server and its answers back, until `isCut` says that an answer is lost. */
function proxyTo(url: string, isCut: (request: string) => boolean) {
  const { host, port } = parseTeamAddress(url);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  const serve = async () => {
    for await (const near of listener) {
      const far = await Deno.connect({ hostname: host, port });
      connections.push(near, far);
      let isLost = false;
      const pass = async (from: Deno.Conn, to: Deno.Conn, look: (bytes: Uint8Array) => boolean) => {
        const buffer = new Uint8Array(65_536);
        try {
          for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
            if (look(buffer.subarray(0, read))) await to.write(buffer.slice(0, read));
            else near.close();
          }
        } catch {
          // One side has gone.
        }
      };
      pass(near, far, (bytes) => {
        isLost ||= isCut(new TextDecoder().decode(bytes));
        return true;
      });
      pass(far, near, () => !isLost);
    }
  };
  const serving = serve();
  return {
    url: `postgres://postgres@127.0.0.1:${listener.addr.port}/postgres`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
      for (const connection of connections) {
        try {
          connection.close();
        } catch {
          // Closed already.
        }
      }
    },
  };
}

Deno.test("push() tells a server once of what it is owed, and of what is new after that", () =>
  withTemporaryFolder((root) =>
    withTeamServer(async (server) => {
      await server.connect(initSchema);
      const ledger = ledgerOf(server.url);
      for (const n of [1, 2]) await appendEntry(root, entryNumber(n));
      await appendEntry(root, oldEntry(entryNumber(3)));
      assert.deepEqual(await ledger.push(root, PATIENCE_MS), { sent: 3, added: 3, isMore: false });
      assert.deepEqual(await ledger.push(root, PATIENCE_MS), { sent: 0, added: 0, isMore: false });
      await appendEntry(root, entryNumber(4));
      assert.deepEqual(await ledger.push(root, PATIENCE_MS), { sent: 1, added: 1, isMore: false });
      assert.deepEqual([await countOf(server), await countOf(server, "extensions")], [4, 8]);
    })
  ));

Deno.test("push() of a ledger whose beginning has changed sends everything again, and doubles nothing", () =>
  withTemporaryFolder((root) =>
    withTeamServer(async (server) => {
      await server.connect(initSchema);
      const ledger = ledgerOf(server.url);
      await appendEntry(root, entryNumber(1));
      await ledger.push(root, PATIENCE_MS);
      const path = `${root}/planning/ledger.jsonl`;
      const merged = `${encodeEntry(entryNumber(2))}\n${Deno.readTextFileSync(path)}`;
      Deno.writeTextFileSync(path, merged);
      assert.deepEqual(await ledger.push(root, PATIENCE_MS), { sent: 2, added: 1, isMore: false });
      assert.equal(await countOf(server), 2);
    })
  ));

Deno.test("tellTeam() sends a part of what is owed and says that more is, push() the rest of it", () =>
  withTemporaryFolder((root) =>
    withTeamServer(async (server) => {
      await server.connect(initSchema);
      Deno.mkdirSync(`${root}/planning`);
      const lines = Array.from({ length: 1_203 }, (_, n) => `${encodeEntry(entryNumber(n))}\n`);
      Deno.writeTextFileSync(`${root}/planning/ledger.jsonl`, lines.join(""));
      const told = await tellTeam(root, { M31A_LEDGER_URL: server.url });
      assert.match(told ?? "", /^The team's ledger (is owed more|was not told).*m31a ledger push$/);
      const { added } = await ledgerOf(server.url).push(root, PATIENCE_MS);
      assert.deepEqual([added, await countOf(server)], [
        told?.includes("not told") ? 1_203 : 703,
        1_203,
      ]);
    })
  ));

Deno.test("push() to a server that is away fails, and what is owed goes along when it is back", () =>
  withTemporaryFolder(async (root) => {
    await appendEntry(root, entryNumber(1));
    await assert.rejects(
      ledgerOf("postgres://ada:secret@127.0.0.1:1/team").push(root, PATIENCE_MS),
      (error) => error instanceof TeamLedgerFailed && !error.message.includes("secret"),
    );
    await withTeamServer(async (server) => {
      await server.connect(initSchema);
      assert.equal(owedPart(root, server.address.shown).entries.length, 1);
      assert.equal((await ledgerOf(server.url).push(root, PATIENCE_MS)).added, 1);
    });
  }));

Deno.test("push() whose answer is lost after the insert sends again, and doubles nothing", () =>
  withTemporaryFolder((root) =>
    withTeamServer(async (server) => {
      await server.connect(initSchema);
      await appendEntry(root, entryNumber(1));
      {
        await using proxy = proxyTo(server.url, (request) => request.includes("insert into"));
        await assert.rejects(ledgerOf(proxy.url).push(root, PATIENCE_MS), TeamLedgerFailed);
      }
      const { sent } = await ledgerOf(server.url).push(root, PATIENCE_MS);
      assert.deepEqual([sent, await countOf(server)], [1, 1]);
    })
  ));

Deno.test("tellTeam() gives a server that never answers up after a moment, and says what to do", () =>
  withTemporaryFolder(async (root) => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepted = listener.accept();
    try {
      await appendEntry(root, entryNumber(1));
      const url = `postgres://ada@127.0.0.1:${listener.addr.port}/team`;
      const told = await tellTeam(root, { M31A_LEDGER_URL: url });
      assert.match(told ?? "", /no answer within 1\.5 s.*m31a ledger push/);
    } finally {
      (await accepted).close();
      listener.close();
    }
  }));

Deno.test("initSchema() makes a role that may only insert and one that may only read", () =>
  withTeamServer(({ connect }) =>
    connect(async (connection) => {
      const { rolesMissing } = await initSchema(connection);
      assert.equal(rolesMissing, undefined);
      await connection.change("set role m31a_writer");
      assert.equal(await pushEntries(connection, [entryNumber(1)], true), 1);
      assert.equal(await pushEntries(connection, [entryNumber(1)], true), 0);
      await assert.rejects(connection.rows("select * from m31a.entries"), /permission denied/);
      await assert.rejects(connection.change("delete from m31a.entries"), /permission denied/);
      await connection.change("reset role");
      await connection.change("set role m31a_reader");
      assert.equal((await connection.rows("select 1 from m31a.entries")).length, 1);
      await assert.rejects(pushEntries(connection, [entryNumber(2)], true), /permission denied/);
    })
  ));

Deno.test("initSchema() changes nothing the second time, and refuses tables of a newer m31a", () =>
  withTeamServer(({ connect }) =>
    connect(async (connection) => {
      assert.equal((await initSchema(connection)).before, 0);
      await pushEntries(connection, [entryNumber(1)], true);
      assert.equal((await initSchema(connection)).before, SCHEMA_VERSION);
      assert.equal((await connection.rows("select 1 from m31a.entries")).length, 1);
      await connection.change("update m31a.version set version = 99");
      await assert.rejects(initSchema(connection), /version 99.*Update m31a/);
      await assert.rejects(pushEntries(connection, [entryNumber(1)], true), /Update m31a/);
    })
  ));

Deno.test("pushEntries() into a database without the tables says how they are made", () =>
  withTeamServer(async ({ connect }) => {
    await assert.rejects(
      connect((connection) => pushEntries(connection, [entryNumber(1)], true)),
      /m31a ledger init/,
    );
  }));

Deno.test("pushEntries() without words sends no goal and no detail of a failure", () =>
  withTeamServer(({ connect }) =>
    connect(async (connection) => {
      await initSchema(connection);
      await pushEntries(connection, [sampleEntry({ goal: "a secret" })], false);
      const [row] = await connection.rows("select line from m31a.lines");
      const decoded = decodeEntry(String(row?.[0]));
      assert.ok("entry" in decoded);
      assert.deepEqual(decoded.entry, withoutWords(sampleEntry()));
      assert.doesNotMatch(String(row?.[0]), /secret|expected/);
    })
  ));

Deno.test("pullEntries() keeps what the team did in a project, and forgetAuthor() deletes a person's", () =>
  withTemporaryFolder((root) =>
    withTeamServer(({ connect }) =>
      connect(async (connection) => {
        await initSchema(connection);
        const other = { name: "site", type: "deno", framework: null };
        const entries = [
          entryNumber(1),
          sampleEntry({ session: session(2), author: "ada" }),
          sampleEntry({ session: session(3), project: other }),
        ];
        await pushEntries(connection, entries, true);
        const { entries: pulled } = await pullEntries(root, connection, "shop");
        assert.deepEqual(pulled.map((one) => one.session).sort(), [session(1), session(2)]);
        assert.deepEqual(pulledEntries(root), pulled);
        assert.equal(await forgetAuthor(connection, "ada"), 1);
        assert.equal((await connection.rows("select 1 from m31a.extensions")).length, 4);
        assert.equal((await connection.rows("select 1 from m31a.lines")).length, 2);
      })
    )
  ));

Deno.test("pushEntries() adds entries in the order of their ids, so that two machines cannot block each other", async () => {
  const sent: string[][] = [];
  const entries = [entryNumber(3), entryNumber(1), oldEntry(entryNumber(2)), entryNumber(4)];
  await pushEntries(
    {
      rows: () => Promise.resolve([[SCHEMA_VERSION]]),
      change: (_, values = []) => {
        const ids = values.map((list): string[] =>
          JSON.parse(String(list)).map(({ id }: { id: string }) => id)
        );
        sent.push(...ids);
        return Promise.resolve(0);
      },
    },
    entries,
    true,
  );
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent[0]).size, 4);
  for (const ids of sent) assert.deepEqual(ids, ids.toSorted());
});
