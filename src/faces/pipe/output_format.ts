/**
 * How a conversation without a terminal is printed.
 * Rule: a format is a row; whatever is said beside it goes to stderr.
 */
import type { ConversationEvent } from "../../app/events/conversation_event.ts";
import { isOfAgent } from "../../app/events/kinds.ts";
import { UsageError } from "../../platform/errors.ts";
import type { OutputFormat } from "./formats.ts";
import { JsonView } from "./json_view.ts";
import { PlainView } from "./plain_view.ts";
import { ResultView } from "./result_view.ts";

/** What shows a conversation's events. */
interface ConversationView {
  show(event: ConversationEvent): void;
}

/** What prints in each format. */
const VIEWS: Readonly<Record<OutputFormat, () => ConversationView>> = {
  text: () => ofAgent(new PlainView()),
  json: () => ofAgent(new ResultView()),
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

/** Shows what the agent tells: of a conversation without goals that is all there is to show. */
function ofAgent(view: PlainView | ResultView): ConversationView {
  return {
    show({ body }) {
      if (isOfAgent(body)) view.show(body);
    },
  };
}

/** What prints in a format. */
export function viewOf(format: OutputFormat): ConversationView {
  return VIEWS[format]();
}
