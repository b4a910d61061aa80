/**
 * The checks of a workflow as calls of their own: the protocol knows no other way to show a command and how it ended.
 * Rule: pure; one check runs at a time, and each that began comes to an end.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { oneLine } from "../../app/telling/call_summary.ts";
import { textContent } from "./tool_calls.ts";

/** See the head of this file. */
export class CheckCalls {
  #number = 0;
  #isRunning = false;

  /** A check begins. */
  begin({ name, command }: { name: string; command: string }): SessionUpdate[] {
    this.#number += 1;
    this.#isRunning = true;
    return [{
      sessionUpdate: "tool_call",
      toolCallId: this.#id,
      title: `${oneLine(name)}: ${oneLine(command)}`,
      kind: "execute",
      status: "in_progress",
      rawInput: { command },
    }];
  }

  /** The check has ended. */
  end({ passed, output, exitCode, durationMs }: {
    passed: boolean;
    output: string;
    exitCode: number | null;
    durationMs: number;
  }): SessionUpdate[] {
    if (!this.#isRunning) return [];
    this.#isRunning = false;
    return [{
      sessionUpdate: "tool_call_update",
      toolCallId: this.#id,
      status: passed ? "completed" : "failed",
      content: [textContent(output)],
      rawOutput: { exitCode, durationMs },
    }];
  }

  /** The check has passed; nothing more is said of it. */
  pass(): SessionUpdate[] {
    if (!this.#isRunning) return [];
    this.#isRunning = false;
    return [{ sessionUpdate: "tool_call_update", toolCallId: this.#id, status: "completed" }];
  }

  get #id(): string {
    return `check-${this.#number}`;
  }
}
