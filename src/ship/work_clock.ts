/**
 * How long a session worked, by phase.
 * Rule: working time is what requests, commands and checks took, as the log has it; waiting for the user is in none of them.
 */
import type { Phase } from "../ledger/names.ts";
import type { SessionRecord } from "../session/records.ts";

/** Follows a log. */
export class WorkClock {
  #phase: Phase = "chat";
  #msByPhase = new Map<Phase, number>();

  /** The phase that goes on now; `chat` outside of all. */
  get phase(): Phase {
    return this.#phase;
  }

  /** Milliseconds by phase, whole numbers. */
  get msByPhase(): ReadonlyMap<Phase, number> {
    return new Map([...this.#msByPhase].map(([phase, ms]) => [phase, Math.round(ms)]));
  }

  /** Milliseconds, all phases together. */
  get workingMs(): number {
    return [...this.msByPhase.values()].reduce((sum, ms) => sum + ms, 0);
  }

  /** Begins to count anew, in the phase that goes on. */
  reset(): void {
    this.#msByPhase = new Map();
  }

  apply(record: SessionRecord): void {
    if (record.type === "phase") {
      this.#phase = record.status === "entered" ? record.phase : "chat";
    }
    if (record.type === "usage") this.#add(phaseOf(record, this.#phase), record.durationMs);
    if (record.type === "check") this.#add(this.#phase, record.durationMs);
    if (record.type !== "tool_result") return;
    if (record.outcome?.kind === "command") this.#add(this.#phase, record.outcome.durationMs);
  }

  #add(phase: Phase, ms: number): void {
    this.#msByPhase.set(phase, (this.#msByPhase.get(phase) ?? 0) + ms);
  }
}

/** The phase that a request is counted in. */
export function phaseOf(
  { purpose }: Extract<SessionRecord, { type: "usage" }>,
  phase: Phase,
): Phase {
  return purpose === "demonstration" ? "ship" : phase;
}
