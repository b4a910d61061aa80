/**
 * ask_user: a question to the person at the terminal.
 * Rule: there is always an answer; when nobody can be asked it is the recommended one.
 */
import { z } from "zod";
import { done } from "../outcome.ts";
import type { Tool } from "../tool.ts";

const input = z.object({
  question: z.string().min(1),
  options: z.array(z.string().min(1)).max(9).optional().describe(
    "Up to 9 answers to choose from, the recommended one first; left out for a free answer.",
  ),
});

/** Asks the user. */
export const askUser: Tool<z.infer<typeof input>> = {
  name: "ask_user",
  description:
    "Ask the user a question that you cannot answer from the project and that changes what you do.",
  input,
  effect: "ask",
  run: async ({ question, options }, context) => {
    const answer = (await context.ask({ question, options: options ?? [] })).trim();
    return done(answer === "" ? "The user gave no answer; decide yourself and say how." : answer);
  },
};
