/**
 * Runs the benchmarks: `deno task bench [names…]`, prints a table and writes it into docs/benchmarks.md.
 * Rule: a benchmark is a file of scripts/bench/; each measures beside a reference on the same machine, in the same run.
 */
import { join } from "@std/path";
import { type Benchmark, type Row } from "./bench/benchmark.ts";
import { replaceMeasured, tableOf } from "./bench/report.ts";
import { PROJECT_ROOT, runDeno } from "./deno.ts";

const FOLDER = join(PROJECT_ROOT, "scripts", "bench");
const DOCUMENT = join(PROJECT_ROOT, "docs", "benchmarks.md");

/** Files of scripts/bench/ that are not benchmarks. */
const SUPPORT = ["benchmark.ts", "report.ts"];

async function loadBenchmarks(): Promise<Benchmark[]> {
  const files = [...Deno.readDirSync(FOLDER)].map((entry) => entry.name)
    .filter((name) => name.endsWith(".ts") && !SUPPORT.includes(name)).sort();
  return await Promise.all(files.map(async (file) => {
    const { name, run } = await import(new URL(`./bench/${file}`, import.meta.url).href);
    return { name, run };
  }));
}

const benchmarks = (await loadBenchmarks())
  .filter(({ name }) => Deno.args.length === 0 || Deno.args.includes(name));
if (benchmarks.length === 0) {
  console.error(`no benchmark is called ${Deno.args.join(" or ")}`);
  Deno.exit(2);
}

const rows: Row[] = [];
for (const { name, run } of benchmarks) {
  console.error(`measuring ${name} …`);
  rows.push(...await run());
}
const table = tableOf(rows);
console.log(table);
if (Deno.args.length === 0) {
  Deno.writeTextFileSync(DOCUMENT, replaceMeasured(Deno.readTextFileSync(DOCUMENT), table));
  await runDeno(["fmt", "--quiet", DOCUMENT]);
  console.error(`written to ${DOCUMENT}`);
}
Deno.exit(rows.some((row) => row.isGoalMet === false) ? 1 : 0);
