/**
 * The steps of a ship as the log has them: their names, in order, and what each one leaves for those after it.
 * Rule: a step is recorded when what it did is durable; what was recorded is not done again.
 */
import { z } from "zod";
import { entrySchema, type LedgerEntry } from "../ledger/entry.ts";
import { objectId } from "../session/patterns.ts";
import type { SessionRecord } from "../session/records.ts";
import { changesFiles } from "./touched_files.ts";

const count = z.int().nonnegative();

/** Before anything is committed: the commit that is to be the new one's parent, null for none. */
const begunFacts = z.object({ base: objectId.nullable(), overrides: z.array(z.string()) });

/** The commit that was made. */
const commitFacts = z.object({
  commit: objectId,
  base: objectId.nullable(),
  paths: z.array(z.string()),
  addedByHook: z.array(z.string()),
  warning: z.string().nullable(),
  /** The tree on which the checks passed, which is the commit's; null, and why there is none. */
  proof: z.object({ tree: objectId.nullable(), why: z.string() })
    .default({ tree: null, why: "made by a version that did not prove commits" }),
});
export type CommitFacts = z.infer<typeof commitFacts>;

/** What a diff comes to. */
const metricsFacts = z.object({
  added: count,
  modified: count,
  deleted: count,
  renamed: count,
  binary: count,
  insertions: count,
  deletions: count,
  extensions: z.record(z.string(), count),
  /** The first changed paths, sorted. */
  files: z.array(z.string()),
  workingMs: count,
  wallMs: count,
});
export type MetricsFacts = z.infer<typeof metricsFacts>;

/** The text of DEMONSTRATION.md, and `model` or `facts` for where it comes from. */
const demonstrationFacts = z.object({
  text: z.string(),
  source: z.enum(["model", "facts"]),
  /** Why there is no text of the model's; empty when there is one. */
  reason: z.string(),
});
export type DemonstrationFacts = z.infer<typeof demonstrationFacts>;

/** A ledger entry on its way: it is decided, and then brought to the ledger and to the memory. */
export interface EntryOnItsWay {
  entry: LedgerEntry;
  isInLedger: boolean;
  isInMemory: boolean;
}

/** Follows the steps of a log. What a fork has copied of its parent's is not to be given. */
export class RecordedSteps {
  /** Since the session began or was last shipped. */
  base: string | null | undefined;
  overrides: readonly string[] = [];
  commit: CommitFacts | undefined;
  metrics: MetricsFacts | undefined;
  demonstration: DemonstrationFacts | undefined;
  isArchived = false;
  /** All steps are done and nothing was begun since. */
  isShipped = false;
  /** The entry of the attempt that is being ended, or was last. */
  entry: EntryOnItsWay | undefined;
  /** How many entries the session has. */
  attempts = 0;
  /** The commit that was shipped last. */
  lastCommit: string | undefined;

  /** The entry that is decided and not everywhere yet. */
  get unsettledEntry(): EntryOnItsWay | undefined {
    return this.entry?.isInMemory === false ? this.entry : undefined;
  }

  apply(record: SessionRecord): void {
    const isNewWork = record.type === "goal" || changesFiles(record);
    if (isNewWork && this.isShipped) this.#beginAnew();
    if (record.type === "shipped") this.#take(record.step, record.facts);
  }

  #take(step: string, facts: unknown): void {
    switch (step) {
      case "begun":
        ({ base: this.base, overrides: this.overrides } = begunFacts.parse(facts));
        break;
      case "commit":
        this.commit = commitFacts.parse(facts);
        this.lastCommit = this.commit.commit;
        break;
      case "metrics":
        this.metrics = metricsFacts.parse(facts);
        break;
      case "demonstration":
        this.demonstration = demonstrationFacts.parse(facts);
        break;
      case "entry":
        this.entry = { entry: entrySchema.parse(facts), isInLedger: false, isInMemory: false };
        this.attempts += 1;
        break;
      case "ledger":
        if (this.entry !== undefined) this.entry.isInLedger = true;
        break;
      case "memory":
        if (this.entry !== undefined) this.entry.isInMemory = true;
        break;
      case "archive":
        this.isArchived = true;
        break;
      case "done":
        this.isShipped = true;
        break;
      case "undone":
        this.#beginAnew();
        break;
    }
  }

  #beginAnew(): void {
    this.base = undefined;
    this.overrides = [];
    this.commit = undefined;
    this.metrics = undefined;
    this.demonstration = undefined;
    this.isArchived = false;
    this.isShipped = false;
  }
}
