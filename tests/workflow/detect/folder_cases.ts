/** Projects of several packages: workspaces without scripts of the root, folders without a manifest above. */
import { type Case, type Files, json } from "./case.ts";

const BARE = "def test_add():\n    assert 1 + 2 == 3\n";

/** Packages `a` and `b` with their scripts. */
function packages(a: Record<string, string>, b: Record<string, string>): Files {
  return {
    "packages/a/package.json": json({ name: "a", scripts: a }),
    "packages/b/package.json": json({ name: "b", scripts: b }),
    "packages/b/node_modules/c/package.json": json({ name: "c", scripts: { test: "no" } }),
    "packages/readme.md": "",
  };
}

export const FOLDER_CASES: readonly Case[] = [
  [
    "a pnpm workspace without root scripts",
    {
      "package.json": json({ private: true }),
      "pnpm-workspace.yaml":
        "# ours\npackages:\n  # all\n  - 'packages/*' # these\n  - '!**/x'\ncatalog:\n  - y\n",
      ...packages({ test: "vitest", build: "tsc" }, { test: "node --test" }),
    },
    "Node (monorepo)",
    "pnpm",
    [],
    [
      "build: pnpm -r run build @ packages/a/package.json:5",
      "test: CI=true pnpm -r run test @ packages/a/package.json:4",
    ],
  ],
  [
    "an npm workspace without root scripts, one package without tests",
    {
      "package.json": json({ workspaces: ["packages/*"] }),
      ...packages({ test: "jest" }, { lint: "eslint ." }),
    },
    "Node (monorepo)",
    "npm",
    [],
    [
      "lint: npm run lint --workspaces --if-present @ packages/b/package.json:4",
      "test: npm run test --workspaces --if-present @ packages/a/package.json:4",
    ],
  ],
  [
    "a bun workspace with packages in an object",
    {
      "package.json": json({ workspaces: { packages: ["packages/**"] } }),
      "bun.lock": "",
      ...packages({ test: "bun test" }, { test: "bun test" }),
    },
    "Node (monorepo)",
    "bun",
    [],
    ["test: bun run --filter '*' test @ packages/a/package.json:4"],
  ],
  [
    "a workspace of the first yarn, where a package has no test",
    {
      "package.json": json({ workspaces: ["packages/a", "packages/b"] }),
      "yarn.lock": "",
      ...packages({ test: "jest" }, { lint: "eslint ." }),
    },
    "Node (monorepo)",
    "yarn",
    [],
    [
      "lint: (cd packages/b && yarn run lint) @ packages/b/package.json:4",
      "test: (cd packages/a && yarn run test) @ packages/a/package.json:4",
    ],
  ],
  [
    "a workspace in which one package's script is a watcher",
    {
      "package.json": json({ workspaces: ["packages/*"] }),
      ...packages({ test: "ava -w" }, { test: "vitest" }),
    },
    "Node (monorepo)",
    "npm",
    [],
    ["test: export CI=true; (cd packages/b && npm run test) @ packages/b/package.json:4"],
  ],
  [
    "a workspace of a later yarn",
    {
      "package.json": json({ workspaces: ["packages/*"] }),
      "yarn.lock": "",
      ".yarnrc.yml": "",
      ...packages({ test: "jest" }, { test: "jest" }),
    },
    "Node (monorepo)",
    "yarn",
    [],
    ["test: yarn workspaces foreach --all run test @ packages/a/package.json:4"],
  ],
  [
    "lerna's packages",
    {
      "package.json": json({}),
      "lerna.json": json({ packages: ["packages/*"] }),
      ...packages({ test: "jest" }, { test: "jest" }),
    },
    "Node (monorepo)",
    "npm",
    [],
    ["test: npm run test --workspaces @ packages/a/package.json:4"],
  ],
  [
    "backend/ and frontend/ below a root without a manifest",
    {
      "README.md": "",
      "backend/pyproject.toml": '[project]\ndependencies = ["fastapi", "pytest"]\n',
      "backend/uv.lock": "",
      "frontend/package.json": json({ scripts: { test: "vitest", lint: "biome ci" } }),
      "frontend/pnpm-lock.yaml": "",
      "docs/package.json": json({ scripts: { test: "no" } }),
      "node_modules/x/package.json": json({ scripts: { test: "no" } }),
    },
    "Python",
    "uv",
    ["FastAPI"],
    [
      "lint (frontend): cd frontend && pnpm run lint @ frontend/package.json:4",
      "test (backend): cd backend && uv run pytest @ backend/pyproject.toml:2",
      "test (frontend): cd frontend && CI=true pnpm run test @ frontend/package.json:3",
    ],
  ],
  [
    "packages two folders deep, of several kinds, beside a root of tools",
    {
      "package.json": json({ scripts: { lint: "prettier -c ." } }),
      "services/a b/go.mod": "module a\n",
      "services/c/Cargo.toml": '[package]\nname = "c"\n',
      "services/c/sub/Cargo.toml": '[package]\nname = "sub"\n',
    },
    "Node",
    "npm",
    [],
    [
      "build (services/a b): cd 'services/a b' && go build ./... @ services/a b/go.mod:1",
      "build (services/c): cd services/c && cargo build @ services/c/Cargo.toml:1",
      "lint: npm run lint @ package.json:3",
      "test (services/a b): cd 'services/a b' && go test ./... @ services/a b/go.mod:1",
      "test (services/c): cd services/c && cargo test @ services/c/Cargo.toml:1",
    ],
  ],
  [
    "a folder with tests in Python alone",
    { "server/app.py": "", "server/test_app.py": BARE },
    "Python",
    "pip",
    [],
    ["test (server): cd server && python3 -m pytest @ server/test_app.py"],
  ],
  [
    "node's own runner where no script starts it",
    { "package.json": json({ main: "a.js" }), "test/a.js": 'require("node:test")' },
    "Node",
    "npm",
    [],
    ["test: node --test @ test/a.js"],
  ],
  [
    "a runner among the dependencies where the script only says that there is none",
    {
      "package.json": json({
        scripts: { test: 'echo "Error: no test specified" && exit 1' },
        devDependencies: { jest: "30" },
      }),
      "src/a.test.js": "",
    },
    "Node",
    "npm",
    [],
    ["test: npx --no-install jest @ package.json:6"],
  ],
];
