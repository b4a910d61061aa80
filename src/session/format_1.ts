/**
 * Records of format 1, as version 0.1.0 wrote them, lifted to those of today.
 * Rule: pure, one record at a time, at the edge; what is lifted is checked like any other, and the file stays as it is.
 */

type Fields = { readonly [name: string]: unknown };

/** What stands for the tree of a check or a command that was recorded before there were such. */
const NO_TREE = { unknown: "recorded by a version that took no trees" };

/** Turns what a line of format 1 holds into what a line of today would hold; anything unknown stays as it is. */
export function liftRecord(value: unknown): unknown {
  if (!isFields(value)) return value;
  if (value.type === "tool_result") return liftResult(value);
  if (value.type === "check") {
    return {
      ...value,
      purpose: "attempt",
      tests: null,
      tree: NO_TREE,
      touched: [],
      unknown: [],
      restored: [],
    };
  }
  if (value.type === "checkpoint") return { ...value, unkept: [] };
  return value;
}

function liftResult({ facts, ...record }: Fields): unknown {
  if (!isFields(facts)) return facts === undefined ? record : { ...record, facts };
  const outcome = outcomeOf(facts);
  return {
    ...record,
    ...(facts.settled === true ? { settled: true } : {}),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** The facts of 0.1.0's own tools; there were no others. */
function outcomeOf(facts: Fields): unknown {
  const { patch, seen, command, plan, summary, gaveUp } = facts;
  if (patch !== undefined) return { kind: "change", patch, touched: touchedOf(facts), seen };
  if (command !== undefined) {
    const { exitCode, timedOut, durationMs, sandbox } = facts;
    const ended = { exitCode, timedOut, durationMs, sandbox };
    const tree = { tree: NO_TREE, touched: touchedOf(facts), unknown: [] };
    return { kind: "command", command, ...ended, ...tree };
  }
  if (seen !== undefined) return { kind: "read", seen };
  if (plan !== undefined) return { kind: "plan", plan };
  if (summary !== undefined) {
    return { kind: "task_finished", summary, ...(gaveUp === undefined ? {} : { gaveUp }) };
  }
  if (facts.cause === "edit_conflict") return { kind: "conflict" };
  return facts.endsTurn === true ? { kind: "plans_exhausted" } : undefined;
}

/** Of format 1's two tables by path, one list. */
function touchedOf({ before, after }: Fields): unknown[] {
  const states = isFields(before) ? before : {};
  const made = isFields(after) ? after : {};
  return Object.entries(made).map(([path, state]) => ({
    path,
    before: states[path] ?? null,
    after: state,
  }));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
