/**
 * Writes the documents that are made from the code: `deno task docs`.
 * Rule: what is made is formatted like the rest; a test says when one is not what the code says.
 */
import { join } from "@std/path";
import { PROJECT_ROOT } from "./deno.ts";
import { configurationDocument } from "./docs/configuration.ts";
import { eventsDocument, eventsSchema } from "./docs/events.ts";

/** By path, how each is made. */
const DOCUMENTS: Readonly<Record<string, () => string>> = {
  "docs/configuration.md": configurationDocument,
  "docs/events.md": eventsDocument,
  "docs/events.schema.json": eventsSchema,
};

/** Every document as it should be, by its path from the root. */
export async function madeDocuments(): Promise<Map<string, string>> {
  const made = Object.entries(DOCUMENTS).map(async ([path, make]) =>
    [path, await formatted(path, make())] as const
  );
  return new Map(await Promise.all(made));
}

async function formatted(path: string, text: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", `--ext=${path.split(".").at(-1)}`, "--line-width=100", "-"],
    cwd: PROJECT_ROOT,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error(`deno fmt cannot read what is made for ${path}`);
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  for (const [path, text] of await madeDocuments()) {
    Deno.writeTextFileSync(join(PROJECT_ROOT, path), text);
    console.log(path);
  }
}
