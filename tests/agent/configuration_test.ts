/** The configuration: defaults, errors by line, and who overrides whom. */
import assert from "node:assert/strict";
import {
  ConfigurationInvalid,
  defaultConfigurationText,
  readConfiguration,
  resolveConfiguration,
} from "../../src/agent/configuration.ts";
import { parseConfiguration } from "../../src/agent/configuration_file.ts";
import { tomlLines } from "../../src/agent/toml_lines.ts";
import { FileError } from "../../src/platform/errors.ts";
import { withPlainFolder } from "../support/git_folder.ts";

const DEFAULTS = resolveConfiguration(parseConfiguration(""), {}, {});

Deno.test("defaultConfigurationText() parses to the defaults, as it is and with its keys uncommented", () => {
  const text = defaultConfigurationText();
  assert.deepEqual(resolveConfiguration(parseConfiguration(text), {}, {}), DEFAULTS);
  const uncommented = text.replace(/^#(?=\w+ = )/gm, "");
  assert.equal(uncommented.match(/^\w+ = /gm)?.length, DEFAULTS.settings.length);
  const { settings, model, ledger, ...rest } = resolveConfiguration(
    parseConfiguration(uncommented),
    {},
    {},
  );
  const { settings: _, model: __, ledger: ___, ...expected } = DEFAULTS;
  assert.deepEqual(rest, expected);
  assert.equal(model.provider, "anthropic");
  assert.match(ledger.url ?? "", /^postgres:/);
  assert(settings.every(({ origin }) => /^planning\/config\.toml:\d+$/.test(origin)));
});

Deno.test("defaultConfigurationText() has a sentence above every key and no long line", () => {
  const lines = defaultConfigurationText().split("\n");
  for (const [index, line] of lines.entries()) {
    assert(line.length <= 100, line);
    if (/^#\w+ = /.test(line)) assert.match(lines[index - 1] ?? "", /^# .+[.}]$/, line);
  }
});

Deno.test("parseConfiguration() refuses a template of a subject by what is wrong with it", () => {
  const refused: Record<string, RegExp> = {
    "{type}: {gaol}":
      /ship\.subject: there is no \{gaol\}; there are \{type\}, \{goal\}, \{session\}/,
    "{type}: {goal": /ship\.subject: a brace without its other one/,
    "release": /ship\.subject: needs \{goal\}/,
    "{goal}\\nM31A-Session: x": /ship\.subject: a subject is one line/,
    "": /ship\.subject: needs \{goal\}/,
  };
  for (const [template, message] of Object.entries(refused)) {
    const problem = problemOf(`[ship]\nsubject = "${template}"\n`);
    assert.match(problem, /^planning\/config\.toml:2: /);
    assert.match(problem, message);
  }
  assert.equal(problemOf('[ship]\nsubject = "[ABC] {goal}"\n'), "");
});

function problemOf(text: string): string {
  try {
    parseConfiguration(text);
    return "";
  } catch (error) {
    assert(error instanceof ConfigurationInvalid);
    return error.message;
  }
}

Deno.test("parseConfiguration() refuses what it does not know, by name, file and line", () => {
  assert.equal(
    problemOf("[tols]\n"),
    "planning/config.toml:1: unknown key tols; there are: model, limits, tools, ship, ledger, memory",
  );
  assert.match(
    problemOf("[tools]\n# a note\naproval = 'all'\n\nnetwork = 3\n"),
    /^planning\/config\.toml:5: tools\.network: invalid input: expected boolean, received number\nplanning\/config\.toml:3: unknown key tools\.aproval; there are: approval, allow, /,
  );
  assert.match(
    problemOf("[limits]\nrequests_per_turn = -1\n"),
    /^planning\/config\.toml:2: limits\.requests_per_turn: too small/,
  );
  assert.match(problemOf("[model]\nname = \n"), /^planning\/config\.toml:[12]: is not TOML: /);
  assert.match(
    problemOf("[model]\nname = 'a'\nname = 'b'\n"),
    /^planning\/config\.toml:3: is not TOML/,
  );
  assert.match(
    problemOf("[tools.mcp.a]\ncommand = 'x'\nurl = 'http://x'\n"),
    /^planning\/config\.toml:1: tools\.mcp\.a: needs either command/,
  );
  assert.match(
    problemOf("[tools.mcp.a]\ncommand = 'x'\nenviron = {}\n"),
    /^planning\/config\.toml:3: unknown key tools\.mcp\.a\.environ$/,
  );
  assert.match(problemOf("[tools]\nwritable = ['x']\n"), /:2: tools\.writable\.0: must begin with/);
  assert.match(problemOf("[tools]\napproval = 'always'\n"), /:2: tools\.approval: invalid option/);
  assert.match(problemOf("[model.parameters]\nx = 2020-01-01\n"), /:2: model\.parameters/);
});

Deno.test("resolveConfiguration() puts flags over variables over the file over defaults", () => {
  const read = parseConfiguration(
    "[model]\nprovider = 'ollama'\nname = 'a'\n[tools]\napproval = 'all'\nsandbox = 'off'\n[ship]\nprefix = 'feat'\n",
  );
  const environment = { M31A_APPROVAL: "ask", M31A_SANDBOX: "auto", M31A_MODEL: "openai:b:c" };
  const configuration = resolveConfiguration(read, environment, { sandbox: "require" });
  assert.equal(configuration.approval, "ask");
  assert.equal(configuration.sandbox.mode, "require");
  const origins = new Map(
    configuration.settings.map(({ key, value, origin }) => [key, [value, origin]]),
  );
  assert.deepEqual(origins.get("tools.approval"), ["ask", "M31A_APPROVAL"]);
  assert.deepEqual(origins.get("tools.sandbox"), ["require", "--sandbox"]);
  assert.deepEqual(origins.get("model.provider"), ["openai", "M31A_MODEL"]);
  assert.deepEqual(origins.get("model.name"), ["b:c", "M31A_MODEL"]);
  assert.deepEqual(origins.get("ship.prefix"), ["feat", "planning/config.toml:8"]);
  assert.deepEqual(origins.get("tools.network"), [false, "default"]);
  assert.deepEqual(origins.get("model.base_url"), [undefined, "default"]);
});

Deno.test("resolveConfiguration() refuses a variable or flag that makes no sense, by its name", () => {
  assert.throws(
    () => resolveConfiguration(parseConfiguration(""), { M31A_APPROVAL: "yes" }, {}),
    /^ConfigurationInvalid: M31A_APPROVAL: "yes" is not a value of tools\.approval/,
  );
});

Deno.test("readConfiguration() reads the project's file, and none through a link", async () => {
  await withPlainFolder((folder) => {
    const { trust, ...configuration } = readConfiguration(folder.root, {});
    assert.deepEqual(configuration, DEFAULTS);
    assert.deepEqual(trust, { state: "not needed", settings: [], text: "" });
    folder.write("planning/config.toml", "[limits]\ncost_per_session = 1.5\n");
    assert.equal(readConfiguration(folder.root, {}).limits.costPerSession, 1.5);
    Deno.renameSync(`${folder.root}/planning`, `${folder.root}/real`);
    Deno.symlinkSync("real", `${folder.root}/planning`);
    assert.throws(() => readConfiguration(folder.root, {}), FileError);
  });
});

Deno.test("tomlLines() finds keys behind multi-line values, in inline and dotted tables", () => {
  const text =
    'a = [\n  1, # one\n  2,\n]\n\nb.c = """\n[not]\n# a = table\n"""\n[t]\nd = { e = 1 }\n';
  assert.deepEqual([...tomlLines(text)].filter(([path]) => !/\0\d/.test(path)), [
    ["a", 1],
    ["b", 6],
    ["b\0c", 6],
    ["t", 10],
    ["t\0d", 11],
    ["t\0d\0e", 11],
  ]);
});
