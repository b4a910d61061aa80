/** Projects in JavaScript and TypeScript, as manifests. */
import { type Case, json } from "./case.ts";

export const JAVASCRIPT_CASES: readonly Case[] = [
  [
    "Deno tasks in JSONC",
    {
      "deno.jsonc":
        `// mine\n{\n  "tasks": {\n    "build": "deno run -A build.ts", /* x */\n    "test": { "command": "deno test -A" },\n    "check": "deno check .",\n    "dev": "deno run --watch main.ts",\n  },\n  "lint": {},\n  "imports": { "fresh": "jsr:@fresh/core@^2", "p": "npm:preact@10" },\n}`,
      "deno.lock": "{}",
    },
    "Deno (TypeScript)",
    "deno",
    ["Fresh", "Preact"],
    [
      "build: deno task build @ deno.jsonc:4",
      "typecheck: deno task check @ deno.jsonc:6",
      "lint: deno lint @ deno.jsonc:9",
      "test: deno task test @ deno.jsonc:5",
    ],
  ],
  [
    "Deno without tasks but with tests",
    { "deno.json": "{}", "add_test.ts": "" },
    "Deno (TypeScript)",
    "deno",
    [],
    ["test: deno test -A @ add_test.ts"],
  ],
  [
    "a Deno workspace whose test task watches",
    { "deno.json": '{"workspace":["./a"],"tasks":{"test":"deno test --watch"}}' },
    "Deno (TypeScript, monorepo)",
    "deno",
    [],
    [],
  ],
  [
    "npm, with scripts that prove nothing",
    {
      "package.json": json({
        name: "x",
        main: "index.js",
        scripts: {
          test: 'echo "Error: no test specified" && exit 1',
          build: "echo nothing to build",
          lint: "eslint .",
        },
        dependencies: { express: "4" },
      }),
      "package-lock.json": "{}",
    },
    "Node",
    "npm",
    ["Express"],
    ["lint: npm run lint @ package.json:7"],
  ],
  [
    "pnpm by its lock file, Next.js over React, vitest that would watch",
    {
      "package.json": json({
        scripts: {
          test: "vitest",
          "test:unit": "vitest run",
          "type-check": "tsc --noEmit",
          build: "next build",
        },
        dependencies: { react: "19", next: "15" },
        devDependencies: { typescript: "5" },
      }),
      "pnpm-lock.yaml": "",
    },
    "Node (TypeScript)",
    "pnpm",
    ["Next.js", "React"],
    [
      "build: pnpm run build @ package.json:6",
      "typecheck: pnpm run type-check @ package.json:5",
      "test: CI=true pnpm run test @ package.json:3",
    ],
  ],
  [
    "yarn by the packageManager field against the lock file, a watching test script passed over",
    {
      "package.json": json({
        packageManager: "yarn@4.1.0+sha224.x",
        workspaces: ["packages/*"],
        scripts: {
          test: "jest --watchAll",
          "test:ci": "jest --ci",
          check: "svelte-check",
          build: "tsc -w",
        },
        devDependencies: { "@sveltejs/kit": "2", svelte: "5" },
      }),
      "package-lock.json": "{}",
    },
    "Node (monorepo)",
    "yarn",
    ["SvelteKit", "Svelte"],
    ["typecheck: yarn run check @ package.json:9", "test: yarn run test:ci @ package.json:8"],
  ],
  [
    "bun, Angular",
    {
      "package.json": json({
        scripts: { test: "ng test" },
        dependencies: { "@angular/core": "19" },
      }),
      "bun.lock": "",
      "tsconfig.json": "{}",
    },
    "Node (TypeScript)",
    "bun",
    ["Angular"],
    ["test: bun run test --watch=false @ package.json:3"],
  ],
  [
    "turbo over pnpm workspaces",
    {
      "package.json": json({ scripts: { lint: "biome ci" }, devDependencies: { turbo: "2" } }),
      "pnpm-workspace.yaml": "packages:\n  - a\n",
      "turbo.json": json({ tasks: { build: {}, lint: {}, test: {} } }),
    },
    "Node (monorepo)",
    "pnpm",
    [],
    [
      "build: npx --no-install turbo run build @ turbo.json:3",
      "lint: pnpm run lint @ package.json:3",
      "test: npx --no-install turbo run test @ turbo.json:5",
    ],
  ],
  [
    "nx",
    {
      "package.json": json({
        devDependencies: { nx: "20" },
        dependencies: { "@nestjs/core": "11", vue: "3" },
      }),
      "nx.json": json({ targetDefaults: { test: { cache: true } } }),
    },
    "Node (monorepo)",
    "npm",
    ["NestJS", "Vue"],
    ["test: npx --no-install nx run-many -t test @ nx.json:3"],
  ],
];
