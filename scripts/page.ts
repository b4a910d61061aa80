/**
 * Makes the script of the browser's page, src/faces/page/page.js, from its sources: `deno task page`.
 * Rule: the first line names what it was made from, so that a test notices when it is older than its sources.
 */
import { createHash } from "node:crypto";
import { join } from "@std/path";
import { installPackages, PACKAGES } from "./bundle.ts";
import { PROJECT_ROOT } from "./deno.ts";

const FOLDER = join(PROJECT_ROOT, "src", "faces", "page");

/** The script as it lies in the repository. */
export const PAGE_SCRIPT = join(FOLDER, "page.js");

/** The packages that go into the page; another version makes another page. */
const INSIDE = /"(?:preact|diff|mdast-util-[\w-]+|micromark-extension-[\w-]+)":.*/g;

/** The first line of a script that is made from the sources as they are. */
export function firstLine(): string {
  const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name)
    .filter((name) => /\.tsx?$/.test(name)).sort();
  const packages = Deno.readTextFileSync(join(PROJECT_ROOT, "deno.json")).match(INSIDE) ?? [];
  const sources = names.map((name) => `${name}\n${Deno.readTextFileSync(join(FOLDER, name))}`);
  const digest = createHash("sha256").update([...packages, ...sources].join("\n")).digest("hex");
  return `// made by "deno task page" from sources with the SHA-256 ${digest}`;
}

async function makePage(): Promise<void> {
  await installPackages();
  const esbuild = await import("esbuild");
  try {
    await esbuild.build({
      entryPoints: [join(FOLDER, "main.tsx")],
      outfile: PAGE_SCRIPT,
      bundle: true,
      minify: true,
      format: "iife",
      platform: "browser",
      jsx: "automatic",
      jsxImportSource: "preact",
      target: "es2023",
      nodePaths: [PACKAGES],
      // `</script` in the script would end it.
      supported: { "inline-script": false },
      banner: { js: firstLine() },
      legalComments: "none",
      logLevel: "warning",
    });
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) await makePage();
