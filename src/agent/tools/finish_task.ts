/**
 * finish_task: the model says that the task it was given is finished, or cannot be.
 * Rule: that decides nothing but the end of the turn; the project's checks say whether the task is done.
 */
import { z } from "zod";
import type { Tool, ToolOutcome } from "../tool.ts";

const input = z.object({
  summary: z.string().min(1).describe("What was done, in a sentence or two."),
  cannot: z.string().min(1).optional().describe(
    "Why the task cannot be done, if it cannot. Leave out otherwise.",
  ),
});

/** What a model says at the end of a task. */
export type FinishedTask = z.infer<typeof input>;

/** Makes the tool; `finish` is told. */
export function finishTask(finish: (task: FinishedTask) => ToolOutcome): Tool<FinishedTask> {
  return {
    name: "finish_task",
    description:
      "Say that the task you were given is finished; the project's checks are run then. Call it once, after your last change.",
    input,
    effect: "control",
    run: (task) => Promise.resolve(finish(task)),
  };
}
