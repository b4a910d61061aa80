/**
 * `script:`: the assistant's side from a short hand-written file.
 * Rule: the conversation so far decides which line is next, so that a resumed one goes on where it was.
 */
import { type Clock, systemClock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { answersBefore, play, playError } from "./played.ts";
import type { CompletionPart, Model, ModelUsage, Prompt } from "./port.ts";
import { parseExpectation, parseScript, type ScriptLine } from "./script_format.ts";
import { encodeOffline } from "./wire.ts";

/**
 * Opens the script at `path` (relative to the working directory).
 *
 * @throws {ModelError} when it cannot be read, or a line of it is not in the format
 */
export async function scriptModel(path: string, clock: Clock = systemClock): Promise<Model> {
  const lines = parseScript(await readScript(path), path);
  return {
    id: { provider: "script", name: path },
    contextWindowTokens: undefined,
    encode: (call) => Promise.resolve(encodeOffline(call)),
    async stream(call, options) {
      options.signal.throwIfAborted();
      const index = answersBefore(call);
      const line = lines[index];
      if (line === undefined) {
        throw playError(
          `${path} holds ${lines.length} answers; the conversation asks for number ${index + 1}. ` +
            "Add a line to it.",
        );
      }
      checkExpectation(line, call.prompt, path);
      if (line.error !== undefined) {
        if (line.delayMs !== undefined) await clock.sleep(line.delayMs, options.signal);
        throw playError(`${path}:${line.line}: ${line.error}`);
      }
      return await play(
        {
          content: contentOf(line),
          ...(line.finish !== undefined && { finish: line.finish }),
          ...(line.usage !== undefined && { usage: usageOf(line.usage) }),
          ...(line.delayMs !== undefined && { delayMs: line.delayMs }),
        },
        call,
        options,
        clock,
      );
    },
  };
}

async function readScript(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw playError(
      `${path}: the script cannot be read: ${
        messageOf(error)
      }. It must be a file inside the project.`,
    );
  }
}

function checkExpectation(line: ScriptLine, prompt: Prompt, path: string): void {
  if (line.expect === undefined) return;
  const place = `${path}:${line.line}`;
  const text = lastWords(prompt);
  if (parseExpectation(line.expect, place)(text)) return;
  const shown = text.length > 400 ? `${Array.from(text).slice(0, 400).join("")} …` : text;
  throw playError(`${place}: expected ${JSON.stringify(line.expect)} in ${JSON.stringify(shown)}`);
}

/** What has been said since the last answer: the user's messages and the results of tools. */
function lastWords(prompt: Prompt): string {
  const start = prompt.findLastIndex((message) => message.role === "assistant") + 1;
  return prompt.slice(start).flatMap((message) => {
    if (message.role === "user") {
      return message.content.map((part) => part.type === "text" ? part.text : "");
    }
    if (message.role !== "tool") return [];
    return message.content.map((part) => {
      if (part.type !== "tool-result") return "";
      const { output } = part;
      if (output.type === "text" || output.type === "error-text") return output.value;
      return JSON.stringify(output);
    });
  }).join("\n");
}

function contentOf(line: ScriptLine): CompletionPart[] {
  const content: CompletionPart[] = [];
  if (line.reasoning !== undefined) content.push({ type: "reasoning", text: line.reasoning });
  if (line.text !== undefined) content.push({ type: "text", text: line.text });
  for (const [index, call] of (line.calls ?? []).entries()) {
    content.push({
      type: "tool-call",
      name: call.tool,
      id: `call-${line.line}-${index + 1}`,
      input: call.malformed === undefined ? call.input ?? {} : {},
      ...(call.malformed !== undefined && { malformed: call.malformed }),
    });
  }
  return content;
}

function usageOf({ cost, ...tokens }: NonNullable<ScriptLine["usage"]>): ModelUsage {
  return {
    ...tokens,
    isReported: true,
    ...(cost === undefined ? { costSource: "unknown" } : { cost, costSource: "reported" }),
  };
}
