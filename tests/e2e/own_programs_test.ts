/** Which programs m31a starts for itself, with a PATH and an environment that a project could have a hand in. */
import assert from "node:assert/strict";
import { join } from "@std/path";
import { canRun, testWhere } from "../support/machine.ts";
import type { Project } from "../support/project.ts";
import { DEMONSTRATION, withNumbers, work } from "./ship/numbers_project.ts";

/** Whatever m31a could use by name, and more. */
const NAMES = (
  "bash bwrap cat chmod command cp dash env find git git-commit grep head id kill ls mkdir mktemp mv ps pwd " +
  "readlink realpath rm rmdir sed sh sleep sort stat tail test touch true uname xargs"
).split(" ");

const hasBubblewrap = canRun("bwrap", "--ro-bind", "/", "/", "true");

/** Puts programs into the project's `.venv/bin` that say they were started, outside of the sandbox, and end. */
function plant(project: Project): string {
  for (const name of NAMES) {
    const path = `.venv/bin/${name}`;
    project.write({ [path]: `#!/bin/sh\necho ${name} >>'${project.outside}/started'\nexit 1\n` });
    Deno.chmodSync(join(project.root, path), 0o755);
  }
  project.write({ ".venv/.gitignore": "*\n" });
  return join(project.root, ".venv/bin");
}

function started(project: Project): string {
  try {
    return Deno.readTextFileSync(`${project.outside}/started`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

testWhere(
  hasBubblewrap,
  "needs bubblewrap",
  "no command of m31a's starts a program from a folder that commands may write to",
  () =>
    withNumbers(async (numbers) => {
      const { project } = numbers;
      const bin = plant(project);
      project.write({
        "trap": `echo start-up file >>'${project.outside}/started'\n`,
        ".git/info/exclude": "trap\n",
      });
      const spring = `() {  echo function >>'${project.outside}/started'; }`;
      const env = {
        PATH: `${bin}:.venv/bin::${project.variables["PATH"]}`,
        ENV: join(project.root, "trap"),
        LD_LIBRARY_PATH: bin,
        IFS: "x",
        CDPATH: project.outside,
        ...Object.fromEntries(NAMES.map((name) => [`BASH_FUNC_${name}%%`, spring])),
        GIT_EXEC_PATH: bin,
        GIT_SSH: join(bin, "sh"),
      };
      const words = [...work("numbers.txt", "2", "5"), DEMONSTRATION];
      const ended = await numbers.run("Make the second number 5", words, {
        env,
        cwd: join(project.root, "src"),
      });
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      assert.match(ended.stdout, /^Shipped/m);
      for (
        const args of [
          ["status"],
          ["doctor"],
          ["config"],
          ["session", "list"],
          ["stats"],
          ["undo", "--ship", "--yes"],
        ]
      ) {
        const { stdout, stderr } = await project.run(args, { env, cwd: join(project.root, "src") });
        if (args[0] !== "doctor") continue;
        assert.match(
          stdout,
          /takes no program from .*\.venv\/bin: it is in .*commands may write to/,
        );
        assert.match(stdout, /takes no program from \.venv\/bin: it is not absolute/);
        assert.match(stdout, /LD_LIBRARY_PATH: set, and empty/, stderr);
      }
      assert.equal(started(project), "");
    }),
);

testWhere(
  hasBubblewrap,
  "needs bubblewrap",
  "a command of the model's gets the user's PATH as it is",
  () =>
    withNumbers(async (numbers) => {
      const { project, model } = numbers;
      project.write({ ".venv/bin/mine": "#!/bin/sh\necho my own\n" });
      Deno.chmodSync(join(project.root, ".venv/bin/mine"), 0o755);
      model.says(
        { calls: [{ tool: "run_command", input: { command: "mine; echo $PATH" } }] },
        { text: "Done." },
      );
      const PATH = `${join(project.root, ".venv/bin")}:${project.variables["PATH"]}`;
      const { code, stderr } = await project.run(["chat", "--approval", "all"], {
        input: "go\n",
        env: { PATH },
      });
      assert.equal(code, 0, stderr);
      const [result] = project.records().filter(({ type }) => type === "tool_result");
      assert.match(String(result?.["output"]), /my own/);
      assert.ok(String(result?.["output"]).includes(PATH));
    }),
);
