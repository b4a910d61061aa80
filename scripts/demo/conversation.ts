/**
 * The demo's first part: a conversation of four turns about a small project, the process killed after each.
 * Rule: what it claims it reads from the server's side.
 */
import { type ChatEvent, killedChatTurn } from "./killed_chat.ts";
import { withDemoProject } from "./project.ts";
import { type ScriptedAnswer, startScriptedServer } from "./scripted_server.ts";

const FILES = {
  "README.md": "# greet\n\nPrints a greeting. `deno run greet.ts NAME`\n",
  "greet.ts":
    'export function greet(name: string): string {\n  return `Hello, ${name}!`;\n}\n\nif (import.meta.main) console.log(greet(Deno.args[0] ?? "world"));\n',
  "greet_test.ts":
    'import { greet } from "./greet.ts";\n\nDeno.test("greet() greets", () => {\n  if (greet("you") !== "Hello, you!") throw new Error("wrong");\n});\n',
};

const TURNS: { question: string; answers: ScriptedAnswer[] }[] = [
  {
    question: "What is in this project?",
    answers: [
      {
        calls: [
          { tool: "list_files", input: {} },
          { tool: "read_file", input: { path: "README.md" } },
        ],
      },
      { text: "A program that prints a greeting: `greet.ts`, with a test and a README." },
    ],
  },
  {
    question: "Where is greet() used?",
    answers: [
      { calls: [{ tool: "search_files", input: { pattern: "greet(" } }] },
      { text: "In `greet.ts` itself, when it is run, and in `greet_test.ts`." },
    ],
  },
  {
    question: "What happens without a name?",
    answers: [
      { calls: [{ tool: "read_file", input: { path: "greet.ts" } }] },
      { text: "It greets the `world`: the argument falls back to that." },
    ],
  },
  {
    question: "What did I ask first?",
    answers: [{ text: "What is in this project." }],
  },
];

/** Shows it; resolves to whether each request began with the one before. */
export async function demonstrateConversation(): Promise<boolean> {
  const server = startScriptedServer(TURNS.flatMap(({ answers }) => answers));
  try {
    return await withDemoProject(FILES, async (project) => {
      console.log(
        "m31a, four turns about a small project. The model is scripted: a server on loopback answers\n" +
          "with prepared words. The process, its files, the tools and the HTTP requests are real.\n",
      );
      const environment = {
        M31A_BASE_URL: server.baseUrl,
        M31A_MODEL: "openai-compatible:scripted",
      };
      for (const [index, { question }] of TURNS.entries()) {
        console.log(`you   ${question}`);
        const { pid } = await killedChatTurn(project, question, environment, index === 0, show);
        console.log(`      (process ${pid} killed with SIGKILL)\n`);
      }
      return reportPrefixes(server.bodies);
    });
  } finally {
    await server.stop();
  }
}

function show(event: ChatEvent): void {
  if (event.type === "session" && event.isResumed === true) {
    console.log(`      (resumed ${event.session}, turns so far: ${event.turns})`);
  }
  if (event.type === "tool_started") {
    console.log(`      ${event.tool} ${JSON.stringify(event.input)}`);
  }
  if (event.type === "reply" && event.text !== "") console.log(`m31a  ${event.text}`);
  if (event.type === "notice") console.log(`      ${event.text}`);
}

/** Compares what the server received: each request must begin with the one before, up to its closing brackets. */
function reportPrefixes(bodies: readonly Uint8Array[]): boolean {
  console.log(`The server received ${bodies.length} requests:`);
  let isPrefixed = bodies.length > 1;
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1];
    if (before === undefined) {
      console.log(`  1: ${body.byteLength} bytes`);
      continue;
    }
    const open = before.subarray(0, before.byteLength - "]}".length);
    const begins = open.every((byte, at) => byte === body[at]);
    isPrefixed &&= begins;
    const verdict = begins ? "begin with" : "do NOT begin with";
    console.log(
      `  ${
        index + 1
      }: ${body.byteLength} bytes, which ${verdict} the ${open.byteLength} of request ${index}`,
    );
  }
  console.log(
    isPrefixed
      ? "\nEach request's bytes began with the one before, through three kills: the prompt cache stays warm."
      : "\nA request did not begin with the one before it: this is a defect.",
  );
  return isPrefixed;
}
