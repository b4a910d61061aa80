/**
 * What a ship is given.
 * Rule: everything of the world comes in here: the session, git, the clock, the writer.
 */
import type { Git } from "../git/run.ts";
import type { Clock } from "../platform/clock.ts";
import type { Environment } from "../platform/environment.ts";
import type { SessionAccount } from "./account.ts";
import type { CheckWorld } from "./checks/run_check.ts";
import type { Writer } from "./demonstration.ts";
import type { ShipEvent } from "./events.ts";
import type { OpenSession } from "./log.ts";
import type { Outline } from "./outline.ts";
import type { Override, PreflightCheck } from "./preflight/check.ts";

/** A session that is to be shipped, and how. */
export interface ShipRequest {
  /** The project's root, a real path. */
  root: string;
  git: Git;
  environment: Environment;
  clock: Clock;
  /** Open for writing, and so this process's alone. */
  session: OpenSession;
  /** What its log says up to now; it grows with what is appended here. */
  account: SessionAccount;
  outline: Outline;
  /** The project's name. */
  project: string;
  /** Who worked, as the ledger says it. */
  author: string | null;
  settings: {
    prefix: string;
    /** The template of the subject. */
    subject: string;
    /** Whether the commit says which model helped. */
    attribution: boolean;
    /** Whether planning/ is committed along. */
    planningFiles: boolean;
    /** How long hooks and signing may take, in milliseconds. */
    commitTimeoutMs: number;
  };
  overrides: ReadonlySet<Override>;
  /** The user's own subject and body; from the workflow when left out. */
  message?: string;
  /** Files and folders of the user's that go along with the commit, relative to the root. */
  include: readonly string[];
  /** Where the checks run that prove the commit on its own. */
  checking: Pick<CheckWorld, "sandbox" | "secrets"> & {
    commands: CheckWorld["commands"] & {
      /** Of files up to this size it is kept what they held before a hook. */
      keepBytes: number;
    };
  };
  /** Who writes the demonstration; from the facts alone when left out. */
  writer?: Writer;
  signal: AbortSignal;
  /** Asked before the commit, with what the checks found; not asked when left out. */
  confirm?(checks: readonly PreflightCheck[]): Promise<boolean>;
  onEvent(event: ShipEvent): void;
}
