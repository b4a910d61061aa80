/** What tools print without a network, with a read-only home, and where a program is missing. */
import assert from "node:assert/strict";
import { environmentFailure } from "../../../src/workflow/checks/environment.ts";

/** Printed by the real tools in a sandbox without a network and with a read-only home; folders' names are made neutral. */
const RECORDED:
  readonly (readonly [command: string, output: string, cause: string, help: RegExp])[] = [
    [
      "uv run pytest",
      "error: Failed to initialize cache at `/home/u/.cache/uv`\n  cause: failed to create directory `/home/u/.cache/uv`: Read-only file system (os error 30)",
      "cannot_write_cache",
      /writable = \["~\/\.cache\/uv"\]/,
    ],
    [
      "go test ./...",
      "open /root/.cache/go-build/6a/6a7b-d: read-only file system",
      "cannot_write_cache",
      /writable = \["~\/\.cache\/go-build"\]/,
    ],
    [
      "npm test",
      "Error: EROFS: read-only file system, open '/var/jest_0/haste-map-de30'\n    at Object.openSync (node:fs:573:18)",
      "cannot_write_cache",
      /writable = \["\/var\/jest_0"\]/,
    ],
    [
      "bun install",
      "error: EROFS accessing temporary directory. set $BUN_TMPDIR or $BUN_INSTALL",
      "cannot_write_cache",
      /\[tools\] writable/,
    ],
    [
      "uv run pytest",
      "error: Request failed after 3 retries in 7.6s\n  cause: Failed to fetch: https://pypi.org/simple/six/\n  cause: dns error",
      "no_network",
      /\[tools\] network = true/,
    ],
    [
      "pip install six",
      "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('<x>: Failed to establish'\nERROR: Could not find a version that satisfies the requirement six",
      "no_network",
      /network = true/,
    ],
    [
      "npm ci",
      "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\nnpm error Log files were not written due to an error writing to the directory: /home/u/.npm/_logs",
      "no_network",
      /network = true/,
    ],
    [
      "bun install",
      "error: DNSResolveFailed downloading package manifest left-pad",
      "no_network",
      /network/,
    ],
    [
      "go test ./...",
      'x.go:2:8: github.com/pkg/errors@v0.9.1: Get "https://proxy.example.org/x": dial tcp: lookup proxy.example.org on 10.0.0.1:53: dial udp 10.0.0.1:53: connect: network is unreachable',
      "no_network",
      /network/,
    ],
    [
      "cargo test",
      "    Updating crates.io index\nwarning: spurious network error (3 tries remaining): [6] Could not resolve hostname (Could not resolve host: index.crates.io)",
      "no_network",
      /network/,
    ],
    ["make x", "curl: (6) Could not resolve host: example.org", "no_network", /network/],
    [
      "deno test",
      "error: JSR package manifest for '@std/path' failed to load. Import 'https://jsr.io/@std/path/meta.json' failed.",
      "no_network",
      /network/,
    ],
    [
      "deno test",
      'error: Could not find "left-pad" in a node_modules folder. Deno expects the node_modules/ directory to be up to date. Did you forget to run `deno install`?',
      "cannot_start",
      /Install it \("deno install"\)/,
    ],
    [
      "npm test",
      "> jest\n\nsh: 1: jest: not found",
      "cannot_start",
      /`jest` is not installed.*npm ci/,
    ],
    ["bundle exec rspec", "sh: 1: bundle: not found", "cannot_start", /`bundle`.*bundle install/],
    [
      "vendor/bin/phpunit",
      "sh: 1: vendor/bin/phpunit: not found",
      "cannot_start",
      /`vendor\/bin\/phpunit`.*composer install/,
    ],
    [
      "make test",
      "nosuchprogram --x\nmake: nosuchprogram: No such file or directory\nmake: *** [Makefile:2: test] Error 127",
      "cannot_start",
      /`nosuchprogram` is not installed/,
    ],
    [
      "make nothing",
      "make: *** No rule to make target 'nothing'.  Stop.",
      "cannot_start",
      /cannot start/,
    ],
    [
      "python3 -m pytest",
      "/usr/bin/python3: No module named pytest",
      "cannot_start",
      /`pytest` is not installed/,
    ],
    [
      "cargo nextest run",
      "error: no such command: `nextest`\n\nhelp: view all installed commands with `cargo --list`",
      "cannot_start",
      /`nextest` is not installed/,
    ],
    [
      "pnpm test",
      "Error: ERR_PNPM_OTHER_PM_EXPECTED\n\n  × This project is configured to use yarn",
      "cannot_start",
      /pnpm install/,
    ],
  ];

/** As the tools' documentation and sources have it. */
const WRITTEN: typeof RECORDED = [
  [
    "gradle test",
    "java.io.FileNotFoundException: /home/u/.gradle/wrapper/x.lck (Read-only file system)",
    "cannot_write_cache",
    /"~\/\.gradle"/,
  ],
  [
    "dotnet test",
    "Access to the path '/home/u/.nuget/NuGet/NuGet.Config' is denied.",
    "cannot_write_cache",
    /"~\/\.nuget"/,
  ],
  [
    "pre-commit run -a",
    "PermissionError: [Errno 13] Permission denied: '/Users/u/.cache/pre-commit/.lock'",
    "cannot_write_cache",
    /"~\/\.cache\/pre-commit"/,
  ],
  [
    "yarn install",
    "EACCES: permission denied, mkdir '/home/u/.yarn/berry'",
    "cannot_write_cache",
    /"~\/\.yarn"/,
  ],
  [
    "mvn test",
    "Could not transfer artifact x from/to central: repo.maven.apache.org: Name or service not known",
    "no_network",
    /network/,
  ],
  ["npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432", "no_network", /network/],
  ["go test", "dial tcp 127.0.0.1:6379: connect: connection refused", "no_network", /network/],
  ["yarn test", 'error Command "vitest" not found.', "cannot_start", /`vitest`.*yarn install/],
  ["uv run ruff check .", "error: Failed to spawn: `ruff`", "cannot_start", /`ruff`.*uv sync/],
  ["./x", "bash: line 1: shellcheck: command not found", "cannot_start", /`shellcheck`/],
  ["npm test", 'npm error Missing script: "test"', "cannot_start", /npm ci/],
];

for (const [list, how] of [[RECORDED, "in a real run"], [WRITTEN, "as documented"]] as const) {
  for (const [command, output, cause, help] of list) {
    Deno.test(`environmentFailure() says ${cause} for ${command} ${how}: ${output.slice(0, 60)}`, () => {
      const failure = environmentFailure({ command, exitCode: 1, output });
      assert.equal(failure?.cause, cause);
      assert.match(failure?.help ?? "", help);
    });
  }
}

Deno.test("environmentFailure() leaves failures of the code to others", () => {
  for (
    const output of [
      "",
      "ModuleNotFoundError: No module named 'requests'",
      "Error: Cannot find module 'left-pad'",
      "AssertionError: page not found",
      "Error: connect ECONNREFUSED 127.0.0.1:8080",
      "make: *** No rule to make target 'x.h', needed by 'x.o'.  Stop.",
      "fatal: cannot create '/project/.git/index.lock': Read-only file system",
      "open '/project/secret.txt': EACCES: permission denied",
      "1 failed: reads a file that is not found",
    ]
  ) assert.equal(environmentFailure({ command: "./x", exitCode: 1, output }), undefined, output);
});

Deno.test("environmentFailure() knows that exit code 127 is a program that is missing", () => {
  const failure = environmentFailure({ command: "yarn test", exitCode: 127, output: "" });
  assert.equal(failure?.cause, "cannot_start");
  assert.match(failure?.help ?? "", /Install it \("yarn install"\)/);
});
