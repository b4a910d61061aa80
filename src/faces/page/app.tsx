/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * The page: the conversations of a project, and the one that is looked at.
 * Rule: what it shows is what the server told; after a lost connection it asks for all of it again.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { Composer } from "./composer.tsx";
import { afterUpdate, type ConversationState, EMPTY, withMessage } from "./conversation.ts";
import type { OpenQuestion } from "./question.tsx";
import { Question } from "./question.tsx";
import type { Server, ServerListener, WaitingMessage } from "./server.ts";
import type { PlanEntry, SessionInfo } from "./protocol.ts";
import { Transcript } from "./transcript.tsx";

const MARKS: Record<string, string> = { completed: "done", in_progress: "works", pending: "waits" };

/** The whole page. `connect` opens the connection that it is about. */
export function App({ connect }: { connect(listener: ServerListener): Server }) {
  const [conversation, setConversation] = useState<ConversationState>(EMPTY);
  const [sessions, setSessions] = useState<readonly SessionInfo[]>([]);
  const [current, setCurrent] = useState<string>();
  const [questions, setQuestions] = useState<readonly OpenQuestion[]>([]);
  const [isWorking, setWorking] = useState(false);
  const [waiting, setWaiting] = useState<readonly WaitingMessage[]>([]);
  const [lost, setLost] = useState("connecting");
  const server = useRef<Server | null>(null);
  const end = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const opened = connect({
      onSessions: setSessions,
      onLoading: (session) => {
        setCurrent(session);
        setConversation(EMPTY);
        setQuestions([]);
        setWaiting([]);
        setWorking(false);
      },
      onUpdate: (update) => setConversation((state) => afterUpdate(state, update)),
      onSaying: (text) => setConversation((state) => withMessage(state, "user", text)),
      onNotice: (text) => setConversation((state) => withMessage(state, "notice", text)),
      onQuestion: (question) => setQuestions((open) => [...open, question]),
      onAnswered: (question) => setQuestions((open) => open.filter((one) => one !== question)),
      onWorking: setWorking,
      onWaiting: setWaiting,
      onLost: setLost,
    });
    server.current = opened;
    return () => opened.close();
  }, []);
  useEffect(() => end.current?.scrollIntoView({ block: "end" }), [
    conversation.entries,
    questions,
  ]);
  useEffect(() => {
    const mark = questions.length > 0 ? "asks – " : isWorking ? "works – " : "";
    document.title = `${mark}${conversation.title ?? "m31a"}`;
  }, [questions.length, isWorking, conversation.title]);

  return (
    <>
      <header>
        <h1>{conversation.title ?? "m31a"}</h1>
        <Status conversation={conversation} isWorking={isWorking} lost={lost} />
      </header>
      <div class="columns">
        <Sessions
          sessions={sessions}
          current={current}
          open={(session) => server.current?.load(session)}
          begin={() => server.current?.begin()}
        />
        <main>
          <div role="log" aria-label="Conversation" aria-live="polite">
            <Transcript entries={conversation.entries} />
          </div>
          {conversation.plan.length > 0 && <Plan entries={conversation.plan} />}
          {questions.map((question) => (
            <Question key={question.request.toolCall.toolCallId} question={question} />
          ))}
          {waiting.length > 0 && (
            <Waiting
              calls={waiting}
              remove={(id) => server.current?.remove(id)}
            />
          )}
          <Composer
            isWorking={isWorking}
            commands={conversation.commands}
            send={async (text) => await server.current?.say(text)}
            cancel={() => server.current?.cancel()}
          />
          <div ref={end} />
        </main>
      </div>
    </>
  );
}

function Status(
  { conversation: { mode, usage }, isWorking, lost }: {
    conversation: ConversationState;
    isWorking: boolean;
    lost: string;
  },
) {
  const parts = [
    isWorking ? "works" : "ready",
    mode === null ? "" : `mode ${mode}`,
    usage === null
      ? ""
      : `window ${usage.used.toLocaleString("en")} of ${usage.size.toLocaleString("en")} tokens`,
    usage?.cost ? `cost ${usage.cost}` : "",
  ];
  return (
    <p class={lost === "" ? "status" : "status lost"} role="status">
      {lost === "" ? parts.filter((part) => part !== "").join(" · ") : lost}
    </p>
  );
}

function Waiting(
  { calls, remove }: { calls: readonly WaitingMessage[]; remove(id: string): void },
) {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">Comes next</h2>
      <ul>
        {calls.map(({ id, text }) => (
          <li key={id}>
            {text} <button type="button" onClick={() => remove(id)}>Take out</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Plan({ entries }: { entries: readonly PlanEntry[] }) {
  return (
    <section class="plan" aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <ol>
        {entries.map(({ content, status }) => (
          <li class={status}>
            <span class="state">{MARKS[status] ?? status}</span> {content}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Sessions(
  { sessions, current, open, begin }: {
    sessions: readonly SessionInfo[];
    current: string | undefined;
    open(session: string): void;
    begin(): void;
  },
) {
  return (
    <nav aria-label="Conversations">
      <button type="button" onClick={begin}>New conversation</button>
      <ul>
        {sessions.map(({ sessionId, title, updatedAt }) => (
          <li>
            <button
              type="button"
              aria-current={sessionId === current ? "true" : undefined}
              onClick={() => open(sessionId)}
            >
              {title || sessionId}{" "}
              {updatedAt && <time>{new Date(updatedAt).toLocaleString()}</time>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
