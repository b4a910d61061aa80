/** The words of `--output-format`: all text, one JSON object a turn, one a thing that happens. */
export const OUTPUT_FORMATS = ["text", "json", "stream-json"] as const;

/** One of them. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
