/**
 * Where the proof of a commit runs: a checkout of its tree, with what git ignores in the project at hand.
 * Rule: a new folder for each proof, and nothing of it stays; a folder in which the checks would look at the user's
 * files after all is none.
 */
import { join } from "@std/path";
import { isDependency, type Proof } from "../../agent/sandbox_proof.ts";
import { checkOutTree, ignoredEntries } from "../../git/checkout.ts";
import type { Git } from "../../git/run.ts";
import { WorkFailed } from "../../platform/errors.ts";
import { ensurePrivateDirectory, pathExists } from "../../platform/files.ts";
import { runProcess } from "../../platform/processes.ts";
import { decodeLossy } from "../../platform/text.ts";
import { isOwn } from "./own_folders.ts";

/** That a commit cannot be proved on its own here, and why. */
export class CannotProve extends WorkFailed {}

/** What a proof folder is made of. */
export interface ProofPlace {
  git: Git;
  /** The tree to check out. */
  tree: string;
  /** The session's own folder. */
  scratch: string;
  /** Whether the sandbox lays the checkout over the project's own path, with what git ignores. */
  isMounted: boolean;
  /** Of what git ignores, what is not taken along: paths as git names them. */
  without: readonly string[];
}

/**
 * Runs `use` with a checkout of the tree, and removes it afterwards.
 *
 * @throws {CannotProve} when the checks would not run on the commit alone
 * @throws {GitError} when the tree cannot be checked out
 */
export async function withProofFolder<T>(
  place: ProofPlace,
  use: (proof: Proof) => Promise<T>,
): Promise<T> {
  const { git, tree, scratch, isMounted } = place;
  const without = new Set(place.without);
  const ignored = (await ignoredEntries(git)).filter(({ text }) => !isOwn(text));
  const odd = ignored.find(({ isUtf8 }) => !isUtf8);
  if (odd !== undefined) {
    throw new CannotProve(
      `git ignores ${odd.text}, whose name is not UTF-8 and cannot be taken along`,
    );
  }
  const { searchPath } = await git.programs();
  const folder = isMounted ? makeBelow(scratch) : await makeOutside(searchPath);
  try {
    await checkOutTree(git, tree, folder, scratch);
    const taken = ignored.map(({ text }) => text).filter((path) => !without.has(path));
    const proof = { folder, ignored: taken };
    if (!isMounted) await takeAlong(git.root, proof, searchPath);
    return await use(proof);
  } finally {
    await remove(folder, searchPath);
  }
}

function makeBelow(scratch: string): string {
  const parent = join(scratch, "proof");
  ensurePrivateDirectory(parent);
  const folder = join(parent, crypto.randomUUID());
  ensurePrivateDirectory(folder);
  return folder;
}

/** Linters find no files below sessions/, which ignores everything: without a mount it has to be elsewhere. */
async function makeOutside(searchPath: string): Promise<string> {
  const { code, stdout, stderr } = await runProcess({
    script: 'umask 077; mktemp -d "/tmp/m31a-proof.XXXXXXXX"',
    args: [],
    env: { PATH: searchPath },
  });
  if (code !== 0) throw new CannotProve(`no temporary folder: ${decodeLossy(stderr).trim()}`);
  return decodeLossy(stdout).trim();
}

// Dependencies are linked, the rest is copied: a build writes there. What leads from the dependencies back into the
// project (an editable installation, a package of a workspace) would be the user's file and not the commit's.
const TAKE_ALONG = `
root=$1; folder=$2; shift 2
for path; do
  kind=\${path%%:*}; path=\${path#*:}
  [ -e "$root/$path" ] || continue
  mkdir -p -- "$(dirname -- "$folder/$path")" || exit 1
  if [ "$kind" = copy ]; then cp -a -- "$root/$path" "$folder/$path" || exit 1; continue; fi
  back=$(
    find "$root/$path" -maxdepth 2 -type l -lname '../../*' 2>/dev/null | head -n 1
    find "$root/$path" \\( -name '*.pth' -o -name '*.egg-link' -o -name '__editable__*' \\) -type f \\
      -exec grep -lF -- "$root" {} + 2>/dev/null | head -n 1
  )
  if [ -n "$back" ]; then printf '%s' "$back" >&2; exit 3; fi
  ln -s -- "$root/$path" "$folder/$path" || exit 1
done`;

async function takeAlong(
  root: string,
  { folder, ignored }: Proof,
  searchPath: string,
): Promise<void> {
  const args = ignored.map((path) => `${isDependency(path) ? "link" : "copy"}:${path}`);
  const { code, stderr } = await runProcess({
    script: TAKE_ALONG,
    args: [root, folder, ...args],
    env: { PATH: searchPath },
  });
  if (code === 0) return;
  const said = decodeLossy(stderr).trim();
  throw new CannotProve(
    code === 3
      ? `${
        said.split("\n")[0]
      } leads back into the project, so the checks would not run on the commit alone`
      : `what git ignores cannot be taken along: ${said}`,
  );
}

/** A build may have made folders that nobody may write to. */
async function remove(folder: string, searchPath: string): Promise<void> {
  const { code, stderr } = await runProcess({
    script: 'chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"',
    args: [folder],
    env: { PATH: searchPath },
  });
  if (code === 0) return;
  throw new WorkFailed(
    `${folder}: the proof's folder cannot be removed: ${decodeLossy(stderr).trim()}`,
  );
}

/** Removes what proofs that were killed have left below a session's own folder. */
export async function removeLeftProofs(git: Git, scratch: string): Promise<void> {
  const folder = join(scratch, "proof");
  if (!pathExists(folder)) return;
  await remove(folder, (await git.programs()).searchPath);
}
