/** docs/events.md and docs/events.schema.json, from the schemas of the events. */
import { z } from "zod";
import { EVENT_ROWS, eventSchema } from "./event_schema.ts";
import { typeOf } from "./type_words.ts";

const HEAD = `# Events: m31a for programs

Without a terminal a conversation prints in one of three formats:

| \`--output-format\` | stdout                                                                            |
| ----------------- | --------------------------------------------------------------------------------- |
| \`text\`            | the model's replies, and nothing else                                             |
| \`json\`            | one object a turn, when it has ended: what came of it                             |
| \`stream-json\`     | one object for each thing that happens, as it happens; \`--json\` is short for it   |

\`m31a run --json\` and \`m31a ship --json\` print the same lines, with those of a goal. Whatever is said
to people goes to stderr. Each line is one JSON object in UTF-8 with a \`type\`. Types and fields may be
added in later versions: pass over those that you do not know. What is there stays.

\`\`\`sh
m31a -p "What does src/main.ts do?" --output-format json
git diff | m31a -p "Review this change." -p -            # -p - is all of standard input
m31a chat --json < questions.txt                          # a turn a line, until one fails
\`\`\`

Nobody can be asked there. Changes to files go ahead where they can be taken back; a command that
\`[tools] allow\` does not allow is refused, and its \`tool_finished\` says so and names the ways out.
A question of the model's is answered with what it recommends.

## Exit codes

| code | means                                                                              |
| ---- | ---------------------------------------------------------------------------------- |
| 0    | every turn had a whole reply; of a goal: it was verified and shipped               |
| 1    | the work did not succeed: no reply, one that was cut off, checks that do not pass |
| 2    | wrong use: arguments, configuration, no model, no repository                       |
| 3    | damaged data: a session, the ledger                                                |
| 130  | interrupted, by Ctrl-C or a signal                                                 |

## The events

[events.schema.json](events.schema.json) is a JSON Schema (draft 2020-12) of a line. Beside \`type\`,
each has these fields; \`?\` marks one that may be missing.
`;

/** The text of docs/events.md, not formatted yet. */
export function eventsDocument(): string {
  const rows = Object.entries(EVENT_ROWS).map(([type, row]) => {
    const fields = Object.entries(row.shape).map(([name, schema]) => {
      const optional = z.safeParse(schema, undefined).success && typeOf(schema) !== "any JSON";
      return `\`${name}\`${optional ? "?" : ""}: ${typeOf(schema)}`;
    });
    return `| \`${type}\` | ${row.description} | ${fields.join("<br>")} |`;
  });
  return [HEAD, "| type | when | fields |", "| --- | --- | --- |", ...rows, ""].join("\n");
}

/** The text of docs/events.schema.json, not formatted yet. */
export function eventsSchema(): string {
  return JSON.stringify({
    title: "A line that m31a prints with --output-format stream-json or json",
    ...z.toJSONSchema(eventSchema, { io: "input" }),
  });
}
