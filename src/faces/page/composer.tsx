/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Where a message is written.
 * Rule: nothing typed is lost: the draft stays in the browser until the message was taken.
 */
import { useRef, useState } from "preact/hooks";
import type { AvailableCommand } from "./protocol.ts";

const DRAFT = "m31a draft";

/** Where messages go. */
export interface ComposerProps {
  isWorking: boolean;
  commands: readonly AvailableCommand[];
  /** Resolves once the message was taken. */
  send(text: string): Promise<void>;
  cancel(): void;
}

/** The message, and what to do with it. */
export function Composer({ isWorking, commands, send, cancel }: ComposerProps) {
  const [text, setText] = useState(localStorage.getItem(DRAFT) ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  const write = (draft: string) => {
    localStorage.setItem(DRAFT, draft);
    setText(draft);
  };
  const submit = async () => {
    // What stands in the field, which may be a key ahead of what was drawn last.
    const sent = field.current?.value ?? text;
    if (sent.trim() === "") return;
    setText("");
    try {
      await send(sent);
      if (localStorage.getItem(DRAFT) === sent) localStorage.removeItem(DRAFT);
    } catch {
      // Why stands in the conversation.
      setText(sent);
    }
  };
  const matching = /^\/\S*$/.test(text)
    ? commands.filter(({ name }) => name.startsWith(text.slice(1)))
    : [];
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {matching.length > 0 && (
        <ul class="commands" aria-label="Commands">
          {matching.map(({ name, description }) => (
            <li>
              <button type="button" onClick={() => write(`/${name} `)}>/{name}</button>{" "}
              {description}
            </li>
          ))}
        </ul>
      )}
      <label class="hidden" for="message">Message</label>
      <textarea
        id="message"
        ref={field}
        rows={3}
        value={text}
        placeholder="Ask, or say what is to be done. Enter sends, Shift-Enter begins a line."
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <div class="actions">
        <button type="submit">{isWorking ? "Queue" : "Send"}</button>
        {isWorking && <button type="button" onClick={cancel}>Stop</button>}
      </div>
    </form>
  );
}
