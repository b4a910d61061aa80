/**
 * The baseline of a new session: what there is at this moment, frozen.
 * Rule: it is read once, here; a resumed session takes all of this from its file.
 */
import { join, relative } from "@std/path";
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Clock } from "../platform/clock.ts";
import { UsageError } from "../platform/errors.ts";
import { naming, pathExists, readTextIfExists } from "../platform/files.ts";
import { capText } from "../platform/text.ts";
import { type Baseline, NOTHING_CARRIED } from "../session/baseline.ts";
import { FORMAT_VERSION } from "../session/records.ts";
import { newSessionId } from "../session/session_id.ts";
import type { Limits } from "./limits.ts";
import { SYSTEM_PROMPT } from "./system_prompt.ts";

/** What a session begins with, besides what is read from the project. */
export interface BaselineSources {
  /** The project's root. */
  root: string;
  clock: Clock;
  model: Baseline["model"];
  tools: Baseline["tools"];
  limits: Limits;
  repository: Baseline["repository"];
  memory: Baseline["memory"];
}

/** More of AGENTS.md than this is cut, in bytes: it goes along with every request. */
const MAX_AGENTS_BYTES = 32 * 1024;

/** Makes the baseline of a session that begins now. */
export function newBaseline(sources: BaselineSources): Baseline {
  const now = sources.clock.now();
  const session = newSessionId(now);
  return {
    format: FORMAT_VERSION,
    session,
    epoch: 0,
    parent: null,
    createdAt: now.toISOString(),
    day: localDay(now),
    model: sources.model,
    cacheKey: session,
    system: SYSTEM_PROMPT,
    tools: sources.tools,
    limits: { ...sources.limits },
    agents: readAgents(sources.root),
    memory: sources.memory,
    repository: sources.repository,
    summary: null,
    carried: NOTHING_CARRIED,
  };
}

/**
 * The text of AGENTS.md in the project's root; null when there is none. It may be a link to another
 * file of the project.
 */
function readAgents(root: string): string | null {
  const path = join(root, "AGENTS.md");
  if (!pathExists(path)) return null;
  const real = naming(path, "follow the link", () => Deno.realPathSync(path));
  if (relative(root, real).startsWith("..")) {
    throw new UsageError(
      `AGENTS.md is a link out of the project, to ${real}; m31a reads only inside it. Put a file in its place.`,
    );
  }
  const text = readTextIfExists(real) ?? "";
  return capText(text.toWellFormed(), MAX_AGENTS_BYTES).text;
}

function localDay(now: Date): string {
  const digits = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`;
}

/** The model's part of a baseline. */
export function modelOfBaseline(
  model: { id: { provider: string; name: string }; contextWindowTokens: number | undefined },
  baseUrl: string | null,
  parameters: { [name: string]: JsonValue },
): Baseline["model"] {
  return {
    ...model.id,
    baseUrl,
    parameters,
    contextWindowTokens: model.contextWindowTokens ?? null,
  };
}
