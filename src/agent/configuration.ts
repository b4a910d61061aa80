/**
 * The configuration in force: flags over M31A_* variables over planning/config.toml over defaults.
 * Rule: every value knows where it comes from.
 */
import { z } from "zod";
import type { ModelConfiguration } from "../model/choice.ts";
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Environment, EnvironmentName } from "../platform/environment.ts";
import type { ApprovalMode } from "./approval.ts";
import {
  CONFIGURATION_PATH,
  ConfigurationInvalid,
  readConfigurationFile,
} from "./configuration_file.ts";
import type { ReadConfiguration } from "./configuration_file.ts";
import {
  type ConfigurationFile,
  modelTable,
  type ServerConfiguration,
  TABLES,
  toolsTable,
} from "./configuration_schema.ts";
import type { Limits } from "./limits.ts";
import type { SandboxSettings } from "./sandbox.ts";
import type { CommandSettings } from "./tools/run_command.ts";
import { type LooseSetting, looseSettings, trustedText, withoutLooseSettings } from "./trust.ts";
import { isTrusted, tracksSessions } from "./trust_store.ts";

export {
  CONFIGURATION_PATH,
  ConfigurationInvalid,
  defaultConfigurationText,
} from "./configuration_file.ts";

/** Flags of the command line that stand for a key; left out where the flag was not given. */
export interface ConfigurationFlags {
  /** `--model PROVIDER:NAME`. */
  model?: string | undefined;
  /** `--effort LEVEL`. */
  effort?: string | undefined;
  /** `--approval MODE`. */
  approval?: string | undefined;
  /** `--sandbox MODE`. */
  sandbox?: string | undefined;
}

/** One value, for `m31a config`. */
export interface Setting {
  /** As in `limits.requests_per_turn`. */
  key: string;
  /** Undefined where there is no value and no default. */
  value: JsonValue | undefined;
  /** `--model`, `M31A_MODEL`, `planning/config.toml:12` or `default`. */
  origin: string;
}

/** The configuration in force. */
export interface Configuration {
  /** The table `[model]` as the file has it: `chooseModel` puts flag and environment over it. */
  model: ModelConfiguration;
  limits: Limits;
  approval: ApprovalMode;
  commands: CommandSettings;
  sandbox: SandboxSettings;
  mcp: Readonly<Record<string, ServerConfiguration>>;
  ship: {
    prefix: string;
    subject: string;
    attribution: boolean;
    planningFiles: boolean;
    commitTimeoutMs: number;
    /** Commands by name; empty means those of the project's manifests. */
    checks: Readonly<Record<string, string>>;
  };
  ledger: {
    /** Where the team's ledger is; undefined without one. */
    url: string | undefined;
    author: string;
    goals: boolean;
  };
  memory: { team: boolean };
  /** Every key in order, with its value and origin. */
  settings: Setting[];
}

/** Whether the user has trusted the file, where it asks for something that needs it. */
export interface FileTrust {
  state: "not needed" | "trusted" | "not trusted";
  /** All that needs trust; in force only in the state `trusted`. */
  settings: readonly LooseSetting[];
  /** What is trusted: the file as it was read, and the programs in the project that it starts. */
  text: string;
}

/** The configuration in force in a project. */
export interface ProjectConfiguration extends Configuration {
  trust: FileTrust;
}

/**
 * Reads the configuration of the project at `root`. What the file says that loosens a protection, or
 * starts or reaches something, is in force only when the user has trusted exactly this file; flags and
 * variables are the user's own word.
 *
 * @param countsRecord false where the record of trust is not to be believed
 * @throws {ConfigurationInvalid} for what the file, a variable or a flag says that makes no sense
 * @throws {FileError} when the file cannot be read
 */
export function readConfiguration(
  root: string,
  environment: Environment,
  flags: ConfigurationFlags = {},
  countsRecord = true,
): ProjectConfiguration {
  const read = readConfigurationFile(root);
  const settings = looseSettings(read);
  const overrides = new Overrides(environment, flags);
  const text = trustedText(root, read);
  const isNeeded = settings.some(({ key }) => overrides.get(key) === undefined);
  const state = !isNeeded
    ? "not needed"
    : countsRecord && isTrusted(root, text)
    ? "trusted"
    : "not trusted";
  const inForce = state === "not trusted" ? withoutLooseSettings(read) : read;
  return {
    ...resolveConfiguration(inForce, environment, flags),
    trust: { state, settings, text },
  };
}

/**
 * {@linkcode readConfiguration}, which also asks git: while it tracks anything in sessions/, where trust is
 * recorded, no record counts.
 */
export async function readTrustedConfiguration(
  root: string,
  environment: Environment,
  flags: ConfigurationFlags = {},
): Promise<ProjectConfiguration> {
  const configuration = readConfiguration(root, environment, flags);
  if (configuration.trust.state !== "trusted") return configuration;
  if (!await tracksSessions(root, environment)) return configuration;
  return readConfiguration(root, environment, flags, false);
}

/** The configuration that a file gives, whoever wrote it: for a file that is trusted or asks for nothing. */
export function resolveConfiguration(
  read: ReadConfiguration,
  environment: Environment,
  flags: ConfigurationFlags,
): Configuration {
  const { file } = read;
  const overrides = new Overrides(environment, flags);
  const approval = overrides.pick("tools.approval", toolsTable.shape.approval, file.tools.approval);
  const effort = overrides.pick("model.effort", modelTable.shape.effort, file.model.effort);
  const sandbox = overrides.pick("tools.sandbox", toolsTable.shape.sandbox, file.tools.sandbox);
  const { network, writable, allow, command_seconds, output_bytes, keep_bytes, mcp } = file.tools;
  return {
    model: modelConfiguration(file.model, effort),
    limits: {
      requestsPerTurn: file.limits.requests_per_turn,
      tokensPerSession: file.limits.tokens_per_session,
      costPerSession: file.limits.cost_per_session,
      secondsPerTurn: file.limits.seconds_per_turn,
      silenceSeconds: file.limits.silence_seconds,
      repeatedCalls: file.limits.repeated_calls,
    },
    approval,
    commands: {
      allowed: allow,
      maxSeconds: command_seconds,
      outputBytes: output_bytes,
      keepBytes: keep_bytes,
    },
    sandbox: { mode: sandbox, network, writable },
    mcp,
    ship: {
      prefix: file.ship.prefix,
      subject: file.ship.subject,
      attribution: file.ship.attribution,
      planningFiles: file.ship.planning_files,
      commitTimeoutMs: file.ship.commit_seconds * 1000,
      checks: file.ship.checks,
    },
    ledger: {
      url: overrides.get("ledger.url")?.value ?? file.ledger.url,
      author: file.ledger.author,
      goals: file.ledger.goals,
    },
    memory: file.memory,
    settings: settingsOf(read, overrides),
  };
}

function modelConfiguration(
  model: ConfigurationFile["model"],
  effort: ConfigurationFile["model"]["effort"],
): ModelConfiguration {
  const { provider, name, base_url: baseUrl, key_command: keyCommand, parameters, price } = model;
  return {
    actions: model.actions,
    parameters: { ...parameters, ...(effort !== undefined && { reasoning: effort }) },
    ...(provider !== undefined && { provider }),
    ...(name !== undefined && { name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(keyCommand !== undefined && { keyCommand }),
    ...(price !== undefined && {
      price: {
        input: price.input,
        output: price.output,
        ...(price.cache_read !== undefined && { cacheRead: price.cache_read }),
        ...(price.cache_write !== undefined && { cacheWrite: price.cache_write }),
      },
    }),
  };
}

/** The flag and the variable that stand for a key, or for two of which a colon is between. */
const OVERRIDES: readonly {
  keys: readonly [string] | readonly [string, string];
  flag?: keyof ConfigurationFlags;
  variable: EnvironmentName;
}[] = [
  { keys: ["tools.approval"], flag: "approval", variable: "M31A_APPROVAL" },
  { keys: ["tools.sandbox"], flag: "sandbox", variable: "M31A_SANDBOX" },
  { keys: ["model.effort"], flag: "effort", variable: "M31A_EFFORT" },
  { keys: ["model.provider", "model.name"], flag: "model", variable: "M31A_MODEL" },
  { keys: ["model.base_url"], variable: "M31A_BASE_URL" },
  { keys: ["ledger.url"], variable: "M31A_LEDGER_URL" },
];

/** What stands for `key` besides the file: flags as they are written, then variables. */
export function overridesOf(key: string): string[] {
  return OVERRIDES.filter(({ keys }) => keys.some((one) => one === key))
    .flatMap(({ flag, variable }) => [...(flag === undefined ? [] : [`--${flag}`]), variable]);
}

/** What flags and variables say, by key. */
class Overrides {
  readonly #values = new Map<string, { value: string; origin: string }>();

  constructor(environment: Environment, flags: ConfigurationFlags) {
    for (const { keys, flag, variable } of OVERRIDES) {
      if (flag !== undefined) this.#set(keys, flags[flag], `--${flag}`);
      this.#set(keys, environment[variable], variable);
    }
  }

  get(key: string): { value: string; origin: string } | undefined {
    return this.#values.get(key);
  }

  /** The override of `key`, checked, or `otherwise`. */
  pick<Value>(
    key: string,
    schema: { safeParse(value: unknown): { success: boolean; data?: Value | undefined } },
    otherwise: Value,
  ): Value {
    const override = this.#values.get(key);
    if (override === undefined) return otherwise;
    const { data } = schema.safeParse(override.value);
    if (data !== undefined) return data;
    throw new ConfigurationInvalid(
      `${override.origin}: ${
        JSON.stringify(override.value)
      } is not a value of ${key}; see ${CONFIGURATION_PATH} or "m31a help"`,
    );
  }

  /** The first to say something about a key is the one that counts. `provider:name` is the value of two keys. */
  #set(keys: readonly string[], value: string | undefined, origin: string): void {
    const [first = "", second] = keys;
    if (value === undefined || this.#values.has(first)) return;
    const [beginning = "", ...rest] = second === undefined ? [value] : value.split(":");
    this.#values.set(first, { value: beginning, origin });
    if (second !== undefined && rest.length > 0) {
      this.#values.set(second, { value: rest.join(":"), origin });
    }
  }
}

function settingsOf({ file, lines }: ReadConfiguration, overrides: Overrides): Setting[] {
  const tables = z.record(z.string(), z.record(z.string(), z.json())).parse({ ...file });
  return Object.entries(TABLES).flatMap(([table, schema]) => {
    return Object.keys(schema.shape).map((key): Setting => {
      const name = `${table}.${key}`;
      const override = overrides.get(name);
      if (override !== undefined) return { key: name, ...override };
      const value = tables[table]?.[key];
      const line = lines.get(`${table}\0${key}`);
      const origin = line === undefined ? "default" : `${CONFIGURATION_PATH}:${line}`;
      return { key: name, value, origin };
    });
  });
}
