/**
 * `/cost`: what each model has used in a session, all its epochs together.
 * Rule: a request counts once, and a cost says how much of it is known.
 */
import { type CostSum, costText } from "../../platform/cost_text.ts";
import { counted } from "../../platform/text.ts";
import type { SessionRecord } from "../../session/records.ts";
import { readSession } from "../../session/session_reader.ts";
import { usedText } from "../telling/used_text.ts";
import type { Asked } from "./asked.ts";

/** What the requests to one model add up to. */
interface Used extends CostSum {
  input: number;
  output: number;
  cacheRead: number;
}

/** The lines of the answer. */
export async function costsOf({ opening, conversation }: Asked): Promise<string> {
  if (conversation === undefined) return "Nothing was asked of a model yet.";
  const { session: { id, totals } } = conversation;
  const byModel = new Map<string, Used>();
  await readSession(opening.root, id, (record) => {
    if (record.type === "usage") count(byModel, record);
  });
  const lines = [...byModel].map(([model, used]) => `${model}: ${lineOf(used)}`);
  if (lines.length === 0) return "Nothing was asked of a model yet.";
  return byModel.size === 1
    ? lines.join("\n")
    : [...lines, `together: ${usedText(totals)}`].join("\n");
}

function count(
  byModel: Map<string, Used>,
  { provider, model, ...usage }: Extract<SessionRecord, { type: "usage" }>,
): void {
  const name = `${provider}:${model}`;
  const sum = byModel.get(name) ??
    { requests: 0, input: 0, output: 0, cacheRead: 0, cost: 0, unpriced: 0, estimated: 0 };
  const { cost, costSource } = usage;
  byModel.set(name, {
    requests: sum.requests + 1,
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cost: sum.cost + (cost ?? 0),
    unpriced: sum.unpriced + (cost === null ? 1 : 0),
    estimated: sum.estimated + (cost !== null && costSource !== "reported" ? 1 : 0),
  });
}

function lineOf(used: Used): string {
  const { requests, input, output, cacheRead } = used;
  const cached = cacheRead === 0 ? "" : ` (${cacheRead} of them read from a cache)`;
  return `${counted(requests, "request")}, ${input} tokens in${cached}, ${output} out, ` +
    `cost ${costText(used)}`;
}
