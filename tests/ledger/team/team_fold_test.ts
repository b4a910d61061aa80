/** What SQL says of a team's entries is what the fold over files says. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { LedgerEntry } from "../../../src/ledger/entry.ts";
import { EntryView, viewEntry } from "../../../src/ledger/entry_view.ts";
import { type EntryFilter, LedgerFold } from "../../../src/ledger/ledger_fold.ts";
import { type LedgerStats, statsOf } from "../../../src/ledger/stats.ts";
import { pushEntries } from "../../../src/ledger/team/push.ts";
import { initSchema } from "../../../src/ledger/team/schema.ts";
import { TEAM_PARTS } from "../../../src/ledger/team/parts.ts";
import { foldTeam } from "../../../src/ledger/team/team_fold.ts";
import { withTeamServer } from "../../support/team_server.ts";
import { arbitraryEntry } from "../entries.ts";

/** What counts with a fold as with a server: an entry whose text has no NUL, which PostgreSQL takes nowhere. */
const entry = arbitraryEntry.filter((one) => !JSON.stringify(one).includes("\\u0000"));

const some = fc.array(entry, { minLength: 10, maxLength: 40 });

function statsOfEntries(entries: readonly LedgerEntry[], filter: EntryFilter): LedgerStats {
  const fold = new LedgerFold(filter);
  const view = new EntryView();
  for (const one of entries) {
    viewEntry(one, fold.names, view);
    fold.add(view);
  }
  return statsOf(fold);
}

/** Costs are sums of doubles there and of whole nanodollars here. */
function rounded(stats: LedgerStats): unknown {
  return JSON.parse(
    JSON.stringify(stats, (key, value) => key === "cost" ? Number(value.toFixed(5)) : value),
  );
}

Deno.test("foldTeam() says what the fold over the same entries says, with any filter", () =>
  withTeamServer(({ connect }) =>
    connect(async (connection) => {
      await initSchema(connection);
      const filters: EntryFilter[] = [
        {},
        { sinceDay: 20_200, untilDay: 20_600 },
        { model: "ollama:qwen3" },
        { outcome: "shipped" },
      ];
      await fc.assert(
        fc.asyncProperty(some, fc.constantFrom(...filters), async (entries, filter) => {
          await connection.change("truncate m31a.entries, m31a.extensions, m31a.lines");
          await pushEntries(connection, entries, true);
          const team = statsOf(await foldTeam(connection, filter, new Set(TEAM_PARTS)));
          assert.deepEqual(rounded(team), rounded(statsOfEntries(entries, filter)));
        }),
        { numRuns: 12 },
      );
    })
  ));
