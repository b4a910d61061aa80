/**
 * The error of a planning document that cannot be understood.
 * Rule: it names the file, the line and what would be right, so that a person can mend the line.
 */
import { DamagedData } from "../platform/errors.ts";

/** A line of a planning document means nothing to m31a. Exit code 3. */
export class PlanningError extends DamagedData {
  /** The document, relative to the project's root. */
  readonly path: string;
  /** The line, counted from 1. */
  readonly line: number;

  constructor(path: string, line: number, reason: string) {
    super(`${path}:${line}: ${reason}`);
    this.path = path;
    this.line = line;
  }
}
