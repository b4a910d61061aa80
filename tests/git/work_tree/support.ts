/** A tree that is looked at again and again, for tests. */
import { WorkTree, type WorkTreeSettings } from "../../../src/git/work_tree/work_tree.ts";
import type { TreeChanges } from "../../../src/git/work_tree/changes.ts";
import type { TreeFile } from "../../../src/git/work_tree/contents.ts";
import { quoteName } from "../../../src/git/quote.ts";
import { decodeLossy } from "../../../src/platform/text.ts";
import { type GitFolder, withGitFolder } from "../../support/git_folder.ts";

/** A repository with a commit, and a {@linkcode WorkTree} of it. */
export class LookedAt {
  readonly work: WorkTree;
  readonly settings: WorkTreeSettings;

  constructor(readonly folder: GitFolder, keepBytes: number) {
    this.settings = {
      folder: `${folder.scratch}/tree`,
      keepBytes,
      apart: ["planning", "sessions"],
    };
    this.work = new WorkTree(folder.git, this.settings);
  }

  /** Another process's. */
  again(): WorkTree {
    return new WorkTree(this.folder.git, this.settings);
  }

  /** What `command`, text for sh in the root, changes. */
  async changesOf(command: string): Promise<TreeChanges> {
    const before = await this.work.take();
    this.sh(command);
    return await this.work.changesBetween(before, await this.work.take());
  }

  /** Runs text for sh in the root. */
  sh(command: string): string {
    const { stdout, stderr, code } = new Deno.Command("sh", {
      args: ["-c", command],
      cwd: this.folder.root,
      env: this.folder.environment,
    }).outputSync();
    if (code !== 0) throw new Error(`${command}: ${decodeLossy(stderr)}`);
    return decodeLossy(stdout);
  }

  /** The tree that git itself would commit with everything added. */
  gitTree(): string {
    const index = `${this.folder.scratch}/reference`;
    return this.sh(`
      rm -f '${index}'; cp .git/index '${index}' 2>/dev/null; export GIT_INDEX_FILE='${index}'
      git add -A . >&2 && git rm -rq --cached --ignore-unmatch planning sessions && git write-tree`)
      .trim();
  }

  /** What a state of a file held, if it can be had. */
  contentOf(file: TreeFile | null): string | undefined {
    if (file === null || !file.kept) return undefined;
    const { root } = this.folder;
    return this.sh(`GIT_OBJECT_DIRECTORY='${this.settings.folder}/objects' \
      GIT_ALTERNATE_OBJECT_DIRECTORIES='${root}/.git/objects' git cat-file blob ${file.blob}`);
  }

  /** Changes in a line each: the path, then what it held before and after. */
  told({ files, unknown }: TreeChanges): string[] {
    const side = (file: TreeFile | null) =>
      file === null ? "nothing" : `${file.mode} ${this.contentOf(file) ?? "(not kept)"}`;
    return [
      ...files.map(({ path, before, after }) =>
        `${quoteName(path.text)}: ${side(before)} -> ${side(after)}`
      ),
      ...unknown.map(({ path, why }) => `${path.text}: ${why}`),
    ].sort();
  }
}

/** Makes a repository with some committed files, and removes it afterwards. */
export async function withLookedAt(
  test: (tree: LookedAt) => Promise<void>,
  keepBytes = 1_000_000,
): Promise<void> {
  await withGitFolder(async (folder) => {
    folder.write("a.txt", "a\n");
    folder.write("src/b.txt", "b\n");
    folder.commitAll();
    await test(new LookedAt(folder, keepBytes));
  });
}
