/**
 * The machines that m31a is packed for: a row each.
 * Rule: a platform that no test has installed is marked so, and whoever packs or releases it says so.
 */

/** A machine that there is an executable for. */
export interface Platform {
  /** The end of its package's name and of its file in a release. */
  name: string;
  /** As `deno compile --target` has it. */
  target: string;
  /** As npm's package.json has them. */
  os: "linux" | "darwin";
  cpu: "x64" | "arm64";
  libc?: "glibc";
  /** Whether `deno task try-install` has installed it and run it. */
  isTested: boolean;
}

/** All of them. Windows is not among them: nothing there is tested. */
export const PLATFORMS: readonly Platform[] = [
  {
    name: "linux-x64",
    target: "x86_64-unknown-linux-gnu",
    os: "linux",
    cpu: "x64",
    libc: "glibc",
    isTested: true,
  },
  {
    name: "linux-arm64",
    target: "aarch64-unknown-linux-gnu",
    os: "linux",
    cpu: "arm64",
    libc: "glibc",
    isTested: false,
  },
  { name: "darwin-x64", target: "x86_64-apple-darwin", os: "darwin", cpu: "x64", isTested: false },
  {
    name: "darwin-arm64",
    target: "aarch64-apple-darwin",
    os: "darwin",
    cpu: "arm64",
    isTested: false,
  },
];
