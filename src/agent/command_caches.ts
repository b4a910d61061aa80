/**
 * Where package managers and compilers keep their caches when they run in the sandbox.
 * Rule: never in the user's own caches, of which the user's own tools take what they run; those are read. What a
 * tool writes goes to a folder of the project's own, kept from command to command, which nothing outside of the
 * sandbox reads.
 */
import { SHELL } from "../platform/shell.ts";

/** Where a tool keeps its cache, and what it needs to work where that cannot be written to. */
interface Cache {
  /** The variable that names another place. */
  variable: string;
  /** Its usual places, as `sh` reads them; the first that is there counts. */
  usual: readonly string[];
  /**
   * What the tool does with a cache of the user's that it can only read, without a network: `reads` it as it is; gets
   * a folder of its own and in it links to these parts, given as patterns; or is given an empty one, for `[]`.
   */
  offline: "reads" | readonly string[];
}

const CACHE_HOME = "${XDG_CACHE_HOME:-$HOME/.cache}";

/** One row a tool. docs/security.md says which were tried. */
const CACHES: Readonly<Record<string, Cache>> = {
  uv: {
    variable: "UV_CACHE_DIR",
    usual: [`${CACHE_HOME}/uv`],
    offline: ["simple-v*", "wheels-v*", "git-v*", "archive-v*"],
  },
  pip: { variable: "PIP_CACHE_DIR", usual: [`${CACHE_HOME}/pip`], offline: [] },
  npm: {
    variable: "npm_config_cache",
    usual: ["$HOME/.npm"],
    offline: ["_cacache/content-v2", "_cacache/index-v5"],
  },
  pnpm: {
    variable: "npm_config_store_dir",
    usual: ["${XDG_DATA_HOME:-$HOME/.local/share}/pnpm/store"],
    offline: "reads",
  },
  "pnpm-metadata": {
    variable: "npm_config_cache_dir",
    usual: [`${CACHE_HOME}/pnpm`],
    offline: "reads",
  },
  yarn: {
    variable: "YARN_CACHE_FOLDER",
    usual: [`${CACHE_HOME}/yarn`, "/usr/local/share/.cache/yarn"],
    offline: ["v*/*"],
  },
  "yarn-berry": {
    variable: "YARN_GLOBAL_FOLDER",
    usual: ["$HOME/.yarn/berry"],
    offline: ["cache/*"],
  },
  bun: {
    variable: "BUN_INSTALL_CACHE_DIR",
    usual: ["${BUN_INSTALL:-$HOME/.bun}/install/cache"],
    offline: "reads",
  },
  "go-build": { variable: "GOCACHE", usual: [`${CACHE_HOME}/go-build`], offline: [] },
  "go-modules": {
    variable: "GOMODCACHE",
    usual: ["${GOPATH:-$HOME/go}/pkg/mod"],
    offline: "reads",
  },
  cargo: { variable: "CARGO_HOME", usual: ["$HOME/.cargo"], offline: "reads" },
  gradle: { variable: "GRADLE_USER_HOME", usual: ["$HOME/.gradle"], offline: [] },
  maven: { variable: "M31A_MAVEN", usual: ["$HOME/.m2/repository"], offline: "reads" },
  "pre-commit": {
    variable: "PRE_COMMIT_HOME",
    usual: [`${CACHE_HOME}/pre-commit`],
    offline: "reads",
  },
  deno: { variable: "DENO_DIR", usual: [`${CACHE_HOME}/deno`], offline: "reads" },
};

/** What of a tool's folder is settings and no cache: its own folder gets links to it, with a network too. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  cargo: ["config", "config.toml", "credentials.toml", "bin"],
  gradle: ["gradle.properties", "init.d"],
};

/**
 * Text for `sh` that gives each tool its cache and then runs a command line. It is for inside of the sandbox, because
 * what a command has put into the folder may be a link. Arguments: the command line, and anything at all when links to
 * the user's caches are to be made, which is once in a process.
 *
 * @param place the folder of the project's own for caches, as commands see it
 * @param network whether there is one: tools then fill caches of their own, without links
 */
export function cacheScript(place: string, network: boolean): string {
  const rows = Object.entries(CACHES).flatMap(([name, { variable, usual, offline }]) => {
    const own = `${quoted(place)}/${network ? "online" : "offline"}/${name}`;
    const linked = [...(network || offline === "reads" ? [] : offline), ...SETTINGS[name] ?? []];
    const isRead = !network && offline === "reads" ? "read" : "unread";
    const patterns = linked.map((pattern) => ` ${quoted(pattern)}`).join("");
    return [
      `first "\${${variable}:-}" ${usual.map((folder) => `"${folder}"`).join(" ")}`,
      `own ${variable} ${isRead} ${own}${patterns}`,
    ];
  });
  return [
    FUNCTIONS,
    ...rows,
    network ? "" : GRADLE_READS,
    MAVEN_TAKES,
    `exec ${SHELL} -c "$1" 2>&1`,
  ].join("\n");
}

// gradle has a place of its own for a cache that it only reads; maven has no variable that names its folder alone.
const GRADLE_READS = 'first "$HOME/.gradle/caches"; export GRADLE_RO_DEP_CACHE="$found"';
const MAVEN_TAKES = `if [ -n "$M31A_MAVEN" ]; then
  export MAVEN_OPTS="\${MAVEN_OPTS:+$MAVEN_OPTS }-Dmaven.repo.local=$M31A_MAVEN"; unset M31A_MAVEN
fi`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// `own VARIABLE read|unread FOLDER PATTERN…`: names the folder to the tool, which makes it, and links in it what matches in `$found`.
// A cache that can be written to after all (`[tools] writable`) stays the tool's, and so does one that is read as it is.
const FUNCTIONS = `
links=$2
first() {
  found=
  for place; do
    if [ -n "$place" ] && [ -d "$place" ]; then found=$place; return; fi
  done
}
own() {
  variable=$1; isRead=$2; folder=$3; shift 3
  if [ -n "$found" ] && { [ "$isRead" = read ] || [ -w "$found" ]; }; then return; fi
  export "$variable=$folder"
  if [ -z "$found" ] || [ -z "$links" ]; then return 0; fi
  for pattern; do
    case $pattern in */*) above=\${pattern%/*} ;; *) above=. ;; esac
    (cd "$found" && for each in $above; do if [ -d "$each" ]; then printf '%s\\n' "$each"; fi; done) |
    while IFS= read -r each; do
      mkdir -p "$folder/$each"
      for match in "$found/$each"/\${pattern##*/}; do
        if [ -e "$match" ] && [ ! -e "$folder/$each/\${match##*/}" ]; then printf '%s\\0' "$match"; fi
      done | xargs -0 sh -c 'to=$1; shift; if [ $# -gt 0 ]; then ln -sf "$@" "$to/"; fi' sh "$folder/$each"
    done
  done
}`;
