/**
 * What others of a team did in a project, out of their ledger and kept for the digest.
 * Rule: an entry from a server is checked like a line of a file; what cannot be read is left out and counted.
 */
import { join } from "@std/path";
import { refuseSymlinks } from "../../platform/files.ts";
import { keepInCache } from "../cache_folder.ts";
import { decodeEntry, encodeEntry, type LedgerEntry } from "../entry.ts";
import type { TeamConnection } from "./connection.ts";
import { expectSchema } from "./schema.ts";

const CACHE_PATH = "planning/.cache/team.jsonl";

/** So many of the newest entries of a project are fetched. */
const MOST_PULLED = 2_000;

/** Fetches the newest entries of a project, oldest first, and keeps them. */
export async function pullEntries(
  root: string,
  connection: TeamConnection,
  project: string,
): Promise<{ entries: LedgerEntry[]; unreadable: number }> {
  await expectSchema(connection);
  const rows = await connection.rows(
    `select line from m31a.entries join m31a.lines using (id)
     where project = $1 order by ended desc limit $2`,
    [project, MOST_PULLED],
  );
  const decoded = rows.map(([line]) => decodeEntry(String(line))).reverse();
  const entries = decoded.flatMap((one) => "entry" in one ? [one.entry] : []);
  keepInCache(root, CACHE_PATH, entries.map((entry) => `${encodeEntry(entry)}\n`).join(""));
  return { entries, unreadable: decoded.length - entries.length };
}

/** The entries that were fetched last; none where none were. */
export function pulledEntries(root: string): LedgerEntry[] {
  try {
    refuseSymlinks(root, CACHE_PATH);
    const lines = Deno.readTextFileSync(join(root, CACHE_PATH)).split("\n");
    return lines.map(decodeEntry).flatMap((one) => "entry" in one ? [one.entry] : []);
  } catch {
    // Nothing was fetched yet.
    return [];
  }
}

/** Removes what a person did from the team's ledger; resolves to how many entries that were. */
export async function forgetAuthor(connection: TeamConnection, author: string): Promise<number> {
  await expectSchema(connection);
  for (const table of ["extensions", "lines"]) {
    await connection.change(
      `delete from m31a.${table} where id in (select id from m31a.entries where author = $1)`,
      [author],
    );
  }
  return await connection.change("delete from m31a.entries where author = $1", [author]);
}
