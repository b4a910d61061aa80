/**
 * "The conversation does not fit", in the words of each provider, and the size of the window where they tell it.
 * Rule: words that somebody really sends, one kind a row; tests/model/overflow_test.ts has an answer of each.
 */

const NUMBER = String.raw`[\s\S]{0,40}?(\d[\d,_]{2,12})`;

/** The words; what a group catches is the window in tokens. */
const WORDS: readonly RegExp[] = [
  // OpenAI, OpenRouter, DeepSeek, vLLM, Azure, Fireworks, Mistral, Together.
  `maximum context length(?: of| is|:)?${NUMBER}`,
  `context length is only${NUMBER}`,
  `model with${NUMBER} maximum context length`,
  "maximum context length",
  // Anthropic: "prompt is too long: 210000 tokens > 200000 maximum", "… exceed context limit: 190000 + 20000 > 200000".
  `prompt is too long:? \\d+ tokens >${NUMBER}`,
  `exceed context limit: \\d+ \\+ \\d+ >${NUMBER}`,
  "(?:prompt|input|request) is too (?:long|large)",
  // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
  `maximum prompt length is${NUMBER}`,
  // GitHub Copilot: "prompt token count of 140000 exceeds the limit of 128000".
  `token count of \\d+ exceeds the limit of${NUMBER}`,
  // Kimi: "Your request exceeded model token limit: 262144 (requested: 300000)".
  `exceeded model token limit:?${NUMBER}`,
  // Gemini: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)".
  `token count[\\s\\S]{0,30}exceeds the maximum number of tokens(?: allowed)?${NUMBER}`,
  "token count[\\s\\S]{0,30}exceeds the maximum",
  // SGLang: "The input (9000 tokens) is longer than the model's context length (8192 tokens)."
  `longer than the model's context length${NUMBER}`,
  // Text Generation Inference and those that come from it.
  `\`inputs\` tokens \\+ \`max_new_tokens\` must be <=${NUMBER}`,
  `\`inputs\` must have less than${NUMBER}`,
  // LM Studio: "Trying to keep the first 5013 tokens when context the overflows. However, the model is loaded with
  // context length of only 4096 tokens"; and "The number of tokens to keep … is greater than the context length".
  `loaded with context length of only${NUMBER}`,
  "greater than the context length",
  // Groq: "Please reduce the length of the messages or completion."
  "reduce the length of the (?:messages|prompt|input)",
  // MiniMax, and variations of all these: "exceeds the available context size" (llama.cpp), "exceeds the context window".
  "exceed(?:s|ed|ing)?\\b.{0,60}\\bcontext (?:length|limit|size|window)",
  "context (?:length|limit|size|window)\\b.{0,40}\\bexceed",
  "(?:too|larger|longer|more tokens) (?:long |large )?(?:for|than) .{0,40}context",
  "too many tokens in (?:the )?(?:prompt|input|request)",
  "input length \\d+ exceeds",
].map((words) => new RegExp(words, "i"));

const CODES =
  /context_length_exceeded|exceed_context_size|context_window_exceeded|string_above_max_length|model_context_window/;

/** What is known of an overflow. */
export interface Overflow {
  /** The model's window; undefined where it is not told. */
  windowTokens: number | undefined;
}

/**
 * Reads a refusal.
 *
 * @param code the provider's `error.code` and `error.type`, lower case
 * @param message its words
 * @param told the window as a field of the refusal tells it (llama.cpp: `n_ctx`)
 */
export function overflowIn(
  code: string,
  message: string,
  told: number | undefined,
): Overflow | undefined {
  const matches = WORDS.flatMap((words) => words.exec(message) ?? []);
  const isOverflow = CODES.test(code) || WORDS.some((words) => words.test(message));
  if (!isOverflow) return undefined;
  const number = matches.find((text) => /^\d[\d,_]+$/.test(text))?.replace(/[,_]/g, "");
  const tokens = told ?? (number === undefined ? undefined : Number(number));
  return { windowTokens: tokens !== undefined && tokens >= 256 ? tokens : undefined };
}
