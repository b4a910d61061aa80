/**
 * The ways in which runners write how many tests ran.
 * Rule: pure; a reader says nothing where its runner's words are not there.
 */

/** What a runner said, summed over all of its summaries. Absent: it did not say. */
export interface Counts {
  total?: number;
  passed?: number;
  failed?: number;
  skipped?: number;
}

/** Reads an output, given as its lines; `undefined` when the runner's words are not among them. */
export type CountReader = (lines: readonly string[]) => Counts | undefined;

/** What the words of summaries stand for. Words that are not here count nothing: `assertions`, `suites`. */
const WORDS: Readonly<Record<keyof Counts, readonly string[]>> = {
  total: ["total", "tests", "test", "runs", "examples", "example", "specs", "spec", "tests run"],
  passed: ["passed", "passing", "pass", "succeeded", "successes", "ok", "xfailed", "xpassed"],
  failed: [
    ...["failed", "failing", "fail", "failures", "failure", "errors", "error", "errored"],
    ...["cancelled", "canceled", "unexpected successes", "flaky"],
  ],
  skipped: [
    ...["skipped", "skip", "skips", "pending", "pendings", "ignored", "todo", "excluded"],
    ...["omissions", "disabled", "incomplete", "notrun"],
  ],
};

const MEANING = new Map<string, keyof Counts>(
  (Object.keys(WORDS) as (keyof Counts)[]).flatMap((key) => WORDS[key].map((word) => [word, key])),
);

/** Where a number stands: `3 passed, 1 failed` or `Passed: 3, Failed: 1`. */
type Style = "number first" | "word first";

const PAIRS: Readonly<Record<Style, RegExp>> = {
  "number first": /(?<number>\d+)\s+(?:tests?\s+)?(?<word>[A-Za-z]+)/g,
  "word first":
    /(?<word>(?:expected |unexpected |tests )?[A-Za-z]+)\s*[:=]?\s*(?<number>\d+)(?!\.\d|\w)/gi,
};

/** A reader of lines in which numbers stand beside words. All lines that match are added up. */
export function words(line: RegExp, style: Style): CountReader {
  return (lines) => {
    const found = lines.filter((text) => line.test(text));
    if (found.length === 0) return undefined;
    return sum(found.flatMap((text) =>
      [...text.matchAll(PAIRS[style])].map(({ groups }) => {
        const meaning = MEANING.get((groups?.["word"] ?? "").toLowerCase());
        return meaning === undefined ? {} : { [meaning]: Number(groups?.["number"]) };
      })
    ));
  };
}

/** A reader of lines whose pattern names its numbers: `total`, `passed`, `failed`, `skipped`. */
export function groups(line: RegExp): CountReader {
  return (lines) => {
    const found = lines.flatMap((text) => {
      const numbers = line.exec(text)?.groups;
      return numbers === undefined ? [] : [named(numbers)];
    });
    return found.length === 0 ? undefined : sum(found);
  };
}

/** A reader of the last line that matches: of a runner that writes its summary again and again. */
export function last(line: RegExp): CountReader {
  return (lines) => {
    const found = lines.findLast((text) => line.test(text));
    return found === undefined ? undefined : groups(line)([found]);
  };
}

/** A reader that `read`s only where a line says that it is this runner's output. */
export function where(sign: RegExp, read: CountReader): CountReader {
  return (lines) => lines.some((text) => sign.test(text)) ? read(lines) : undefined;
}

/** Several readers of one runner, each for another part of its summary. */
export function together(...readers: readonly CountReader[]): CountReader {
  return (lines) => {
    const found = readers.flatMap((read) => read(lines) ?? []);
    return found.length === 0 ? undefined : sum(found);
  };
}

/** The first of several readers of one runner that finds its words. */
export function either(...readers: readonly CountReader[]): CountReader {
  return (lines) => {
    for (const read of readers) {
      const found = read(lines);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** A reader of lines each of which stands for one test, or one package of tests. */
export function each(lines: Readonly<Partial<Record<keyof Counts, RegExp>>>): CountReader {
  const patterns = Object.entries(lines) as [keyof Counts, RegExp][];
  return (texts) => {
    const found = texts.flatMap((text) =>
      patterns.filter(([, pattern]) => pattern.test(text)).map(([key]) => ({ [key]: 1 }))
    );
    return found.length === 0 ? undefined : sum(found);
  };
}

/** A reader of lines that say that nothing ran. */
export function nothing(line: RegExp): CountReader {
  return (lines) => lines.some((text) => line.test(text)) ? { passed: 0, failed: 0 } : undefined;
}

function named(found: Record<string, string | undefined>): Counts {
  const counts: Counts = {};
  for (const key of Object.keys(WORDS) as (keyof Counts)[]) {
    if (found[key] !== undefined) counts[key] = Number(found[key]);
  }
  return counts;
}

/** Adds up; what no part says stays unsaid. */
export function sum(parts: readonly Counts[]): Counts {
  const counts: Counts = {};
  for (const part of parts) {
    for (const [key, number] of Object.entries(part) as [keyof Counts, number][]) {
      counts[key] = (counts[key] ?? 0) + number;
    }
  }
  return counts;
}
