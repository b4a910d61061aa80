/**
 * The demo's second part: a goal in a project whose test fails, mended wrongly first.
 * Rule: the project's own check decides, run by the Deno that runs the demo.
 */
import { dirname, join } from "@std/path";
import { PROJECT_ROOT } from "../deno.ts";
import { applicationFlags } from "../permissions.ts";
import { withDemoProject } from "./project.ts";

const GOAL = "Make greet() greet by name again";
const SCRIPT = "model.script";
const PATH_DELIMITER = Deno.build.os === "windows" ? ";" : ":";

const WORDS = [
  { text: "greet() in `greet.ts` does not use its argument; the test in `greet_test.ts` fails." },
  {
    calls: [{
      tool: "submit_plan",
      input: {
        summary: "Put the name into the greeting.",
        tasks: [{
          id: "1",
          title: "Greet by name",
          files: ["greet.ts"],
          acceptance: "The test passes.",
        }],
      },
    }],
  },
  edit("`Hello!`", "`Hello ${name}!`", "Put the name in."),
  edit("`Hello ${name}!`", "`Hello, ${name}!`", "The comma was missing."),
];

const FILES = {
  "deno.json": '{ "tasks": { "test": "deno test" } }\n',
  "greet.ts": "export function greet(name: string): string {\n  return `Hello!`;\n}\n",
  "greet_test.ts":
    'import { greet } from "./greet.ts";\n\nDeno.test("greet() greets by name", () => {\n' +
    '  const greeting = greet("you");\n' +
    '  if (greeting !== "Hello, you!") throw new Error(`it says ${greeting}`);\n});\n',
  ".gitignore": `${SCRIPT}\nplanning/\nsessions/\n`,
  [SCRIPT]: WORDS.map((answer) => `${JSON.stringify(answer)}\n`).join(""),
};

function edit(from: string, to: string, summary: string) {
  return {
    calls: [
      { tool: "read_file", input: { path: "greet.ts" } },
      { tool: "edit_file", input: { path: "greet.ts", old_text: from, new_text: to } },
      { tool: "finish_task", input: { summary } },
    ],
  };
}

/** Shows it; resolves to whether the goal was verified, after a heal. */
export async function demonstrateGoal(): Promise<boolean> {
  return await withDemoProject(FILES, async (project) => {
    console.log(
      "\nNow a goal, in a project whose test fails. The model is scripted here too: its words are in a\n" +
        "file. Its first fix is wrong; the test is real, and so is everything else.\n",
    );
    console.log(`you   m31a run "${GOAL}"`);
    const code = await runGoal(project);
    const tasks = Deno.readTextFileSync(join(project, "planning", "TASKS.md"));
    console.log(`\nplanning/TASKS.md now:\n\n${indented(tasks.trimEnd())}\n`);
    const isHealed = code === 0 && /\| 1 \| done \|.*\| 1 \| `1` \|/.test(tasks);
    console.log(
      isHealed
        ? "The check failed, the model healed its fix, the check passed: verified, exit code 0."
        : `The goal was not reached as it should have been (exit code ${code}): this is a defect.`,
    );
    return isHealed;
  });
}

/** Runs m31a with its own permissions, shows what it says, and resolves to its exit code. */
async function runGoal(project: string): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", ...applicationFlags(), join(PROJECT_ROOT, "main.ts")],
      ...["run", GOAL, "--no-ship", "--approval", "all", "--model", `script:${SCRIPT}`],
    ],
    cwd: project,
    env: {
      NO_COLOR: "1",
      RUST_BACKTRACE: "0",
      // The project's test needs a deno; this machine may have none but the one that runs here.
      PATH: [dirname(Deno.execPath()), Deno.env.get("PATH") ?? ""].join(PATH_DELIMITER),
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await Promise.all([show(child.stdout), show(child.stderr)]);
  return (await child.status).code;
}

async function show(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    console.log(indented(text.trimEnd()));
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, "      ");
}
