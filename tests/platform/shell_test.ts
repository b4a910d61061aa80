/** Starting `sh`: what of the caller's environment reaches a script of m31a's. */
import assert from "node:assert/strict";
import { startShell, unsetVariables } from "../../src/platform/shell.ts";
import { decodeLossy } from "../../src/platform/text.ts";
import { canRun, testWhere } from "../support/machine.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

const SHELL_MODULE = import.meta.resolve("../../src/platform/shell.ts");
const PERMISSIONS = import.meta.resolve("../../scripts/permissions.ts");

async function print(
  script: string,
  overrides: Record<string, string>,
  ...args: string[]
): Promise<string> {
  const options = { overrides, stdout: "piped", stderr: "piped" } as const;
  const { stdout, stderr } = await startShell(script, args, options).output();
  return decodeLossy(stdout) + decodeLossy(stderr);
}

Deno.test("startShell() gives a script its arguments as they are", async () => {
  const odd = ["", "-c", "a b", "$(id)", "'\"\n", "*"];
  assert.equal(
    await print(`printf '<%s>' "$@"`, {}, ...odd),
    odd.map((arg) => `<${arg}>`).join(""),
  );
});

const isBashPossible = canRun(...withBashAsSh("true"));

/** `command`, where /bin/sh is bash, as it is on many systems. */
function withBashAsSh(...command: string[]): string[] {
  const bash = ["/usr/bin/bash", "/bin/bash"].find((path) => canRun(path, "-c", "true")) ?? "bash";
  return [
    "bwrap",
    "--dev-bind",
    "/",
    "/",
    "--ro-bind",
    bash,
    Deno.realPathSync("/bin/sh"),
    ...command,
  ];
}

for (
  const { shell, wrap, isPossible } of [
    { shell: "this machine's sh", wrap: (...command: string[]) => command, isPossible: true },
    { shell: "bash", wrap: withBashAsSh, isPossible: isBashPossible },
  ]
) {
  testWhere(
    isPossible,
    "needs bwrap and bash",
    `startShell() runs a script under ${shell} as it is written, whatever is inherited`,
    async () => {
      await withTemporaryFolder(async (folder) => {
        const spring = `touch "${folder}/sprung"`;
        Deno.writeTextFileSync(`${folder}/trap`, `${spring}\n`);
        const functions = ["cd", "pwd", "[", "printf", "echo", "read", "find", "kill", "git"].map(
          (name) => [`BASH_FUNC_${name}%%`, `() {  ${spring}; }`],
        );
        const script = `cd / && [ "$PWD" = / ] && printf '%s\\n' "done \${BASH_VERSION:+in bash}"
          for word in a:b; do echo "$word"; done; export -p | grep -E "SHELLOPTS|BASHOPTS| ENV="`;
        const program = `${folder}/program.ts`;
        Deno.writeTextFileSync(
          program,
          `import { startShell } from ${JSON.stringify(SHELL_MODULE)};
          await startShell(${JSON.stringify(script)}, []).status;`,
        );
        const [command = "", ...args] = wrap(Deno.execPath(), "run", "-A", "--no-check", program);
        const { stdout, stderr } = await new Deno.Command(command, {
          args,
          env: {
            ...Object.fromEntries(functions),
            ENV: `${folder}/trap`,
            BASH_ENV: `${folder}/trap`,
            IFS: ":",
            CDPATH: folder,
            SHELLOPTS: "xtrace:noexec",
            PS4: `$(${spring})`,
          },
        }).output();
        const bash = shell === "bash" ? "in bash" : "";
        assert.equal(decodeLossy(stdout), `done ${bash}\na:b\n`, decodeLossy(stderr));
        assert.throws(() => Deno.statSync(`${folder}/sprung`), Deno.errors.NotFound);
      });
    },
  );
}

Deno.test("startShell() starts programs with the permissions of the executable though the loader's variables are set", async () => {
  await withTemporaryFolder(async (folder) => {
    const program = `${folder}/program.ts`;
    Deno.writeTextFileSync(
      program,
      `import { emptiedLoaderVariables, startShell } from ${JSON.stringify(SHELL_MODULE)};
      const child = startShell('echo "[$LD_LIBRARY_PATH$LD_OF_A_NEW_LOADER]"', [], { stdout: "piped" });
      console.log(new TextDecoder().decode((await child.output()).stdout).trim());
      console.log((await emptiedLoaderVariables()).join(" "));`,
    );
    const { applicationFlags } = await import(PERMISSIONS);
    const env = { LD_LIBRARY_PATH: "/nonexistent", LD_OF_A_NEW_LOADER: "1", NO_COLOR: "1" };
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", ...applicationFlags(), program],
      cwd: folder,
      env,
    }).output();
    assert.equal(
      decodeLossy(stdout),
      "[]\nLD_LIBRARY_PATH LD_OF_A_NEW_LOADER\n",
      decodeLossy(stderr),
    );
  });
});

Deno.test("unsetVariables() takes out what matches, keeps what is to stay, and leaves the shell as it was", async () => {
  const script = `${unsetVariables("M31A_*|*_key", ["M31A_KEPT", "not a name"])}
echo "$M31A_ONE|$M31A_KEPT|$my_key|$other"; set -- *; printf '%s|' "$#" "$M31A_LINE"; a='1 2'; printf '%s|' $a`;
  const output = await print(script, {
    M31A_ONE: "1\n2",
    M31A_KEPT: "kept",
    my_key: "it's = 'odd'",
    other: "*\nexport my_key=x",
  });
  const [first = "", second = "", rest = ""] = output.split("\n");
  assert.deepEqual([first, second], ["|kept||*", "export my_key=x"]);
  assert.match(rest, /^\d{2,}\|\|1\|2\|$/);
});
