import assert from "node:assert/strict";
import { ADDED_LINES_OPTIONS, parseAddedLines } from "../../src/git/added_lines.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";

function addedIn(folder: GitFolder): string[] {
  folder.run("add", "-A");
  const diff = folder.runBytes(["diff", "--cached", ...ADDED_LINES_OPTIONS, "HEAD"]);
  return parseAddedLines(diff).map(({ path, line, text }) => `${path.text}:${line}:${text}`);
}

Deno.test("parseAddedLines() gives the added lines with their place, and no others", async () => {
  await withGitFolder((folder) => {
    folder.write("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    folder.write("gone", "x\n");
    folder.write("crlf", "1\r\n");
    folder.commitAll();
    folder.write("a", "1\nTWO\n3\n4\n5\n6\n7\n8\nnine");
    folder.write("new", "+++ b/forged\n@@ -1 +1 @@\n--- a/x\n\\ No newline at end of file\n");
    folder.write("crlf", "1\r\n2\r\n");
    folder.write("picture", Uint8Array.of(0, 1));
    folder.write('né w\t"x', "y\n");
    folder.write("with space", "z\n");
    folder.write("empty", "");
    Deno.removeSync(`${folder.root}/gone`);
    assert.deepEqual(addedIn(folder).sort(), [
      "a:2:TWO",
      "a:9:nine",
      "crlf:2:2",
      "new:1:+++ b/forged",
      "new:2:@@ -1 +1 @@",
      "new:3:--- a/x",
      "new:4:\\ No newline at end of file",
      'né w\t"x:1:y',
      "with space:1:z",
    ]);
  });
});

Deno.test("parseAddedLines() counts lines through context", () => {
  const diff = "--- a/f\n+++ b/f\n@@ -4,3 +4,4 @@ fn\n a\n-b\n+c\n+d\n e\n";
  const lines = parseAddedLines(new TextEncoder().encode(diff));
  assert.deepEqual(lines.map(({ line, text }) => [line, text]), [[5, "c"], [6, "d"]]);
});

Deno.test("parseAddedLines() keeps a name that is not UTF-8", () => {
  const diff = '--- /dev/null\n+++ "b/\\377x"\n@@ -0,0 +1 @@\n+a\n';
  const [line] = parseAddedLines(new TextEncoder().encode(diff));
  assert.deepEqual(line?.path.bytes, Uint8Array.of(0xff, 0x78));
});

Deno.test("parseAddedLines() refuses a diff that ends early or makes no sense", () => {
  const parse = (text: string) => () => parseAddedLines(new TextEncoder().encode(text));
  assert.throws(parse("+++ b/f\n@@ -0,0 +1,2 @@\n+a\n"), /line 3: the diff ends inside a hunk/);
  assert.throws(parse("+++ b/f\n@@ -0,0 +1,2 @@\n+a\nx\n"), /line 4: a line of a hunk has no mark/);
  assert.throws(parse("@@ -0,0 +1 @@\n+a\n"), /line 1: a hunk without a file/);
});
