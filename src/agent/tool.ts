/**
 * What a tool is: a name, a sentence for the model, a schema for its input, and a run.
 * Rule: a tool that fails says so in its outcome; it throws only when the turn itself must end.
 */
import type { z } from "zod";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import type { Image } from "../session/images.ts";
import type { CallOutcome } from "../session/outcome.ts";
import type { RecordOf } from "../session/records.ts";

export type { Environment };

/**
 * What running the tool may do: `read` touches nothing and may run beside others, `change` changes
 * files through git, `run` starts a command, `ask` waits for the user, `control` moves the workflow.
 */
export type ToolEffect = "read" | "change" | "run" | "ask" | "control";

/** What a tool hands back: the text for the model, and for the record what the call came to. */
export interface ToolOutcome {
  /** What the model reads. The turn loop caps it, masks secrets in it and records it. */
  output: string;
  /** The tool did not do what it was asked. */
  isError: boolean;
  outcome?: CallOutcome;
  /** Pictures that the model is shown with it. */
  images?: readonly Image[];
}

/** What "always" would cover, made by the tool that asks: this command line, these files, this tool of this server. */
export interface ApprovalScope {
  /** Each thing that has to be allowed; compared as a whole. */
  keys: readonly string[];
  /** The same in words, for the user. */
  words: string;
}

/** A question that the user answers before something happens. */
export interface ApprovalRequest {
  tool: string;
  /** One line: what would happen. */
  summary: string;
  /** The command or patch in full. */
  detail: string;
  scope: ApprovalScope;
}

/** A question as it is put to somebody. */
export interface OpenApproval extends ApprovalRequest {
  /** Tells it from every other question. */
  id: string;
  /** Ends the question: what it is about has been cancelled. */
  signal: AbortSignal;
}

/** The answer, with the reason for a no where one was given. */
export interface Approval {
  isAllowed: boolean;
  reason?: string;
  /** True for a no that nobody gave, because nobody was asked. */
  isUnasked?: true;
}

/** A question of the model's to the user. */
export interface UserQuestion {
  question: string;
  /** Answers to choose from, the recommended one first; free text when empty. */
  options: readonly string[];
}

/** What a call is about to do: the files that it changes, none for a command; `done` is what it will say then. */
export type Intent = Pick<RecordOf<"intent">, "done" | "changes">;

/** What a tool may use of the world. */
export interface ToolContext {
  /** The project's root, a real path. */
  root: string;
  /** The session's id. */
  session: string;
  signal: AbortSignal;
  clock: Clock;
  environment: Environment;
  /** Resolves to whether the user (or the approval mode, or an "always" given before) allows it. */
  approve(request: ApprovalRequest): Promise<Approval>;
  /** Resolves to the user's answer; to the recommended one when nobody can be asked. */
  ask(question: UserQuestion): Promise<string>;
  /**
   * Why the tool may not be used at this time; undefined when it may. The workflow forbids changes
   * while it is planning.
   */
  forbid(tool: string, effect: ToolEffect): string | undefined;
  /**
   * Records what the running call is about to do, before it does it. Tools that change files or run
   * something call it once nothing stands in the way any more.
   */
  intend(intent: Intent): void;
  /** Records what the running call has come to that is being interrupted. */
  cutOff(outcome: CallOutcome): void;
  /** The text of a file where an editor has it open, saved or not; undefined where none has. Left out without an editor. */
  openText?(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Resolves to whether the model is known to take pictures. */
  takesImages(): Promise<boolean>;
  /** Shows output of a running command. Not recorded. */
  onOutput(text: string): void;
  /** The content (SHA-256) that this session last saw of each file, by path relative to the root. */
  seenFiles: Map<string, string>;
}

/** A tool the model can call. `Input` is what `input` parses to. */
export interface Tool<Input = unknown> {
  name: string;
  /** A sentence or two for the model. */
  description: string;
  input: z.ZodType<Input>;
  effect: ToolEffect;
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
  /** What can be told of a call that the end of its process cut off. Left out where nothing can. */
  afterCutOff?(context: ToolContext): Promise<CallOutcome | undefined>;
}
