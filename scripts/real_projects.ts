/**
 * Goes a round in real projects: `deno task real-projects FOLDER [--keep] [names…]`, where FOLDER holds their clones.
 * Rule: nothing is fetched but the projects' dependencies, and the clones stay as they are.
 */
import { join } from "@std/path";
import { DIST, EXECUTABLE_NAME } from "./deno.ts";
import { PROJECTS } from "./real_projects/projects.ts";
import { shell } from "./real_projects/shell.ts";
import { goRound, type Round } from "./real_projects/round.ts";

const keeps = Deno.args.includes("--keep");
const [sources, ...names] = Deno.args.filter((argument) => argument !== "--keep");
const chosen = PROJECTS.filter(({ name }) => names.length === 0 || names.includes(name));
if (sources === undefined || chosen.length === 0) {
  console.error("usage: deno task real-projects FOLDER [--keep] [names…]");
  Deno.exit(2);
}

const rounds: Round[] = [];
const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "m31a-real-" }));
try {
  for (const project of chosen) {
    console.log(`\n=== ${project.repository} at ${project.commit.slice(0, 10)}: ${project.goal}\n`);
    const source = Deno.realPathSync(join(sources, project.name));
    rounds.push(await goRound(project, source, folder, join(DIST, EXECUTABLE_NAME)));
  }
} finally {
  if (keeps) console.log(`\nKept: ${folder}`);
  if (!keeps) await shell("/", `chmod -R u+rwX -- "$1"; rm -rf -- "$1"`, folder);
}

console.log(
  "\n| project | install | check | run | undo | findings |\n| --- | --- | --- | --- | --- | --- |",
);
for (const { name, seconds: { install, check, run, undo }, findings } of rounds) {
  const times = [install, check, run, undo].map((each) => `${each.toFixed(1)} s`).join(" | ");
  console.log(`| ${name} | ${times} | ${findings.length === 0 ? "none" : findings.join("<br>")} |`);
}
Deno.exit(rounds.some(({ findings }) => findings.length > 0) ? 1 : 0);
