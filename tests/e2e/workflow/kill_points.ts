/**
 * Where a workflow is killed.
 * Rule: each point is an event that the process itself brings about, so that it is met in every run, at the same place.
 */
import { begin, type KilledProject, withKilledProject } from "./killed_project.ts";
import { type CallPoint, CALLS, countCalls, countsIn, killAtCall } from "./system_calls.ts";
import type { ProgramPoint } from "./counted_programs.ts";

/** A point. */
export type KillPoint =
  /** The model has been asked for this answer, from 0, and has not given it. */
  | { kind: "request"; answer: number }
  /** A program that m31a starts. */
  | ({ kind: "program"; command: string } & ProgramPoint)
  /** A system call of its own. */
  | ({ kind: "call" } & CallPoint);

/** A point in words. */
export function nameOf(point: KillPoint): string {
  switch (point.kind) {
    case "request":
      return `while the model is asked for answer ${point.answer + 1}`;
    case "program":
      return `${point.when} program ${point.number} (${point.command})`;
    case "call":
      return `at ${point.call} ${point.number}`;
  }
}

/** All points of the run that `parts` has come to the end of. */
export function allPoints({ model, programs }: KilledProject, calls?: string): KillPoint[] {
  const requests = model.server.requests.map((_, answer): KillPoint => ({
    kind: "request",
    answer,
  }));
  const started = programs.started.flatMap((line, index): KillPoint[] => {
    const at = { kind: "program", command: summaryOf(line), number: index + 1 } as const;
    return [{ ...at, when: "before" }, { ...at, when: "after" }];
  });
  const counts = calls === undefined ? { fdatasync: 0, rename: 0 } : countsIn(calls);
  const own = CALLS.flatMap((call) =>
    Array.from({ length: counts[call] }, (_, index): KillPoint => (
      { kind: "call", call, number: index + 1 }
    ))
  );
  return [...requests, ...started, ...own];
}

/** What a program does, in a word or two. */
function summaryOf(line: string): string {
  const [name = "", ...words] = line.split(/\s+/);
  if (name === "git") {
    return `git ${words.find((word) => /^[a-z]+(-[a-z]+)*$/.test(word)) ?? ""}`;
  }
  if (line.includes("bwrap")) return line.includes("check.sh") ? "a check" : "sandbox";
  return `sh ${words.slice(1, 3).join(" ")}`;
}

/** Runs the workflow to the point and gives what is left to `test`. */
export async function killedAt(
  point: KillPoint,
  test: (parts: KilledProject) => Promise<void>,
): Promise<void> {
  await withKilledProject(async (parts) => {
    const { code, stdout, stderr } = await runTo(point, parts);
    if (code !== 137) {
      throw new Error(`it was to be killed and ended with ${code}: ${stdout}${stderr}`);
    }
    await test(parts);
  });
}

async function runTo(point: KillPoint, parts: KilledProject): ReturnType<typeof begin> {
  if (point.kind === "program") return await begin(parts, point);
  if (point.kind === "call") return await begin(parts, undefined, killAtCall(point));
  const { model, programs } = parts;
  model.hold(point.answer);
  const run = begin(parts);
  await model.asked;
  Deno.kill(programs.victim, "SIGKILL");
  model.release({ isDropped: true });
  return await run;
}

/** Runs the workflow undisturbed, in a project of its own; with strace to note its system calls in `calls`. */
export async function undisturbed(
  calls: string | undefined,
  test: (parts: KilledProject) => Promise<void>,
): Promise<void> {
  await withKilledProject(async (parts) => {
    const tracer = calls === undefined ? [] : countCalls(calls);
    const { code, stdout, stderr } = await begin(parts, undefined, tracer);
    if (code !== 0) throw new Error(stdout + stderr);
    await test(parts);
  });
}
