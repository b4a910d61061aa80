/**
 * A small project in a repository of its own, for as long as a part of the demo lasts.
 * Rule: nothing of the user's git configuration is needed, and nothing of the project stays.
 */
import { join } from "@std/path";

/** Makes a project of `files` (texts by name), committed, and removes it afterwards. */
export async function withDemoProject<T>(
  files: Readonly<Record<string, string>>,
  show: (project: string) => Promise<T>,
): Promise<T> {
  const project = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "m31a-demo-" }));
  try {
    for (const [name, text] of Object.entries(files)) {
      Deno.writeTextFileSync(join(project, name), text);
    }
    await git(project, "init", "--quiet");
    await git(project, "add", "--all");
    const author = ["-c", "user.name=Demo", "-c", "user.email=demo@example.org"];
    await git(project, ...author, "commit", "--quiet", "--no-verify", "--message", "A project");
    return await show(project);
  } finally {
    Deno.removeSync(project, { recursive: true });
  }
}

async function git(project: string, ...args: string[]): Promise<void> {
  const quiet = ["-c", "commit.gpgSign=false", "-c", "core.hooksPath=/dev/null"];
  const command = new Deno.Command("git", { args: [...quiet, ...args], cwd: project });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`git ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
}
