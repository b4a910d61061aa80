/** The fuzzers, in the order in which they run. */
import { DOCUMENTS } from "./documents.ts";
import type { Fuzzer } from "./fuzzer.ts";
import { LOGS } from "./logs.ts";
import { STREAMS } from "./streams.ts";

export const FUZZERS: readonly Fuzzer[] = [LOGS, DOCUMENTS, STREAMS];
