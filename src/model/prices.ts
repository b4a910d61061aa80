/**
 * What an answer cost, and how much a model can read: from a table of models.
 * Rule: a cost says where it comes from; what is in no table is unknown, not zero.
 */
import type { CostSource } from "./port.ts";
import type { ReportedTokens } from "./reported_usage.ts";
import { type ProviderName, providerOf } from "./providers.ts";

/** US dollars for a million tokens, as `[model] price` in the configuration gives them. */
export interface Price {
  input: number;
  output: number;
  /** The price of `input` when absent. */
  cacheRead?: number;
  /** The price of `input` when absent. */
  cacheWrite?: number;
}

/** A cost in US dollars and where it comes from. */
export interface Cost {
  cost?: number;
  costSource: CostSource;
}

/** What `tokens` cost at `price`. */
function costAt(tokens: ReportedTokens, price: Price): number {
  const uncached = tokens.input - tokens.cacheRead - tokens.cacheWrite;
  return (uncached * price.input + tokens.output * price.output +
    tokens.cacheRead * (price.cacheRead ?? price.input) +
    tokens.cacheWrite * (price.cacheWrite ?? price.input)) / 1e6;
}

/** What the table knows of one model. */
export interface ModelFacts {
  readonly contextWindowTokens: number | undefined;
  /** The cost of `tokens` in US dollars, at the prices known for `at`. */
  estimate(tokens: ReportedTokens, at: Date): number | undefined;
}

const NOTHING_KNOWN: ModelFacts = { contextWindowTokens: undefined, estimate: () => undefined };

/** Looks up the model `name` of `provider` in the table of @pydantic/genai-prices, loading it. */
export async function lookUpModel(provider: ProviderName, name: string): Promise<ModelFacts> {
  const providerId = providerOf(provider).priceTable;
  if (providerId === null) return NOTHING_KNOWN;
  const { calcPrice } = await import("@pydantic/genai-prices");
  // OpenRouter's variants (":free", ":nitro") are priced apart or not at all: no guess for them.
  const known = calcPrice({}, name, { providerId });
  return {
    contextWindowTokens: known?.model.context_window,
    estimate: (tokens, at) =>
      calcPrice(
        {
          input_tokens: tokens.input,
          output_tokens: tokens.output,
          cache_read_tokens: tokens.cacheRead,
          cache_write_tokens: tokens.cacheWrite,
        },
        name,
        { providerId, timestamp: at },
      )?.total_price,
  };
}

/** The cost of `tokens`: as reported, else at the configured price, else by the table. */
export function costOf(
  tokens: ReportedTokens,
  price: Price | undefined,
  facts: ModelFacts,
  at: Date,
): Cost {
  if (tokens.cost !== undefined) return { cost: tokens.cost, costSource: "reported" };
  const estimate = price === undefined ? facts.estimate(tokens, at) : costAt(tokens, price);
  if (estimate === undefined) return { costSource: "unknown" };
  return { cost: estimate, costSource: "estimated" };
}
