/** What a command under bubblewrap can write to and reach, found by walking and trying, as root and as another user. */
import assert from "node:assert/strict";
import { Sandbox } from "../../src/agent/sandbox.ts";
import { type GitFolder, withGitFolder } from "../support/git_folder.ts";
import { AUTO, isConfined } from "../support/sandboxes.ts";

/** A user that owns nothing. */
const NOBODY = 65534;

type Attempt = (commandLine: string) => Promise<string>;

/** Runs command lines as `uid`, who the project is given to. */
async function withUser(
  uid: number,
  test: (attempt: Attempt, folder: GitFolder) => Promise<void>,
  network = false,
): Promise<void> {
  await withGitFolder(async (folder) => {
    folder.write("sessions/s/0.jsonl", "private");
    folder.write("planning/config.toml", "");
    folder.write("source.txt", "");
    folder.commitAll();
    const sandbox = new Sandbox(folder.root, { ...AUTO, network }, folder.environment);
    const above = folder.root.slice(0, folder.root.lastIndexOf("/"));
    // A home of its own, not below /tmp, of which a command sees nothing anyway; with an agent that holds keys.
    const home = Deno.makeTempDirSync({ dir: "/var/tmp" });
    Deno.mkdirSync(`${home}/.gnupg`, { mode: 0o700 });
    const agent = Deno.listen({ transport: "unix", path: `${home}/.gnupg/S.gpg-agent` });
    give(uid, home);
    const attempt = async (commandLine: string) => {
      const { script, args, cwd, ended } = await sandbox.launch(commandLine);
      const scratch = args[args.indexOf("/tmp") - 1] ?? "";
      const isOther = uid !== Deno.uid();
      if (isOther) give(uid, above, scratch.slice(0, scratch.lastIndexOf("/")));
      const { stdout } = await new Deno.Command("/bin/sh", {
        args: ["-c", script, "sh", ...args],
        cwd,
        env: { HOME: home },
        uid,
        gid: uid,
      }).output();
      await ended();
      // m31a relies on folders of its own user alone.
      if (isOther) give(Deno.uid() ?? 0, `${folder.root}/sessions`, `${folder.root}/planning`);
      return new TextDecoder().decode(stdout).trim();
    };
    try {
      await test(attempt, folder);
    } finally {
      await sandbox.close();
      agent.close();
      Deno.removeSync(home, { recursive: true });
    }
  });
}

function give(uid: number, ...paths: string[]): void {
  new Deno.Command("chown", { args: ["-R", `${uid}:${uid}`, ...paths] }).outputSync();
}

/** Registers a test for the user who runs the tests and, where that is root, for another. */
function closed(
  name: string,
  test: (attempt: Attempt, folder: GitFolder) => Promise<void>,
  network = false,
): void {
  const isRoot = Deno.uid() === 0;
  const own = Deno.uid() ?? NOBODY;
  for (const uid of isRoot ? [0, NOBODY] : [own]) {
    Deno.test({
      name: `${name}, as ${uid === 0 ? "root" : "another user than root"}`,
      ignore: !isConfined,
      fn: () => withUser(uid, (attempt, folder) => test(attempt, folder), network),
    });
  }
}

// Files of its own processes, which a command may write to as it likes, are left out.
const WALK = `
find / -path '/proc/[0-9]*' -prune -o ! -type l -writable -print 2>/dev/null | while IFS= read -r path; do
  if [ -d "$path" ]; then
    if touch "$path/m31a-trial" 2>/dev/null; then rm "$path/m31a-trial"; echo "$path"; fi
  elif (: >> "$path") 2>/dev/null; then echo "$path"
  fi
done | sort`;

closed(
  "a command can write to what docs/security.md lists and to nothing else",
  async (attempt, folder) => {
    const { root } = folder;
    const found = (await attempt(WALK)).split("\n");
    // The way to a project that is below /tmp.
    const way = root.split("/").map((_, index, names) => names.slice(0, index).join("/"));
    const expected = [
      "/dev/full",
      "/dev/null",
      "/dev/pts/ptmx",
      "/dev/random",
      "/dev/shm",
      "/dev/urandom",
      "/dev/zero",
      "/run/m31a-caches",
      "/tmp",
      root,
      `${root}/source.txt`,
    ];
    const surprising = found.filter((path) =>
      !expected.includes(path) && !path.startsWith("/run/m31a-caches/") &&
      !(path.startsWith("/tmp/") && way.includes(path))
    );
    assert.deepEqual(surprising, []);
    assert.deepEqual(expected.filter((path) => !found.includes(path)), []);
  },
);

closed("a command gets no right of root's", async (attempt) => {
  const refused = [
    "exec 3>>/proc/sys/kernel/core_pattern",
    "exec 3>>/proc/sys/kernel/hostname",
    "exec 3>>/proc/sysrq-trigger",
    "exec 3<>/proc/kcore",
    "exec 3<>/dev/mem",
    "mknod /tmp/disk b 254 0 && exec 3<>/tmp/disk",
    "mknod /tmp/memory c 1 1 && exec 3<>/tmp/memory",
    "mkdir /sys/fs/cgroup/m31a || mkdir /sys/fs/cgroup/memory/m31a || mkdir /sys/fs/cgroup/unified/m31a",
    "mount -t tmpfs none /tmp",
    "mount -o remount,rw /",
    "mount -o remount,rw /proc/sys",
    "umount /proc/sys || umount /proc/bus || umount /proc",
    "unshare --user --map-root-user true",
    "unshare --mount true",
    "chroot / true",
    "hostname m31a",
    "chown 1 source.txt",
  ];
  for (const commandLine of refused) {
    assert.equal(
      await attempt(`(${commandLine}) >/dev/null 2>&1 || echo refused`),
      "refused",
      commandLine,
    );
  }
  assert.match(
    await attempt("grep -E '^(Cap|NoNew)' /proc/self/status"),
    /^(?:Cap...:\t0+\n)+NoNewPrivs:\t1$/,
  );
  assert.equal(
    await attempt("ls -d /proc/[0-9]* | wc -l").then((count) => Number(count) < 8),
    true,
  );
});

for (const network of [false, true]) {
  closed(
    `a command ${network ? "with" : "without"} the network reaches no socket of a service`,
    async (attempt, folder) => {
      // Not below /tmp, of which a command sees nothing anyway.
      const elsewhere = Deno.makeTempDirSync({ dir: "/var/tmp" });
      Deno.chmodSync(elsewhere, 0o755);
      Deno.mkdirSync(`${folder.root}/sessions/live`);
      const paths = [
        `${elsewhere}/service.sock`,
        `${folder.root}/server.sock`,
        `${folder.root}/sessions/live/s.sock`,
      ];
      const servers = paths.map((path) => Deno.listen({ transport: "unix", path }));
      for (const path of paths) Deno.chmodSync(path, 0o777);
      try {
        for (const path of paths) {
          const program = `require("net").connect(${JSON.stringify(path)})
          .on("connect", () => { console.log("reached"); process.exit() }).on("error", () => console.log("refused"))`;
          assert.equal(await attempt(`node -e '${program}'`), "refused", path);
        }
      } finally {
        for (const server of servers) server.close();
        Deno.removeSync(elsewhere, { recursive: true });
      }
      assert.equal(await attempt("find /run -type s"), "");
    },
    network,
  );
}
