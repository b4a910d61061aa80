/**
 * The public repositories that a goal is tried in: where they are, how their dependencies come, what is changed.
 * Rule: what a user of the project would do, and nothing that weakens a check; a row a project.
 */

/** What of the user's own lies about while the goal is worked on. */
export type OwnWork = "none" | "untracked" | "changed" | "both";

/** A repository and a goal in it. */
export interface RealProject {
  /** The folder that holds its clone. */
  name: string;
  repository: string;
  commit: string;
  /** Installs its dependencies, as text for `sh`; nothing for "". */
  install: string;
  /** The project's own check, run in a clean clone. */
  check: string;
  goal: string;
  file: string;
  from: string;
  to: string;
  ownWork: OwnWork;
  /** A line of planning/config.toml that the project needs; docs/real-projects.md says why. */
  settings?: string;
}

/** One row a project. */
export const PROJECTS: readonly RealProject[] = [
  {
    name: "itsdangerous",
    repository: "pallets/itsdangerous",
    commit: "672971d66a2ef9f85151e53283113f33d642dabd",
    install: "uv sync",
    check: "uv run pytest",
    goal: "Say what want_bytes() gives",
    file: "src/itsdangerous/encoding.py",
    from: ") -> bytes:\n    if isinstance(s, str):\n",
    to:
      ') -> bytes:\n    """Encode a string; bytes are returned as they are."""\n    if isinstance(s, str):\n',
    ownWork: "both",
  },
  {
    name: "click",
    repository: "pallets/click",
    commit: "2c8cd3ac958a7eb316d67f2d316c27086c4c0369",
    install: "uv sync",
    check: "uv run pytest",
    goal: "Say what _posixify() is for",
    file: "src/click/utils.py",
    from: 'def _posixify(name: str) -> str:\n    return "-"',
    to:
      'def _posixify(name: str) -> str:\n    """Joins the words of a name with dashes, in lower case."""\n    return "-"',
    ownWork: "none",
  },
  {
    name: "defu",
    repository: "unjs/defu",
    commit: "80c0146afb11ebd86183a579ec469f3abd976695",
    install: "pnpm install --frozen-lockfile",
    check: "pnpm test",
    goal: "Do not make a text of a key that is one",
    file: "src/defu.ts",
    from:
      '_defu(\n        value,\n        object[key],\n        (namespace ? `${namespace}.` : "") + key.toString(),\n        merger,\n      );',
    to: '_defu(value, object[key], (namespace ? `${namespace}.` : "") + key, merger);',
    ownWork: "both",
  },
  {
    name: "elysia-bearer",
    repository: "elysiajs/elysia-bearer",
    commit: "01a3b72a5cb36e6f442ddfc09e08e22151b23843",
    install: "bun install --frozen-lockfile",
    check: "bun test",
    goal: "Mend the grammar of what extract says",
    file: "src/index.ts",
    from: "If the API doesn't compliant with RFC6750\n",
    to: "If the API isn't compliant with RFC6750\n",
    ownWork: "both",
  },
  {
    name: "underscore",
    repository: "jashkenas/underscore",
    commit: "e70d5bd070f1d883b40e786a955a61e4f4b3c2c6",
    install: "npm ci",
    check: "npm test",
    goal: "Say what min() gives for nothing",
    file: "modules/min.js",
    from: "// Return the minimum element (or element-based computation).\n",
    to:
      "// Return the minimum element (or element-based computation), `Infinity` when there is none.\n",
    ownWork: "none",
  },
  {
    name: "uuid",
    repository: "google/uuid",
    commit: "2d3c2a9cc518326daf99a383f07c4d3c44317e4d",
    install: "",
    check: "go test ./...",
    goal: "Say what NewRandomFromReader does when too little can be read",
    file: "version4.go",
    from: "based on bytes read from a given io.Reader.\n",
    to:
      "based on bytes read from a given io.Reader.\n// It returns an error when fewer than 16 bytes can be read.\n",
    ownWork: "untracked",
  },
  {
    name: "rust-fnv",
    repository: "servo/rust-fnv",
    commit: "4e55052a343a4372c191141f29a17ab829cf1dbc",
    install: "",
    check: "cargo test",
    goal: "Let FnvHasher be printed for debugging",
    file: "lib.rs",
    from: "#[derive(Clone)]\npub struct FnvHasher(u64);",
    to: "#[derive(Clone, Debug)]\npub struct FnvHasher(u64);",
    ownWork: "changed",
  },
  {
    name: "std",
    repository: "denoland/std",
    commit: "ca58f9427152c946ce1c1bc287d290efde1fbab7",
    install: "",
    check: "deno test -A semver ini",
    goal: "Mend the grammar of what isRange() says",
    file: "semver/is_range.ts",
    from: "determine if its a valid range.\n",
    to: "determine if it is a valid range.\n",
    ownWork: "both",
    settings: '[ship.checks]\ntest = "deno test -A semver ini"',
  },
  {
    name: "jsmn",
    repository: "zserge/jsmn",
    commit: "25647e692c7906b96ffd2b05ca54c097948e879c",
    install: "",
    check: "make test",
    goal: "Mend the comment on jsmn_parse()",
    file: "jsmn.h",
    from: "into and array of tokens, each\n * describing\n * a single JSON object.\n",
    to: "into an array of tokens, each\n * describing a single JSON object.\n",
    ownWork: "both",
    settings: '[ship.checks]\ntest = "make test"',
  },
];
