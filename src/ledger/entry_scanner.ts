/**
 * Reads an entry's numbers from the bytes of its line, without parsing JSON: for ledgers with a million lines.
 * Rule: it takes only a line that begins exactly as {@linkcode encodeEntry} writes it, and declines
 * any other, which is then parsed and checked in full; what it takes it reads as the parser would.
 *
 * Everything up to the end of `failures` is compared and read byte by byte. Not looked at: checks,
 * diff, files, base, commit and goal, but for the brace at the line's end. `ledger verify` looks at all.
 */
import {
  type EntryView,
  hashEntryKey,
  PHASE_NUMBERS,
  resetView,
  type ViewNames,
} from "./entry_view.ts";
import { ByteReader, ID_BYTES, literalOf, SESSION_BYTES } from "./byte_reader.ts";
import { CAUSES, COST_SOURCES, OUTCOMES, PHASES } from "./names.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const SLASH = 0x2f;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

// The text between the values, in the order of docs/ledger-format.md.
const START_1 = literalOf('{"version":1,"session":"');
const START_2 = literalOf('{"version":2,"id":"');
const SESSION = literalOf('","session":"');
const AUTHOR = literalOf(',"author":');
const AGENT = literalOf(',"agent":"');
const ATTEMPT = literalOf('","attempt":');
const OUTCOME = literalOf(',"outcome":');
const PROJECT = literalOf(',"project":{"name":"');
const TYPE = literalOf(',"type":"');
const FRAMEWORK = literalOf(',"framework":');
const MODEL = literalOf('},"model":"');
const STARTED = literalOf(',"started":"');
const ENDED = literalOf('","ended":"');
const WORKING = literalOf('","workingMs":');
const REQUESTS = literalOf(',"usage":{"requests":');
const INPUT = literalOf(',"input":');
const OUTPUT = literalOf(',"output":');
const CACHE_READ = literalOf(',"cacheRead":');
const CACHE_WRITE = literalOf(',"cacheWrite":');
const COST = literalOf(',"cost":');
const SOURCE = literalOf(',"source":');
const TASKS = literalOf('},"inherited":[],"tasks":{"total":');
const DONE = literalOf(',"done":');
const FAILED = literalOf(',"failed":');
const SKIPPED = literalOf(',"skipped":');
const HEALS = literalOf('},"heals":');
const PHASES_START = literalOf(',"phases":{');
const PHASE_MS = literalOf('{"ms":');
const PHASE_REQUESTS = literalOf(',"requests":');
const PHASE_TOKENS = literalOf(',"tokens":');
const EXTENSIONS = literalOf(',"extensions":{');
const MEMORY = literalOf(',"memory":{"blocks":[');
const MEMORY_COMMITS = literalOf('],"commits":[');
const MEMORY_TOKENS = literalOf('],"tokens":');
const FAILURES = literalOf('},"failures":[');
const CAUSE = literalOf('{"cause":');
const CAUSE_HEALS = literalOf(',"heals":');
const HEALED = literalOf(',"healed":');
const TASK = literalOf(',"task":"');
const DETAIL = literalOf(',"detail":"');
const CHECKS = literalOf('],"checks":[');
/** So many of OUTCOMES version 1 knows. */
const OUTCOMES_OF_VERSION_1 = 3;
const NULL = literalOf("null");
const TRUE = literalOf("true");
const FALSE = literalOf("false");
const OUTCOME_NAMES = OUTCOMES.map((name) => literalOf(`"${name}"`));
const SOURCE_NAMES = COST_SOURCES.map((name) => literalOf(`"${name}"`));
const CAUSE_NAMES = CAUSES.map((name) => literalOf(`"${name}"`));
const PHASE_NAMES = PHASES.map((name) => literalOf(`"${name}":`));

/** Reads lines; it keeps nothing but the tables of names. */
export class EntryScanner extends ByteReader {
  readonly #names: ViewNames;
  /** Of the line that is being read. */
  #isVersion2 = false;

  constructor(names: ViewNames) {
    super();
    this.#names = names;
  }

  /**
   * Fills `view` from the line of `bytes` that begins at `from`.
   *
   * @returns where the line's newline is; -1: the line is declined, or has no newline
   */
  scan(bytes: Uint8Array, from: number, view: EntryView): number {
    this.start(bytes, from);
    resetView(view);
    const isTaken = this.#head(view) && this.#usage(view) && this.#tasks(view) &&
      this.#phases(view) && this.#extensions(view) && this.#memory(view) && this.#failures(view);
    if (!isTaken) return -1;
    // Sought only now: what has been read up to here holds no newline. indexOf is native and fast.
    const newline = bytes.indexOf(NEWLINE, this.at);
    const last = bytes[newline - 1] === CARRIAGE_RETURN ? newline - 2 : newline - 1;
    return bytes[last] === CLOSE_BRACE ? newline : -1;
  }

  #head(view: EntryView): boolean {
    this.#isVersion2 = this.literal(START_2);
    const id = this.at;
    if (this.#isVersion2) {
      if (!this.uuid() || !this.literal(SESSION)) return false;
    } else if (!this.literal(START_1)) return false;
    const session = this.at;
    if (!this.sessionId()) return false;
    if (!this.literal(ATTEMPT) || !this.count() || this.value === 0) return false;
    view.attempt = this.value;
    hashEntryKey(
      this.#isVersion2 ? this.bytes.subarray(id, id + ID_BYTES) : undefined,
      this.bytes.subarray(session, session + SESSION_BYTES),
      view.attempt,
      view,
    );
    if (!this.#author(view)) return false;
    if (!this.literal(OUTCOME) || !this.oneOf(OUTCOME_NAMES)) return false;
    if (!this.#isVersion2 && this.value >= OUTCOMES_OF_VERSION_1) return false;
    view.outcome = this.value;
    if (!this.literal(PROJECT) || !this.name(this.#names.projects)) return false;
    view.project = this.value;
    if (!this.literal(TYPE) || !this.skipText() || !this.literal(FRAMEWORK)) return false;
    if (!this.skipTextOrNull() || !this.literal(MODEL) || !this.name(this.#names.models)) {
      return false;
    }
    view.model = this.value;
    if (!this.literal(STARTED) || !this.instant()) return false;
    if (!this.literal(ENDED) || !this.instant()) return false;
    view.day = this.value;
    if (!this.literal(WORKING) || !this.count()) return false;
    view.workingMs = this.value;
    return true;
  }

  /** Who worked, and with what; the empty name where it is not said. */
  #author(view: EntryView): boolean {
    if (!this.#isVersion2) {
      view.author = this.#names.authors.idOf("");
      return true;
    }
    if (!this.literal(AUTHOR)) return false;
    if (this.byte(QUOTE)) {
      if (this.bytes[this.at] === QUOTE || !this.name(this.#names.authors)) return false;
      view.author = this.value;
    } else {
      if (!this.literal(NULL)) return false;
      view.author = this.#names.authors.idOf("");
    }
    if (!this.literal(AGENT) || this.bytes[this.at] === QUOTE) return false;
    return this.skipText();
  }

  #usage(view: EntryView): boolean {
    if (!this.literal(REQUESTS) || !this.count()) return false;
    view.requests = this.value;
    if (!this.literal(INPUT) || !this.count()) return false;
    view.input = this.value;
    if (!this.literal(OUTPUT) || !this.count()) return false;
    view.output = this.value;
    if (!this.literal(CACHE_READ) || !this.count()) return false;
    view.cacheRead = this.value;
    if (!this.literal(CACHE_WRITE) || !this.count()) return false;
    view.cacheWrite = this.value;
    if (!this.literal(COST) || !this.amount()) return false;
    view.cost = this.value;
    return this.literal(SOURCE) && this.oneOf(SOURCE_NAMES);
  }

  #tasks(view: EntryView): boolean {
    if (!this.literal(TASKS) || !this.count()) return false;
    view.tasks = this.value;
    if (!this.literal(DONE) || !this.count()) return false;
    view.tasksDone = this.value;
    if (!this.literal(FAILED) || !this.count()) return false;
    if (!this.literal(SKIPPED) || !this.count()) return false;
    if (!this.literal(HEALS) || !this.count()) return false;
    view.heals = this.value;
    return true;
  }

  #phases(view: EntryView): boolean {
    if (!this.literal(PHASES_START)) return false;
    // Phases come in the order of a session, so the next one's name is mostly the first that is tried.
    let next = 0;
    for (let isFirst = true; !this.byte(CLOSE_BRACE); isFirst = false) {
      if (!isFirst && !this.byte(COMMA)) return false;
      if (!this.oneOf(PHASE_NAMES, next)) return false;
      const phase = this.value;
      next = phase + 1;
      view.phaseBits |= 1 << phase;
      const slot = phase * PHASE_NUMBERS;
      if (!this.literal(PHASE_MS) || !this.count()) return false;
      view.phases[slot] = this.value;
      if (!this.literal(PHASE_REQUESTS) || !this.count()) return false;
      view.phases[slot + 1] = this.value;
      if (!this.literal(PHASE_TOKENS) || !this.count()) return false;
      view.phases[slot + 2] = this.value;
      if (!this.literal(COST) || !this.amount() || !this.byte(CLOSE_BRACE)) return false;
      view.phases[slot + 3] = this.value;
    }
    return true;
  }

  #extensions(view: EntryView): boolean {
    if (!this.literal(EXTENSIONS)) return false;
    for (let isFirst = true; !this.byte(CLOSE_BRACE); isFirst = false) {
      if (!isFirst && !this.byte(COMMA)) return false;
      if (!this.byte(QUOTE)) return false;
      if (!this.#isExtension()) return false;
      if (!this.name(this.#names.extensions)) return false;
      const extension = this.value;
      for (let n = 0; n < view.extensionCount; n++) {
        if (view.extensions[n] === extension) return false;
      }
      if (!this.byte(0x3a) || !this.count()) return false;
      view.extensions[view.extensionCount] = extension;
      view.extensionFiles[view.extensionCount++] = this.value;
    }
    return true;
  }

  /** Whether the name that begins here is empty, or a dot with more behind it and no slash. */
  #isExtension(): boolean {
    const { bytes } = this;
    if (bytes[this.at] === QUOTE) return true;
    if (bytes[this.at] !== DOT || bytes[this.at + 1] === QUOTE) return false;
    for (let at = this.at + 1; bytes[at] !== QUOTE; at++) {
      if (bytes[at] === SLASH || at >= bytes.length) return false;
    }
    return true;
  }

  #memory(view: EntryView): boolean {
    if (!this.literal(MEMORY)) return false;
    view.hadMemory = this.bytes[this.at] === QUOTE;
    for (let isFirst = true; this.bytes[this.at] !== CLOSE_BRACKET; isFirst = false) {
      if (!isFirst && !this.byte(COMMA)) return false;
      if (!this.byte(QUOTE) || !this.sessionId() || !this.byte(QUOTE)) return false;
    }
    if (!this.#isVersion2) return this.literal(MEMORY_TOKENS) && this.count();
    if (!this.literal(MEMORY_COMMITS)) return false;
    view.hadMemory ||= this.bytes[this.at] === QUOTE;
    for (let isFirst = true; this.bytes[this.at] !== CLOSE_BRACKET; isFirst = false) {
      if (!isFirst && !this.byte(COMMA)) return false;
      if (!this.byte(QUOTE) || !this.commitId() || !this.byte(QUOTE)) return false;
    }
    return this.literal(MEMORY_TOKENS) && this.count();
  }

  #failures(view: EntryView): boolean {
    if (!this.literal(FAILURES)) return false;
    for (let isFirst = true; this.bytes[this.at] !== CLOSE_BRACKET; isFirst = false) {
      if (!isFirst && !this.byte(COMMA)) return false;
      if (!this.literal(CAUSE) || !this.oneOf(CAUSE_NAMES)) return false;
      view.causes[view.failureCount] = this.value;
      if (!this.literal(CAUSE_HEALS) || !this.count()) return false;
      view.causeHeals[view.failureCount] = this.value;
      if (!this.literal(HEALED)) return false;
      const healed = this.literal(TRUE);
      if (!healed && !this.literal(FALSE)) return false;
      view.causeHealed[view.failureCount++] = healed;
      if (!this.literal(TASK) || !this.skipText()) return false;
      if (!this.literal(DETAIL) || !this.skipText() || !this.byte(CLOSE_BRACE)) return false;
    }
    return this.literal(CHECKS);
  }
}
