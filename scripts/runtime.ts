/**
 * How the JavaScript engine is set up, compiled or from source.
 * Rule: one list, so that what is measured and tested from source is what the executable does.
 */

/**
 * A small space for new objects. While a long session is replayed V8 would make it as large as it may,
 * 64 MB and more, for strings that stay; with 8 MB the peak is half, and no slower.
 */
export const RUNTIME_FLAGS = ["--v8-flags=--max-semi-space-size=8"] as const;
