/**
 * sessions/trust.json: what the user has trusted, here and on this machine: texts of planning/config.toml, and programs of
 * the project's that git may start.
 * Rule: a record says nothing anywhere but where it was made, so that no repository or archive can bring one.
 */
import { join } from "@std/path";
import { z } from "zod";
import { NoGit, NotARepository } from "../git/errors.ts";
import { Git } from "../git/run.ts";
import { canonicalJson, sha256Hex } from "../platform/canonical_json.ts";
import type { Environment } from "../platform/environment.ts";
import { UsageError } from "../platform/errors.ts";
import {
  lstatOrUndefined,
  readTextIfExists,
  refuseForeign,
  refuseSymlinks,
  writeAtomically,
} from "../platform/files.ts";
import { ensureSessionsDirectory, sessionDirectory, SESSIONS } from "../session/layout.ts";

/** The record, relative to the project's root. */
const TRUST_PATH = `${SESSIONS}/trust.json`;

/** So many texts are remembered, the newest: branches may each have their own. */
const MAX_TEXTS = 100;

const recordSchema = z.object({ trusted: z.array(z.string()) });

/**
 * Whether the user has trusted exactly this text of the configuration, in this folder.
 *
 * @throws {FileError} when the record is behind a symbolic link, another user could have written it, or it cannot be read
 */
export function isTrusted(root: string, text: string): boolean {
  const hash = hashOf(root, text);
  return hash !== undefined && readRecord(root).includes(hash);
}

/**
 * Records that the user trusts exactly this text.
 *
 * @throws {UsageError} when git tracks something in sessions/, or the file system cannot tell folders apart
 * @throws {FileError} when the record cannot be written
 */
export async function recordTrust(
  root: string,
  environment: Environment,
  text: string,
): Promise<void> {
  if (await tracksSessions(root, environment)) {
    throw new UsageError(
      `git tracks files in ${SESSIONS}/, so nothing that is recorded there can be relied on. ` +
        `Take them out first: git rm -r --cached ${SESSIONS}`,
    );
  }
  ensureSessionsDirectory(root);
  const hash = hashOf(root, text);
  if (hash === undefined) {
    throw new UsageError(
      `${SESSIONS}: this file system does not tell one folder from another, so trust cannot be recorded. ` +
        "Give the settings as flags or M31A_* variables.",
    );
  }
  const trusted = [...readRecord(root).filter((known) => known !== hash), hash].slice(-MAX_TEXTS);
  writeAtomically(join(root, TRUST_PATH), `${JSON.stringify({ trusted })}\n`, 0o600);
}

/**
 * Refuses to go on with a session that the repository may have brought: its log names commands and files.
 *
 * @throws {UsageError} when git tracks a file of it
 */
export async function refuseTrackedSession(
  root: string,
  environment: Environment,
  id: string,
): Promise<void> {
  const directory = sessionDirectory(id);
  if (!await tracksSessions(root, environment, directory)) return;
  throw new UsageError(
    `${directory}: git tracks files of this session, so it may have come with the repository; m31a does not ` +
      `go on with it. Read it: m31a session show ${id}\nIf it is your own, take it out of git first: ` +
      `git rm -r --cached ${directory}`,
  );
}

/** Whether git tracks anything in sessions/, or in a folder in it, in whatever case it is spelled. False where there is no git or no repository. */
export async function tracksSessions(
  root: string,
  environment: Environment,
  folder = SESSIONS,
): Promise<boolean> {
  try {
    const args = ["ls-files", "-z", "--", `:(top,icase)${folder}`];
    const options = { pathspecs: "magic", maxOutputBytes: 1_000, startsNothing: true } as const;
    return (await new Git(root, environment).read(args, options)).byteLength > 0;
  } catch (error) {
    if (error instanceof NotARepository || error instanceof NoGit) return false;
    throw error;
  }
}

/** The record's entries. One that cannot be understood was not made here and says nothing. */
function readRecord(root: string): string[] {
  refuseSymlinks(root, TRUST_PATH);
  for (const path of [SESSIONS, TRUST_PATH]) refuseForeign(root, path);
  try {
    const value: unknown = JSON.parse(readTextIfExists(join(root, TRUST_PATH)) ?? "null");
    return recordSchema.safeParse(value).data?.trusted ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/**
 * Binds a text to the project's real path and to the folder sessions/ itself: its inode, and the time of its
 * creation, which nobody who makes a repository or an archive can choose. Where that time is not known the
 * device stands in for it, which a restart may change: the user is then asked again.
 */
function hashOf(root: string, text: string): string | undefined {
  const info = lstatOrUndefined(join(root, SESSIONS));
  if (info === undefined || !info.isDirectory) return undefined;
  const made = info.birthtime?.getTime() ?? info.dev;
  if (info.ino === null && info.birthtime === null) return undefined;
  const place = { root: Deno.realPathSync(root), inode: info.ino, made };
  return sha256Hex(canonicalJson({ ...place, text: sha256Hex(text) }));
}
