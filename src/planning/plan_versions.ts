/**
 * The names of a plan's versions: plan.v1.md, plan.v2.md …
 * Rule: a version's number is used once.
 */

/** The file name of a version, numbered from 1. */
export function planVersionName(version: number): string {
  return `plan.v${version}.md`;
}

/** The number in a version's file name; `undefined` when it is another file. */
export function planVersionOf(name: string): number | undefined {
  const match = /^plan\.v([1-9]\d{0,8})\.md$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}
