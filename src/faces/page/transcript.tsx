/** @jsxImportSource preact */
/**
 * What has been said and done, in order.
 * Rule: a call is one line with its state; what it brought unfolds, and a failure stands open.
 */
import type { Call, Entry } from "./conversation.ts";
import { FileDiff } from "./diff.tsx";
import { Markdown } from "./markdown.tsx";
import type { ToolCallContent } from "./protocol.ts";

const SPEAKERS = { user: "You", agent: "m31a", thought: "Thinking", notice: "Notice" } as const;

const STATES: Record<string, string> = {
  pending: "waits",
  in_progress: "runs",
  completed: "done",
  failed: "failed",
};

/** All of it. */
export function Transcript({ entries }: { entries: readonly Entry[] }) {
  return <>{entries.map((entry, index) => <OneEntry key={index} entry={entry} />)}</>;
}

function OneEntry({ entry }: { entry: Entry }) {
  if (entry.kind === "call") return <OneCall call={entry} />;
  const speaker = SPEAKERS[entry.kind];
  if (entry.kind === "thought") {
    return (
      <details class="thought">
        <summary>{speaker}</summary>
        <p class="plain">{entry.text}</p>
      </details>
    );
  }
  return (
    <article class={entry.kind} aria-label={speaker}>
      {entry.kind !== "notice" && <h2>{speaker}</h2>}
      {entry.kind === "agent" ? <Markdown text={entry.text} /> : <p class="plain">{entry.text}</p>}
    </article>
  );
}

function OneCall({ call }: { call: Call }) {
  const state = STATES[call.status] ?? call.status;
  const isOpen = call.status === "failed" || call.content.some(({ type }) => type === "diff");
  return (
    <details class={`call ${call.status}`} open={isOpen}>
      <summary>
        <span class="state">{state}</span> <span class="title">{call.title}</span>
      </summary>
      {call.content.map((content, index) => <CallContent key={index} content={content} />)}
      {call.content.length === 0 && <p class="plain">nothing to show yet</p>}
    </details>
  );
}

/** What a call brought, or is about to do. */
export function CallContent({ content }: { content: ToolCallContent }) {
  if (content.type === "diff") return <FileDiff {...content} />;
  if (content.type !== "content") return <p class="plain">[{content.type}]</p>;
  const { content: block } = content;
  if (block.type !== "text") return <p class="plain">[{block.type}]</p>;
  return <pre tabIndex={0}>{block.text}</pre>;
}
