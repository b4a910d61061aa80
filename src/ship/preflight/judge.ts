/**
 * The whole preflight: every check, in order, over the facts.
 * Rule: pure; what cannot be looked at, because the repository is in no condition, is not judged.
 */
import type { PreflightCheck } from "./check.ts";
import type { PreflightFacts } from "./facts.ts";
import {
  judgeDependencies,
  judgeEarlierChanges,
  judgeFollowed,
  judgeHooks,
  judgeIgnored,
  judgeLarge,
  judgeSubmodules,
} from "./file_checks.ts";
import {
  judgeConflictMarkers,
  judgeDebugPrints,
  judgeLeftToDo,
  judgeSecrets,
} from "./line_checks.ts";
import { judgeRepository } from "./repository_checks.ts";
import { judgeChanges, judgeTasks, judgeVerification } from "./work_checks.ts";

/** Judges everything. */
export function judgePreflight(facts: PreflightFacts): PreflightCheck[] {
  const { work, repository, beganOn, changes } = facts;
  const condition = judgeRepository(repository, beganOn);
  if (changes === undefined) return condition;
  return [
    ...condition,
    judgeChanges(changes),
    judgeVerification(work, changes),
    judgeTasks(work),
    judgeIgnored(changes),
    judgeSubmodules(changes),
    judgeEarlierChanges(work, changes),
    judgeDependencies(changes),
    judgeFollowed(changes),
    judgeHooks(work, changes),
    judgeSecrets(changes),
    judgeConflictMarkers(changes),
    judgeLeftToDo(changes),
    judgeDebugPrints(changes),
    judgeLarge(changes),
  ];
}
