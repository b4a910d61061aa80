/**
 * How a conversation without a terminal is printed.
 * Rule: a format is a row; whatever is said beside it goes to stderr.
 */
import type { AgentEvent } from "../../agent/events.ts";
import { UsageError } from "../../platform/errors.ts";
import type { OutputFormat } from "./formats.ts";
import { JsonView } from "./json_view.ts";
import { PlainView } from "./plain_view.ts";
import { ResultView } from "./result_view.ts";

/** What shows a conversation's events. */
interface ConversationView {
  show(event: AgentEvent): void;
}

/** What prints in each format. */
const VIEWS: Readonly<Record<OutputFormat, () => ConversationView>> = {
  text: () => new PlainView(),
  json: () => new ResultView(),
  "stream-json": () => new JsonView(),
};

/**
 * The format that is asked for; `--json` is short for stream-json. Undefined where none is.
 *
 * @throws {UsageError} for two formats
 */
export function outputFormatOf(
  options: { json?: true | undefined; outputFormat?: OutputFormat | undefined },
): OutputFormat | undefined {
  const { json, outputFormat } = options;
  if (json && outputFormat !== undefined && outputFormat !== "stream-json") {
    throw new UsageError(
      `--json means --output-format stream-json, and --output-format ${outputFormat} is given; leave one out`,
    );
  }
  return json ? "stream-json" : outputFormat;
}

/** What prints in a format. */
export function viewOf(format: OutputFormat): ConversationView {
  return VIEWS[format]();
}
