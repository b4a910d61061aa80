/**
 * What a process itself does to files, from strace's record of it and of all that it started.
 * Rule: a thread, and a child until it has become another program, is the process itself; what follows is not.
 */

import { join } from "@std/path";

const CREATING = ["fork", "vfork", "clone", "clone3"];
const CHANGING = [
  ...["creat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir"],
  ...["mkdir", "mkdirat", "link", "linkat", "symlink", "symlinkat", "truncate"],
  ...["mknod", "mknodat", "chmod", "fchmodat", "chown", "lchown", "fchownat", "utimensat"],
];
const TRACED = [...CREATING, ...CHANGING, "open", "openat", "openat2", "execve"];

/**
 * The command to put before the one to be watched. `pidfd_open` is made to fail, as on an older
 * kernel: under strace a child's pidfd tells of its end before it can be waited for, which Deno does not expect.
 */
export function traceCommand(output: string): string[] {
  const calls = [...TRACED, "pidfd_open"].map((call) => `?${call}`).join();
  const failing = "inject=?pidfd_open:error=ENOSYS";
  return [
    "strace",
    "-f",
    "--seccomp-bpf",
    "-y",
    "-qq",
    "-o",
    output,
    "-e",
    `trace=${calls}`,
    "-e",
    failing,
  ];
}

/** A system call that changes files, or opens one for writing. */
export interface FileChange {
  /** By the process itself, not by a program that it started. */
  isOwn: boolean;
  /** Absolute where the call tells the folder. */
  paths: string[];
  line: string;
}

interface Birth {
  parent: string;
  /** The parent had become another program by then. */
  isForeign: boolean;
}

/** The changes in a record of strace, whether or not they succeeded. */
export function fileChanges(trace: string): FileChange[] {
  const lines = trace.split("\n").flatMap((line) => {
    const match = /^(\d+) +(?:<\.\.\. )?(\w+)/.exec(line);
    return match === null ? [] : [{ pid: match[1] ?? "", call: match[2] ?? "", line }];
  });
  const first = lines[0]?.pid ?? "";
  const births = birthsIn(lines, first);
  const isOwn = (pid: string, replaced: ReadonlySet<string>): boolean => {
    if (pid === first) return true;
    const birth = births.get(pid);
    return birth !== undefined && !birth.isForeign && !replaced.has(pid) &&
      isOwn(birth.parent, new Set());
  };
  const replaced = new Set<string>();
  return lines.flatMap(({ pid, call, line }): FileChange[] => {
    if (isReplacement(call, line)) replaced.add(pid);
    const opensToWrite = call.startsWith("open") && /O_(WRONLY|RDWR|CREAT|TRUNC)/.test(line);
    if (!CHANGING.includes(call) && !opensToWrite) return [];
    // What a symbolic link says is nothing that is written to.
    const paths = pathsIn(line).slice(call.startsWith("symlink") ? 1 : 0);
    return paths.length === 0 ? [] : [{ isOwn: isOwn(pid, replaced), paths, line }];
  });
}

/** The paths in a call, from the folder that the call names where they are relative to one. */
function pathsIn(line: string): string[] {
  const named = line.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g);
  return [...named].map(([, folder = "", path = ""]) =>
    folder === "" || path.startsWith("/") ? path : join(folder, path)
  );
}

/** Who began which process or thread. The first one's own execve is what strace began with. */
function birthsIn(
  lines: readonly { pid: string; call: string; line: string }[],
  first: string,
): Map<string, Birth> {
  const births = new Map<string, Birth>();
  const replaced = new Set<string>();
  for (const { pid, call, line } of lines) {
    if (pid !== first && isReplacement(call, line)) replaced.add(pid);
    const child = CREATING.includes(call) ? / = (\d+)$/.exec(line)?.[1] : undefined;
    if (child !== undefined) births.set(child, { parent: pid, isForeign: replaced.has(pid) });
  }
  return births;
}

function isReplacement(call: string, line: string): boolean {
  return call === "execve" && / = 0$/.test(line);
}
