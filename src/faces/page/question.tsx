/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * A question that stands in the way: what would be done, and the answers.
 * Rule: its subject is in sight with it; a no can carry its reason; keys typed into the message answer nothing.
 */
import { useEffect, useRef } from "preact/hooks";
import type { PermissionRequest } from "./protocol.ts";
import { CallContent } from "./transcript.tsx";

/** A question that is open. */
export interface OpenQuestion {
  request: PermissionRequest;
  /** `optionId`, and a reason where one was given. */
  answer(optionId: string, reason: string): void;
}

/** The question as a form. */
export function Question({ question }: { question: OpenQuestion }) {
  const { request, answer } = question;
  const reason = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [question]);
  return (
    <section class="question" aria-labelledby="question">
      <h2 id="question" tabIndex={-1} ref={heading}>{request.toolCall.title ?? "May it go on?"}</h2>
      {request.toolCall.content?.map((content, index) => (
        <CallContent key={index} content={content} />
      ))}
      <label>
        Reason (goes with a no)
        <input ref={reason} />
      </label>
      <div class="answers">
        {request.options.map(({ optionId, name, kind }) => (
          <button
            type="button"
            class={kind}
            onClick={() => answer(optionId, reason.current?.value.trim() ?? "")}
          >
            {name}
          </button>
        ))}
      </div>
    </section>
  );
}
