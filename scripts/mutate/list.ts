/**
 * All mutations: a file a room of the house, the sources that must not go wrong.
 * Rule: a defect that a test once missed stays in the list.
 */
import { GIT } from "./list/git.ts";
import { LEDGER } from "./list/ledger.ts";
import { PLANNING } from "./list/planning.ts";
import { SESSION } from "./list/session.ts";
import { SHIP } from "./list/ship.ts";
import { WORKFLOW } from "./list/workflow.ts";
import type { Mutation } from "./mutation.ts";

export const MUTATIONS: readonly Mutation[] = [
  ...SESSION,
  ...PLANNING,
  ...LEDGER,
  ...GIT,
  ...SHIP,
  ...WORKFLOW,
];
