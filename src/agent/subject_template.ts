/**
 * The template of a commit's subject, `[ship] subject`: what may stand in it.
 * Rule: pure; one that cannot be meant is refused by what is wrong with it.
 */

/** What a template may name. */
const SUBJECT_FIELDS = ["type", "goal", "session"] as const;
export type SubjectField = (typeof SUBJECT_FIELDS)[number];

/** The template where the configuration has none. */
export const DEFAULT_SUBJECT = "{type}: {goal}";

/** What is wrong with a template, in words; undefined when nothing is. */
export function subjectProblem(template: string): string | undefined {
  if (/[\p{Cc}\u2028\u2029]/u.test(template)) return "a subject is one line";
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  const fields = SUBJECT_FIELDS.map((field) => `{${field}}`).join(", ");
  const unknown = names.find((name) => !SUBJECT_FIELDS.some((field) => field === name));
  if (unknown !== undefined) return `there is no {${unknown}}; there are ${fields}`;
  if (/[{}]/.test(template.replace(/\{[^{}]*\}/g, ""))) {
    return `a brace without its other one; what stands for something is written ${fields}`;
  }
  return names.includes("goal") ? undefined : "needs {goal}: without it all subjects were the same";
}
