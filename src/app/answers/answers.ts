/**
 * The commands of a chat that only ask: each with the way to its answer.
 * Rule: the same answer in every face; nothing of the conversation changes by it.
 */
import type { SlashName } from "../slash_commands.ts";
import { settingLines } from "../telling/setting_lines.ts";
import type { Asked } from "./asked.ts";
import { changesOf } from "./changes.ts";
import { costsOf } from "./costs.ts";
import { statusOf } from "./status.ts";

const ANSWERS = {
  status: statusOf,
  cost: costsOf,
  diff: changesOf,
  config: ({ opening }) => settingLines(opening.configuration.settings).join("\n"),
  tools: ({ opening }) => opening.tools.definitions.map(({ name }) => name).join(", "),
} as const satisfies Partial<Record<SlashName, (asked: Asked) => string | Promise<string>>>;

/** A command that only asks. */
export type AnsweredCommand = keyof typeof ANSWERS;

/** Whether `name` is a command that only asks. */
export function isAnswered(name: SlashName): name is AnsweredCommand {
  return Object.hasOwn(ANSWERS, name);
}

/** The answer to such a command. */
export async function answerTo(command: AnsweredCommand, asked: Asked): Promise<string> {
  return await ANSWERS[command](asked);
}
