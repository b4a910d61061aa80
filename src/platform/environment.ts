/**
 * The environment variables that m31a may read, and no others.
 * Rule: the list here is the list of the `--allow-env` permission (scripts/permissions.ts takes it from here).
 */
import process from "node:process";

/** Names that the process may read; `M31A_*` is granted as a pattern besides. */
export const ENVIRONMENT_NAMES = [
  "ALL_PROXY",
  "all_proxy",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "AZURE_OPENAI_API_KEY",
  "AZURE_OPENAI_BASE_URL",
  "CEREBRAS_API_KEY",
  "COLORTERM",
  "COLUMNS",
  "DEEPSEEK_API_KEY",
  "EDITOR",
  "FIREWORKS_API_KEY",
  "GEMINI_API_KEY",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GROQ_API_KEY",
  "HOME",
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
  "LANG",
  "LC_ALL",
  "LINES",
  "LLAMA_API_KEY",
  "MISTRAL_API_KEY",
  "MOONSHOT_API_KEY",
  "NODE_EXTRA_CA_CERTS",
  "NO_COLOR",
  "NO_PROXY",
  "no_proxy",
  "OLLAMA_HOST",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "OPENROUTER_API_KEY",
  "PATH",
  "SHELL",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "TERM",
  "TMPDIR",
  "TOGETHER_API_KEY",
  "TZ",
  "USER",
  "VISUAL",
  "VLLM_API_KEY",
  "XAI_API_KEY",
  "XDG_CONFIG_HOME",
  "ZAI_API_KEY",
] as const;

/** Of these, the keys of providers: what m31a starts does not get them. */
export const KEY_VARIABLES = ENVIRONMENT_NAMES.filter((name) => name.endsWith("_API_KEY"));

/** The `M31A_*` variables that mean something. */
const M31A_NAMES = [
  "M31A_API_KEY",
  "M31A_APPROVAL",
  "M31A_BASE_URL",
  "M31A_EFFORT",
  "M31A_LEDGER_PASSWORD",
  "M31A_LEDGER_URL",
  "M31A_MODEL",
  "M31A_SANDBOX",
] as const;

/** The name of a variable that means something. */
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number] | (typeof M31A_NAMES)[number];

/** The environment as data: passed in from here, never read elsewhere. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables of {@linkcode ENVIRONMENT_NAMES} and {@linkcode M31A_NAMES} that are set and not empty. Keys lose the
 * blanks and line ends around them (a file's last line end, mostly): what is sent is then what is masked.
 */
export function readEnvironment(): Environment {
  const environment: Record<string, string> = {};
  for (const name of [...ENVIRONMENT_NAMES, ...M31A_NAMES]) {
    const value = Deno.env.get(name);
    const used = name.endsWith("_KEY") ? value?.trim() : value;
    if (used !== undefined && used !== "") environment[name] = used;
  }
  return environment;
}

/**
 * Reads one `M31A_*` variable by its name, for a configuration that refers to it; `undefined` for any other name. Blanks and
 * line ends around it are left out, as with keys.
 */
export function readOwnVariable(name: string): string | undefined {
  return name.startsWith("M31A_") ? Deno.env.get(name)?.trim() : undefined;
}

/**
 * Gives npm packages a plain `process.env` with what {@linkcode readEnvironment} reads and nothing else.
 * Some packages enumerate the whole environment when they are imported, which a process with a list
 * of allowed names may not do. Call it before the first dynamic import of such a package.
 */
export function installFilteredProcessEnv(environment: Environment): void {
  process.env = { ...environment };
}
