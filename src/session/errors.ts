/**
 * Everything that can be wrong with a session, as one hierarchy.
 * Rule: the message is what the user sees: the file, the line, why, and the command that would help.
 */
import { DamagedData, type ExitCode, M31aError } from "../platform/errors.ts";

/** The root of all errors of the session store. */
export class SessionError extends M31aError {}

/** `create` was given an id that exists already. */
export class SessionExists extends SessionError {
  constructor(id: string) {
    super(`session ${id} exists already; nothing was changed`, 2);
  }
}

/** No session has this id or prefix, or several have. */
export class SessionNotFound extends SessionError {
  constructor(message: string, exitCode: ExitCode = 2) {
    super(message, exitCode);
  }
}

/** Another process has the session open for writing. */
export class SessionInUse extends SessionError {
  /** The session's id. */
  readonly session: string;

  constructor(id: string) {
    super(
      `session ${id} is open in another m31a process: m31a attach ${id} joins it; or end that one, ` +
        `or go on in a copy: m31a session fork ${id}`,
      2,
    );
    this.session = id;
  }
}

/** The session was ended by the caller; it takes no more records. */
export class SessionClosed extends SessionError {
  constructor(id: string) {
    super(`session ${id} is closed; go on with: m31a chat --resume ${id}`, 2);
  }
}

/** The operating system refused to read or write a file of the session. Nothing acknowledged is lost. */
export class SessionIo extends SessionError {
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(`${path}: ${message}`, 1, options);
    this.path = path;
  }
}

/** Where a log stops being what was written to it. */
export interface Damage {
  path: string;
  /** 1 for the first line. */
  line: number;
  why: string;
  /** Nothing but the damage follows: it can be cut. */
  isTail: boolean;
  /** How many bytes before the damage are good. */
  goodBytes: number;
}

/** A log that is not what was written to it. `isTail` when `m31a session repair` can cut what is wrong. */
export class SessionTorn extends DamagedData {
  readonly damage: Damage;

  constructor(id: string, damage: Damage) {
    const help = damage.isTail
      ? `cut the unfinished end, a copy is kept: m31a session repair ${id}`
      : `copy the good records before it into a new session: m31a session salvage ${id}`;
    super(`${damage.path}:${damage.line}: ${damage.why}\n  ${help}`);
    this.damage = damage;
  }
}

/** The baseline is missing, not what was written, or of a newer format. */
export class BaselineInvalid extends DamagedData {
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.path = path;
  }
}

/** A record that may not be appended: a defect of the caller, found before a byte was written. */
export class RecordInvalid extends SessionError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, 1, options);
  }
}
