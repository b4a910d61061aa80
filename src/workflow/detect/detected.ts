/**
 * What project detection finds, as data.
 * Rule: a check is here only when the project itself defines it or its build tool brings it.
 */

/** What a check proves, in the order in which checks are run. */
export const CHECK_NAMES = ["build", "typecheck", "lint", "test"] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** A command that proves something about the whole project. */
export interface DetectedCheck {
  name: CheckName;
  /** Shell text, run in the project's root. It ends by itself and asks nothing. */
  command: string;
  /** Where it comes from: `package.json:12`, or a file's name where no line says it. */
  source: string;
  /** Nothing but the look of the files speaks for it: a Makefile's target goes before it. */
  isGuess?: true;
  /** The folder below the root that it is about; `undefined` for the whole project. */
  folder?: string;
}

/** A check's name as it is recorded: `test`, or `test (backend)` where it is about a folder. */
export function checkLabel({ name, folder }: DetectedCheck): string {
  return folder === undefined ? name : `${name} (${folder})`;
}

/** Something that looks like a check and is none. */
export interface LeftOut {
  /** Where it stands: `package.json:12`, or a file's or folder's name. */
  source: string;
  /** What it is: a script, a target, a folder. */
  what: string;
  /** Why it is no check, and what would make it one. */
  reason: string;
}

/** What is left out as a line for a person. */
export function describeLeftOut({ source, what, reason }: LeftOut): string {
  return `${source}: ${what} is no check: ${reason}`;
}

/** One ecosystem of a project: most have one, some a second (a Makefile, a front end). */
export interface DetectedEcosystem {
  /** `Deno`, `Node`, `Python`, `Rust`, `Go`, `Java`, `.NET`, `Ruby`, `PHP`, `C/C++` or `Make`. */
  type: string;
  /** Where the language is not the type's own: `TypeScript`, `Kotlin`. Else empty. */
  language: string;
  packageManager: string;
  /** Frameworks by their usual names, the most telling first. */
  frameworks: readonly string[];
  /** Whether the root holds several packages. */
  isMonorepo: boolean;
  checks: readonly DetectedCheck[];
  /** How much speaks for this being what the project is about; compared only. */
  evidence: number;
}

/** A manifest, or a part of one, that could not be read. */
export interface ManifestProblem {
  path: string;
  /** Counted from 1. */
  line: number;
  reason: string;
}

/** A project as its manifests show it. */
export interface DetectedProject {
  /** What the project is about; `undefined` when no manifest is known. */
  primary: DetectedEcosystem | undefined;
  others: readonly DetectedEcosystem[];
  /** The checks of all ecosystems, in the order in which to run them. */
  checks: readonly DetectedCheck[];
  problems: readonly ManifestProblem[];
  /** What looks like a check and is none, said before any work starts. */
  leftOut: readonly LeftOut[];
}

/** The files of a project, as far as detection needs them. */
export interface ManifestReader {
  /** The names in a folder by its path from the root, the root's own without one; none where there is no such folder. */
  list(folder?: string): readonly string[];
  /** The names of the folders among them; a symbolic link is none. */
  folders(folder?: string): readonly string[];
  /** The text of a file by its path from the root, `/` between parts; `undefined` when there is none. */
  read(path: string): string | undefined;
  /** What was there, and was not read. */
  unread?(): readonly LeftOut[];
}
