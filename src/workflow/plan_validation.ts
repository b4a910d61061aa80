/**
 * What makes a plan one that can be carried out, and the order in which its tasks are.
 * Rule: pure; each problem is a sentence that whoever wrote the plan can act on.
 */
import { isTaskId, TASK_ID_SHAPE } from "../planning/task_id.ts";

/** The parts of a task that decide whether it can be carried out. */
export interface OrderedTask {
  id: string;
  dependsOn: readonly string[];
}

/** A plan as it was submitted. */
export interface SubmittedPlan {
  summary: string;
  tasks: readonly (OrderedTask & {
    title: string;
    detail: string;
    files: readonly string[];
    acceptance: string;
  })[];
  risks: readonly string[];
  verification: readonly string[];
  leavesFailing: readonly string[];
}

/** How much a plan may hold: counts, and lengths in UTF-16 code units. */
export const PLAN_LIMITS = {
  tasks: 50,
  filesOfTask: 100,
  risks: 50,
  verification: 50,
  leavesFailing: 50,
  pathLength: 300,
  titleLength: 200,
  lineLength: 2_000,
  textLength: 20_000,
} as const;

/** The problems of a plan, in the order of the plan; none when it can be carried out. */
export function validatePlan(plan: SubmittedPlan): string[] {
  const problems: string[] = [];
  const { tasks } = plan;
  const ids = new Set(tasks.map((task) => task.id));
  problems.push(...textProblems("the summary", plan.summary, PLAN_LIMITS.textLength, true));
  if (tasks.length === 0) problems.push("there is no task; give at least one");
  problems.push(...countProblems("the plan", "tasks", tasks.length, PLAN_LIMITS.tasks));
  problems.push(...idProblems(tasks));
  for (const task of tasks) problems.push(...taskProblems(task, ids));
  const hasOnlyKnown = tasks.every((task) => task.dependsOn.every((id) => ids.has(id)));
  const isGraph = hasOnlyKnown && ids.size === tasks.length && ids.size <= PLAN_LIMITS.tasks;
  const cycle = isGraph ? findCycle(tasks) : undefined;
  if (cycle !== undefined) {
    problems.push(`the dependencies go in a circle: ${cycle.join(" → ")}; take one of them out`);
  }
  problems.push(...lineProblems("risk", plan.risks, PLAN_LIMITS.risks));
  problems.push(...lineProblems("verification step", plan.verification, PLAN_LIMITS.verification));
  problems.push(
    ...lineProblems("check that is left failing", plan.leavesFailing, PLAN_LIMITS.leavesFailing),
  );
  return problems;
}

function taskProblems(
  task: SubmittedPlan["tasks"][number],
  ids: ReadonlySet<string>,
): string[] {
  const name = `task ${task.id}`;
  const { titleLength, textLength, lineLength, filesOfTask } = PLAN_LIMITS;
  return [
    ...textProblems(`the title of ${name}`, task.title, titleLength, true),
    ...(task.title.includes("\n") ? [`the title of ${name} is more than one line`] : []),
    ...textProblems(`the detail of ${name}`, task.detail, textLength),
    ...textProblems(`the acceptance of ${name}`, task.acceptance, lineLength),
    ...dependencyProblems(task, ids),
    ...countProblems(name, "files", task.files.length, filesOfTask),
    ...task.files.flatMap((path) => {
      const problem = pathProblem(path);
      return problem === undefined ? [] : [`${name}: file ${JSON.stringify(path)} ${problem}`];
    }),
  ];
}

function textProblems(what: string, text: string, limit: number, isRequired = false): string[] {
  if (isRequired && text.trim() === "") return [`${what} is empty`];
  if (!text.isWellFormed()) return [`${what} is not well-formed Unicode`];
  if (text.length > limit) return [`${what} has ${text.length} characters; ${limit} is the most`];
  return [];
}

function countProblems(whose: string, what: string, count: number, limit: number): string[] {
  return count > limit ? [`${whose} has ${count} ${what}; ${limit} is the most`] : [];
}

function lineProblems(what: string, lines: readonly string[], limit: number): string[] {
  return [
    ...countProblems("the plan", `${what}s`, lines.length, limit),
    ...lines.flatMap((line, at) =>
      textProblems(`${what} ${at + 1}`, line, PLAN_LIMITS.lineLength, true)
    ),
  ];
}

function idProblems(tasks: readonly OrderedTask[]): string[] {
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const { id } of tasks) {
    if (!isTaskId(id)) problems.push(`task ID ${JSON.stringify(id)} is not ${TASK_ID_SHAPE}`);
    if (seen.has(id)) problems.push(`task ID ${id} is used twice; give each task its own`);
    seen.add(id);
  }
  return problems;
}

function dependencyProblems(task: OrderedTask, ids: ReadonlySet<string>): string[] {
  const seen = new Set<string>();
  return task.dependsOn.flatMap((id) => {
    if (seen.has(id)) return [`task ${task.id} names its dependency ${id} twice`];
    seen.add(id);
    if (ids.has(id)) return [];
    return [`task ${task.id} depends on ${JSON.stringify(id)}, which is not a task of this plan`];
  });
}

/** Folders that the workflow writes itself; no task may. */
const OWN_FOLDERS = ["planning", "sessions"];

/**
 * Why `path` cannot be a file of a task; `undefined` when it can. Paths are relative to the project's
 * root, with `/` between their parts; a folder may end in `/`.
 *
 * @example
 * ```ts
 * import { pathProblem } from "./plan_validation.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(pathProblem("src/main.ts"), undefined);
 * assert.equal(pathProblem("../main.ts"), "leads out of the project");
 * ```
 */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "is empty";
  if (path.length > PLAN_LIMITS.pathLength) return "is too long";
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (!path.isWellFormed() || /[\0-\x1f\x7f]/.test(path)) return "holds control characters";
  if (path.includes("\\")) return 'has "\\" in it; write "/" between folders';
  if (/^(?:\/|~|[A-Za-z]:)/.test(path)) return "is not relative to the project's root";
  const parts = (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
  if (parts.includes("..")) return "leads out of the project";
  if (parts.includes(".") || parts.includes("")) return 'has a "." or an empty part; leave it out';
  // File systems that ignore case, trailing dots or blanks would take these for the same folder.
  const plain = parts.map((part) => part.toLowerCase().replace(/[. ]+$/, ""));
  if (plain.includes(".git") || plain.includes("git~1")) return "is inside .git";
  if (OWN_FOLDERS.includes(plain[0] ?? "")) return `is inside ${plain[0]}/, which is m31a's own`;
  return undefined;
}

/** A circle among the tasks' dependencies, its first ID repeated at the end; `undefined` when there is none. */
export function findCycle(tasks: readonly OrderedTask[]): string[] | undefined {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const finished = new Set<string>();
  for (const start of byId.keys()) {
    const cycle = search(start, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;

  function search(id: string, path: readonly string[]): string[] | undefined {
    const at = path.indexOf(id);
    if (at !== -1) return [...path.slice(at), id];
    if (finished.has(id)) return undefined;
    for (const next of byId.get(id)?.dependsOn ?? []) {
      const cycle = search(next, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(id);
    return undefined;
  }
}

/**
 * The tasks in an order in which each comes after those it depends on; otherwise as they were given.
 * Kahn's algorithm (1962), taking the earliest of the tasks that are ready.
 *
 * @throws {Error} when the tasks have not passed {@linkcode validatePlan}
 *
 * @example
 * ```ts
 * import { executionOrder } from "./plan_validation.ts";
 * import assert from "node:assert/strict";
 *
 * const tasks = [{ id: "1", dependsOn: ["2"] }, { id: "2", dependsOn: [] }, { id: "3", dependsOn: [] }];
 * assert.deepEqual(executionOrder(tasks).map((task) => task.id), ["2", "1", "3"]);
 * ```
 */
export function executionOrder<Task extends OrderedTask>(tasks: readonly Task[]): Task[] {
  const waiting = [...tasks];
  const done = new Set<string>();
  const order: Task[] = [];
  while (waiting.length > 0) {
    const at = waiting.findIndex((task) => task.dependsOn.every((id) => done.has(id)));
    const [task] = at === -1 ? [] : waiting.splice(at, 1);
    if (task === undefined) {
      throw new Error(`no order of tasks: ${waiting.map(({ id }) => id).join(", ")} wait`);
    }
    done.add(task.id);
    order.push(task);
  }
  return order;
}
