/**
 * A face of its own, as an example: a bot on stdin that nobody else here knows of.
 * Rule: imports `src/app/` and below, nothing of `src/cli/`. A line is a message; `!ID yes`, `!ID no REASON` and `!ID TEXT`
 * answer the question of that id; `!stop` cancels; `!after NUMBER` tells again what came behind an event.
 */
import type { ConversationEvent } from "../../src/app/events/conversation_event.ts";
import type { LiveConversation } from "../../src/app/live_conversation.ts";
import { Project } from "../../src/app/project.ts";
import type { Answer, OpenQuestion } from "../../src/app/questions.ts";
import { summarizeCall } from "../../src/app/telling/call_summary.ts";
import { readEnvironment } from "../../src/platform/environment.ts";

/** What of an event the bot says; undefined for nothing. */
function wordsOf({ number, body }: ConversationEvent): string | undefined {
  switch (body.type) {
    case "reply":
      return `${number} ${JSON.stringify(body.text)}`;
    case "tool_started":
      return `${number} … ${summarizeCall(body.tool, body.input)}`;
    case "question_asked":
      return `? ${body.question.id} ${textOf(body.question)}`;
    case "question_ended":
      return `! ${body.id} ${body.by === undefined ? "cancelled" : `answered by ${body.by}`}`;
    case "notice":
      return `# ${body.text}`;
    case "turn_ended":
      return `${number} ${body.end.outcome}`;
    default:
      return undefined;
  }
}

function textOf(question: OpenQuestion): string {
  switch (question.kind) {
    case "approval":
      return `may it: ${question.summary}`;
    case "plan":
      return `plan: ${question.plan.summary}`;
    default:
      return question.question;
  }
}

/** What `text` means as an answer to `question`. */
function answerTo({ kind }: OpenQuestion, text: string): Answer {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/.exec(text) ?? [];
  if (kind === "approval") {
    const reason = rest === "" ? {} : { reason: rest };
    return word === "yes" ? { kind, decision: "yes" } : { kind, decision: "no", ...reason };
  }
  if (kind === "confirmation") return { kind, isConfirmed: word === "yes" };
  if (kind === "choice") return { kind, text };
  return word === "yes"
    ? { kind, decision: "approve" }
    : { kind, decision: "change", wish: rest || text };
}

async function obey(conversation: LiveConversation, line: string): Promise<void> {
  const [, name = "", rest = ""] = /^!(\S+)\s*(.*)$/.exec(line) ?? [];
  if (name === "stop") return conversation.cancel();
  if (name === "after") {
    for await (const event of conversation.follow({ after: rest })) {
      if (event.body.type === "state") return;
      console.log(`again ${wordsOf(event) ?? event.number}`);
    }
    return;
  }
  const question = conversation.questions.open.find(({ id }) => id.startsWith(name));
  if (question === undefined) return console.log(`# there is no question ${name} any more`);
  conversation.questions.answer(question.id, answerTo(question, rest), "the bot");
}

const project = await Project.open({ environment: readEnvironment(), flags: {} });
const conversation = await project.converse({ kind: "new" }, {
  isAttended: true,
  onEvent: (event) => {
    const words = wordsOf(event);
    if (words !== undefined) console.log(words);
  },
});
const turns: Promise<unknown>[] = [];
const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
let pending = "";
for await (const text of lines) {
  const whole = (pending + text).split("\n");
  pending = whole.pop() ?? "";
  for (const line of whole) {
    if (line.startsWith("!")) await obey(conversation, line);
    else turns.push(conversation.say(line, { onAccepted: () => console.log(`kept: ${line}`) }));
  }
}
await Promise.allSettled(turns);
await conversation.close();
