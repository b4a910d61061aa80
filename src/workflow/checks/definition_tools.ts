/**
 * The files and sections that configure each tool a check may start: test runners and linters, and beside them
 * build_tool_files.ts.
 * Rule: a row a tool; of a manifest only the sections count that change what the tool does.
 */
import { BUILD_TOOLS } from "./build_tool_files.ts";

/** How a tool is configured. */
export interface ToolFiles {
  /** The command, without the variables and starters in front of it. */
  command: RegExp;
  /** Names of files that are its configuration as a whole. */
  files: RegExp;
  /** The same by their path from the folder that it runs in. */
  paths?: RegExp;
  /** Sections of files with other things in them: the file's name and the keys down to the section. */
  sections: readonly (readonly [file: RegExp, ...keys: string[]])[];
  /** Tables in which names of imports and packages lead somewhere: the file's name and the keys. */
  leads?: readonly (readonly [file: RegExp, ...keys: string[]])[];
  /** Lines of files with other things in them, and what they are called. */
  lines?: readonly (readonly [file: RegExp, lines: RegExp, what: string])[];
  /** Whether such files count in the folders above, too. */
  isInherited?: true;
  /** Whether such files count in folders below, too. */
  isAnywhere?: true;
  /** Whether its files name other runners, whose configuration counts then. */
  startsOthers?: true;
}

const PYPROJECT = /^pyproject\.toml$/;
const PACKAGE = /^package\.json$/;
const SETUP = /^setup\.cfg$/;
const TOX = /^tox\.ini$/;
const NONE = /^$/;

const TOOLS: readonly ToolFiles[] = [
  {
    command: /\b(?:pytest|py\.test)\b/,
    files: /^(?:\.?pytest\.ini|\.?pytest\.toml|conftest\.py)$/,
    sections: [[PYPROJECT, "tool", "pytest"], [TOX, "pytest"], [SETUP, "tool:pytest"]],
    isAnywhere: true,
  },
  {
    command: /\btox\b/,
    files: /^tox\.(?:ini|toml)$/,
    sections: [[PYPROJECT, "tool", "tox"], [SETUP, "tox:tox"], [SETUP, "testenv"]],
    startsOthers: true,
  },
  { command: /\bnox\b/, files: /^noxfile\.py$/, sections: [], startsOthers: true },
  {
    command: /\bcoverage\b|--cov\b/,
    files: /^\.coveragerc$/,
    sections: [[PYPROJECT, "tool", "coverage"], [SETUP, "coverage:run"]],
  },
  { command: /\bruff\b/, files: /^\.?ruff\.toml$/, sections: [[PYPROJECT, "tool", "ruff"]] },
  {
    command: /\bmypy\b/,
    files: /^\.?mypy\.ini$/,
    sections: [[PYPROJECT, "tool", "mypy"], [SETUP, "mypy"]],
  },
  {
    command: /\bpyright\b/,
    files: /^pyrightconfig\.json$/,
    sections: [[PYPROJECT, "tool", "pyright"]],
  },
  { command: /\bflake8\b/, files: /^\.flake8$/, sections: [[SETUP, "flake8"], [TOX, "flake8"]] },
  { command: /\bpylint\b/, files: /^\.?pylintrc$/, sections: [[PYPROJECT, "tool", "pylint"]] },
  { command: /\bblack\b/, files: NONE, sections: [[PYPROJECT, "tool", "black"]] },
  {
    command: /\bjest\b|\breact-scripts test\b/,
    files: /^jest\.(?:config|setup|preset)\b.*|^babel\.config\..*|^\.(?:babel|swc)rc\b.*/,
    sections: [[PACKAGE, "jest"], [PACKAGE, "babel"]],
  },
  { command: /\bvitest\b/, files: /^(?:vitest\.\w+|vite\.config)\..*/, sections: [] },
  { command: /\bmocha\b/, files: /^\.mocharc\b.*|^mocha\.opts$/, sections: [[PACKAGE, "mocha"]] },
  { command: /\bava\b/, files: /^ava\.config\..*/, sections: [[PACKAGE, "ava"]] },
  { command: /\btap\b/, files: /^\.taprc$/, sections: [[PACKAGE, "tap"]] },
  { command: /\bnyc\b|\bc8\b/, files: /^\.(?:nyc|c8)rc\b.*/, sections: [[PACKAGE, "nyc"]] },
  { command: /\bjasmine\b/, files: /^jasmine\.(?:json|m?js)$/, sections: [], isAnywhere: true },
  { command: /\bkarma\b|\bng test\b/, files: /^karma\.conf\..*|^angular\.json$/, sections: [] },
  {
    command: /\bplaywright\b|\bcypress\b|\bwtr\b|\bweb-test-runner\b/,
    files: /^(?:playwright|cypress|web-test-runner)\.config\..*/,
    sections: [],
  },
  {
    command: /^bun\b/,
    files: /^\.env(?:\.\w+)*$/,
    sections: ["test", "run", "preload", "define"].map((key) => [/^bunfig\.toml$/, key] as const),
  },
  { command: /^turbo\b/, files: /^turbo\.json$/, sections: [] },
  { command: /^nx\b/, files: /^(?:nx|project)\.json$/, sections: [[PACKAGE, "nx"]] },
  {
    command: /\beslint\b/,
    files: /^eslint\.config\..*|^\.eslintrc\b.*|^\.eslintignore$/,
    sections: [[PACKAGE, "eslintConfig"], [PACKAGE, "eslintIgnore"]],
  },
  {
    command: /\bprettier\b/,
    files: /^\.prettier.*|^prettier\.config\..*/,
    sections: [[PACKAGE, "prettier"]],
  },
  { command: /\bbiome\b/, files: /^biome\.jsonc?$/, sections: [] },
  { command: /\boxlint\b/, files: /^\.oxlintrc\.json$/, sections: [] },
  { command: /\bstylelint\b/, files: /^\.stylelint.*|^stylelint\.config\..*/, sections: [] },
  {
    command: /\b(?:tsc|vue-tsc|svelte-check)\b/,
    files: /^tsconfig\b.*\.json$/,
    sections: [],
  },
  {
    command: /\brspec\b/,
    files: /^\.rspec$|^(?:spec|rails)_helper\.rb$/,
    sections: [],
    isAnywhere: true,
  },
  {
    command: /\b(?:rake|rails test)\b/,
    files: /^Rakefile$|^test_helper\.rb$/,
    sections: [],
    isAnywhere: true,
  },
  { command: /\brubocop\b|\bstandardrb\b/, files: /^\.(?:rubocop|standard)\.yml$/, sections: [] },
  {
    command: /\b(?:phpunit|pest|artisan test)\b/,
    files: /^phpunit\.(?:xml|dist\.xml|xml\.dist)$|^Pest\.php$/,
    sections: [],
    isAnywhere: true,
  },
  { command: /\bphpstan\b/, files: /^phpstan\b.*\.neon(?:\.dist)?$/, sections: [] },
  { command: /\bpsalm\b/, files: /^psalm\.xml(?:\.dist)?$/, sections: [] },
  {
    command: /\b(?:pint|phpcs|php-cs-fixer)\b/,
    files: /^pint\.json$|^\.?phpcs\.xml(?:\.dist)?$|^\.php-cs-fixer\b.*/,
    sections: [],
  },
  { command: /^pre-commit\b/, files: /^\.pre-commit-config\.yaml$/, sections: [] },
];

/** The tools that a command starts. */
export function toolsOf(command: string): ToolFiles[] {
  return [...TOOLS, ...BUILD_TOOLS].filter((tool) => tool.command.test(command));
}
