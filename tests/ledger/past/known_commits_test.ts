/** The kept commits: extended, built again, doubted, and read in several goes. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import type { PastCommit } from "../../../src/ledger/past/commits.ts";
import {
  type CommitRequest,
  type CommitSource,
  HISTORY_BOUNDS,
  type KnownCommits,
  knownCommits,
} from "../../../src/ledger/past/known_commits.ts";
import { withTemporaryFolder } from "../../support/temporary.ts";

/** A history that is a line; what is asked of it is written down. */
class Line implements CommitSource {
  readonly requests: CommitRequest[] = [];
  /** How many commits are handed out before the time is over. */
  patience = Infinity;
  commits: PastCommit[] = [];

  constructor(count: number) {
    this.grow(count);
  }

  grow(count: number, more: Partial<PastCommit> = {}): void {
    for (let added = 0; added < count; added++) {
      const number = this.commits.length;
      this.commits.push({
        id: number.toString(16).padStart(40, "0"),
        seconds: number,
        subject: `Work ${number}`,
        files: [`src/${number % 10}.ts`],
        renames: [],
        ...more,
      });
    }
  }

  head(): Promise<string | undefined> {
    return Promise.resolve(this.commits.at(-1)?.id);
  }

  read(request: CommitRequest, take: (commit: PastCommit) => void) {
    this.requests.push(request);
    const place = (id: string) => this.commits.findIndex((commit) => commit.id === id);
    const places = request.known.map(place);
    if (places.includes(-1)) return Promise.reject(new Error("bad object"));
    const oldest = Math.max(-1, ...places) + 1;
    const wanted = this.commits.slice(oldest, place(request.head) + 1).reverse()
      .slice(request.skip, request.skip + request.limit);
    const given = wanted.slice(0, this.patience);
    given.forEach(take);
    return Promise.resolve({ read: given.length, isComplete: given.length === wanted.length });
  }
}

/** Subjects of all known commits, oldest first. */
function subjects({ segments, note }: KnownCommits): string[] {
  return segments.flatMap((index, segment) =>
    Array.from({ length: index.size }, (_, work) => note(segment, work).subject)
  );
}

const expected = (line: Line) => line.commits.map(({ subject }) => subject);

Deno.test("knownCommits() reads a history once, then only what is new", () =>
  withTemporaryFolder(async (root) => {
    const line = new Line(30);
    assert.deepEqual(subjects(await knownCommits(root, line)), expected(line));
    assert.deepEqual(subjects(await knownCommits(root, line)), expected(line));
    assert.equal(line.requests.length, 1);
    line.grow(2);
    assert.deepEqual(subjects(await knownCommits(root, line)), expected(line));
    assert.deepEqual(line.requests[1]?.known.length, 2);
    assert.equal(Deno.readTextFileSync(join(root, "planning/.cache/.gitignore")), "*\n");
  }));

Deno.test("knownCommits() builds its index again after enough new commits, and knows the same", () =>
  withTemporaryFolder(async (root) => {
    const bounds = { ...HISTORY_BOUNDS, beside: 5 };
    const line = new Line(10);
    for (let turn = 0; turn < 8; turn++) {
      line.grow(2, turn === 4 ? { renames: [{ from: "src/3.ts", to: "src/three.ts" }] } : {});
      const known = await knownCommits(root, line, bounds);
      assert.deepEqual(subjects(known), expected(line));
      assert.ok((known.segments[1]?.size ?? 0) <= 5);
    }
    const [index] = (await knownCommits(root, line, bounds)).segments;
    assert.ok((index?.fileNumber("src/three.ts") ?? -1) >= 0);
    assert.equal(line.requests.filter(({ known }) => known.length === 0).length, 1);
  }));

Deno.test("knownCommits() goes on at the next call where its time was over, and says so", () =>
  withTemporaryFolder(async (root) => {
    const line = new Line(25);
    line.patience = 10;
    const first = await knownCommits(root, line);
    assert.deepEqual([first.count, first.leftOut], [10, "time"]);
    assert.deepEqual(subjects(first), expected(line).slice(-10));
    assert.equal((await knownCommits(root, line)).count, 20);
    const last = await knownCommits(root, line);
    assert.deepEqual([subjects(last), last.leftOut], [expected(line), undefined]);
  }));

Deno.test("knownCommits() looks at the newest commits up to its bound, and says so", () =>
  withTemporaryFolder(async (root) => {
    const line = new Line(25);
    const known = await knownCommits(root, line, { ...HISTORY_BOUNDS, commits: 20 });
    assert.deepEqual([known.count, known.leftOut], [20, "number"]);
    assert.deepEqual(subjects(known), expected(line).slice(-20));
  }));

Deno.test("knownCommits() reads anew when what is kept is damaged, or the repository is another", () =>
  withTemporaryFolder(async (root) => {
    const line = new Line(12);
    await knownCommits(root, line);
    for (const name of ["commits", "commits.json"]) {
      const path = join(root, "planning/.cache", name);
      const bytes = Deno.readFileSync(path);
      for (const cut of [0, 1, Math.floor(bytes.length / 2), bytes.length - 1]) {
        Deno.writeFileSync(path, bytes.subarray(0, cut));
        assert.deepEqual(subjects(await knownCommits(root, line)), expected(line));
      }
    }
    const flipped = Deno.readFileSync(join(root, "planning/.cache/commits"));
    flipped[flipped.length - 9] = (flipped[flipped.length - 9] ?? 0) ^ 1;
    Deno.writeFileSync(join(root, "planning/.cache/commits"), flipped);
    assert.deepEqual(subjects(await knownCommits(root, line)), expected(line));
    const other = new Line(0);
    other.grow(3, { id: "f".repeat(40), subject: "Elsewhere" });
    assert.deepEqual(subjects(await knownCommits(root, other)).at(-1), "Elsewhere");
  }));

Deno.test("knownCommits() tells a kept commit that a new one reverts", () =>
  withTemporaryFolder(async (root) => {
    const line = new Line(3);
    await knownCommits(root, line);
    line.grow(1, { subject: 'Revert "Work 1"' });
    for (const bounds of [HISTORY_BOUNDS, { ...HISTORY_BOUNDS, beside: 0 }]) {
      const known = await knownCommits(root, line, bounds);
      assert.deepEqual([0, 1, 2].map((work) => known.note(0, work).isReverted), [
        false,
        true,
        false,
      ]);
    }
  }));
