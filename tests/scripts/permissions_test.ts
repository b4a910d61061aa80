import assert from "node:assert/strict";
import { join } from "@std/path";
import { applicationFlags, permissionFlags, testFlags } from "../../scripts/permissions.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

/** Runs a program's text with the application's flags in `folder`; gives what it printed. */
async function runConfined(folder: string, source: string): Promise<string> {
  const program = join(folder, "program.ts");
  Deno.writeTextFileSync(program, source);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...applicationFlags(), program],
    cwd: folder,
    env: { M31A_MODEL: "script:x", SECRET_TOKEN: "s", NO_COLOR: "1" },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

/** A program that prints whether `expression` works, as `ok: …` or the name of the error. */
function attempt(expression: string): string {
  return `try { console.log("ok:", ${expression}); } catch (error) { console.log(error.name); }\n`;
}

Deno.test("permissionFlags() gives a bare flag for a kind that is granted whole", () => {
  assert.deepEqual(permissionFlags({ run: ["git"], net: "all" }), [
    "--no-prompt",
    "--allow-run=git",
    "--allow-net",
  ]);
});

Deno.test("applicationFlags() grants nothing whole but the network", () => {
  assert.deepEqual(applicationFlags().filter((flag) => !flag.includes("=")), [
    "--no-prompt",
    "--allow-net",
  ]);
});

Deno.test("testFlags() grants every kind that applicationFlags() grants", () => {
  const kinds = (flags: string[]) => flags.map((flag) => flag.split("=", 1)[0]);
  const granted = kinds(testFlags());
  for (const kind of kinds(applicationFlags())) assert.ok(granted.includes(kind), kind);
});

Deno.test("applicationFlags() let planning/ and sessions/ be written and no folder to the side", async () => {
  await withTemporaryFolder(async (folder) => {
    for (const name of ["planning", "sessions", "src"]) Deno.mkdirSync(join(folder, name));
    const printed = await runConfined(
      folder,
      ["planning/a", "sessions/a", "src/a", "a", "planning/../src/b", "../a"]
        .map((path) => attempt(`Deno.writeTextFileSync(${JSON.stringify(path)}, "x")`)).join(""),
    );
    assert.equal(
      printed,
      "ok: undefined\nok: undefined\nNotCapable\nNotCapable\nNotCapable\nNotCapable\n",
    );
    assert.deepEqual([...Deno.readDirSync(join(folder, "src"))], []);
  });
});

Deno.test("applicationFlags() let the project be read and not the home directory", async () => {
  await withTemporaryFolder(async (folder) => {
    Deno.writeTextFileSync(join(folder, "here"), "text");
    const printed = await runConfined(
      folder,
      attempt(`Deno.readTextFileSync("here")`) +
        attempt(`Deno.readDirSync(Deno.env.get("HOME")).next()`) +
        attempt(`Deno.readTextFileSync("/etc/hostname")`),
    );
    assert.equal(printed, "ok: text\nNotCapable\nNotCapable\n");
  });
});

Deno.test("applicationFlags() let /bin/sh be run and no other program, git neither", async () => {
  await withTemporaryFolder(async (folder) => {
    const run = (program: string, args: string) =>
      attempt(`new Deno.Command(${program}, { args: ${args} }).outputSync().code`);
    const printed = await runConfined(
      folder,
      run(`"/bin/sh"`, `["-c", "exit 4"]`) + run(`"git"`, `["--version"]`) + run(`"ls"`, "[]") +
        run("Deno.execPath()", `["--version"]`),
    );
    assert.equal(printed, "ok: 4\nNotCapable\nNotCapable\nNotCapable\n");
  });
});

Deno.test("applicationFlags() let M31A_* and the listed variables be read and no other", async () => {
  await withTemporaryFolder(async (folder) => {
    const printed = await runConfined(
      folder,
      attempt(`Deno.env.get("M31A_MODEL")`) + attempt(`Deno.env.get("NO_COLOR")`) +
        attempt(`Deno.env.get("SECRET_TOKEN")`) + attempt("Deno.env.toObject()"),
    );
    assert.equal(printed, "ok: script:x\nok: 1\nNotCapable\nNotCapable\n");
  });
});
