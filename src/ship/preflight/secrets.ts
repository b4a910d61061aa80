/**
 * Looks for secrets in added lines, with the recommended rules of secretlint.
 * Rule: nothing but added lines is given to it, and no finding repeats the secret.
 */
import type { AddedLine } from "../../git/added_lines.ts";
import type { ChangeFacts } from "./facts.ts";
import { defused, waiverIn } from "./secret_waivers.ts";

/** A piece of text that is looked at in one go, and where each of its lines comes from. */
interface Source {
  /** What the rules are told of its name; some go by it. */
  name: string;
  lines: AddedLine[];
}

/** Many small files are looked at together; up to this many characters. */
const BATCH_CHARACTERS = 512 * 1024;

/** A name that no rule goes by. */
const BATCH_NAME = "added.txt";

/** Finds secrets in `lines`, which are in the order of a diff. Their places are those of their first lines. */
export async function findSecrets(lines: readonly AddedLine[]): Promise<ChangeFacts["secrets"]> {
  if (lines.length === 0) return [];
  const found: { path: string; line: number; what: string }[] = [];
  for (const { path, line, text } of lines) {
    const waiver = waiverIn(text);
    if (waiver !== undefined) {
      found.push({ path: path.text, line, what: `a waiver of the scan, ${waiver}` });
    }
  }
  for (const { name, lines: its } of sourcesOf(lines)) {
    const content = its.map(({ text }) => `${defused(text)}\n`).join("");
    for (const { index, what } of await lint(name, content)) {
      const line = its[index];
      if (line !== undefined) found.push({ path: line.path.text, line: line.line, what });
    }
  }
  return found;
}

function sourcesOf(lines: readonly AddedLine[]): Source[] {
  const sources: Source[] = [];
  let batch: Source = { name: BATCH_NAME, lines: [] };
  let characters = 0;
  for (const [name, its] of Map.groupBy(lines, ({ path }) => path.text)) {
    if (standsAlone(name, its)) {
      sources.push({ name, lines: its });
      continue;
    }
    const size = its.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (characters + size > BATCH_CHARACTERS && batch.lines.length > 0) {
      sources.push(batch);
      batch = { name: BATCH_NAME, lines: [] };
      characters = 0;
    }
    batch.lines.push(...its);
    characters += size;
  }
  return batch.lines.length === 0 ? sources : [...sources, batch];
}

/** Whether a rule goes by the file's name. */
function standsAlone(name: string, lines: readonly AddedLine[]): boolean {
  if (/(^|\/)(package(-lock)?\.json|\.npmrc)$/.test(name)) return true;
  return name.endsWith(".json") && lines.some(({ text }) => text.includes("private_key"));
}

/** Runs the rules over `content`. Lines are counted from 0. */
async function lint(name: string, content: string): Promise<{ index: number; what: string }[]> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const { messages } = await lintSource({
    source: {
      filePath: name,
      content,
      ext: name.endsWith(".json") ? ".json" : ".txt",
      contentType: "text",
    },
    options: {
      maskSecrets: true,
      noPhysicFilePath: true,
      config: {
        rules: [{
          id: "@secretlint/secretlint-rule-preset-recommend",
          rule: creator,
          options: {},
          rules: [{ id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } }],
        }],
      },
    },
  });
  return messages.map(({ message, loc }) => ({
    index: loc.start.line - 1,
    what: message.replace(/^found /, "").replace(/(:|\(\*).*$/s, ""),
  }));
}
