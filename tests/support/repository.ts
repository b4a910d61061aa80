/** Real git repositories in temporary folders, with a fixed identity and no configuration of the machine's. */
import { join } from "@std/path";
import { Git } from "../../src/git/run.ts";
import { withTemporaryFolder } from "./temporary.ts";

/** The environment for git in tests: `folder` stands for the home directory. */
export function testEnvironment(folder: string): Record<string, string> {
  return { PATH: Deno.env.get("PATH") ?? "", HOME: folder, TMPDIR: folder };
}

/** A fresh repository on the branch `main`, without a commit. */
export interface TestRepository {
  root: string;
  git: Git;
  environment: Record<string, string>;
  /** Writes a file, making its folders. */
  put(path: string, content: string | Uint8Array): void;
  /** Stages everything and commits it; resolves to the commit's id. */
  commit(message?: string): Promise<string>;
}

/** Runs `test` in a fresh repository and removes it afterwards. */
export function withRepository<T>(test: (repository: TestRepository) => Promise<T>): Promise<T> {
  return withTemporaryFolder(async (folder) => {
    const home = join(folder, "home");
    const root = join(folder, "project");
    Deno.mkdirSync(home);
    Deno.mkdirSync(root);
    Deno.writeTextFileSync(
      join(home, ".gitconfig"),
      "[user]\n\tname = Test\n\temail = test@example.com\n[commit]\n\tgpgsign = false\n",
    );
    const environment = testEnvironment(home);
    const git = new Git(root, environment);
    await git.write(["init", "-q", "-b", "main"]);
    return await test({
      root,
      git,
      environment,
      put(path, content) {
        const target = join(root, path);
        Deno.mkdirSync(join(target, ".."), { recursive: true });
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        Deno.writeFileSync(target, bytes);
      },
      async commit(message = "change") {
        await git.write(["add", "-A"]);
        await git.write(["commit", "-q", "--allow-empty", "-m", message]);
        return (await git.readText(["rev-parse", "HEAD"])).trim();
      },
    });
  });
}
