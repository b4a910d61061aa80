/**
 * `/diff`: what a conversation has changed since it began, as a patch.
 * Rule: of the files that it touched, from what they held before to what they hold now; what is not its own, or cannot be
 * shown, is said below.
 */
import { changesSinceBeginning } from "../undo_in_conversation.ts";
import type { Asked } from "./asked.ts";

const NOTHING = "This conversation has changed nothing.";

/** The patch, and behind it what there is to know of it. It waits for what goes on. */
export async function changesOf(asked: Asked): Promise<string> {
  return await asked.queue.call(
    { kind: "undo", text: "show the changes" },
    () => patchAndNotes(asked),
  );
}

async function patchAndNotes({ conversation, parts }: Asked): Promise<string> {
  if (conversation === undefined) return NOTHING;
  const notices: string[] = [];
  const changes = await changesSinceBeginning(conversation, {
    link: parts.link,
    tell: (body) => body.type === "notice" ? notices.push(body.text) : undefined,
  });
  if (changes === undefined) return notices.join("\n");
  const notes = changes.files.flatMap(({ path, verdict, reason = "" }) => {
    if (verdict === "conflict") return [`${path}: ${reason}`];
    return verdict === "unkept" ? [`${path} is not shown: ${reason}`] : [];
  });
  return [changes.patch.trimEnd(), ...notes].filter((text) => text !== "").join("\n") || NOTHING;
}
