/**
 * The baseline of a new session: what there is at this moment, frozen.
 * Rule: it is put together once, here; a resumed session takes all of this from its file.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { Clock } from "../platform/clock.ts";
import { type Baseline, NOTHING_CARRIED } from "../session/baseline.ts";
import { FORMAT_VERSION } from "../session/records.ts";
import type { ActionWay } from "../session/side_records.ts";
import { newSessionId } from "../session/session_id.ts";
import type { Instructions } from "./instructions.ts";
import { isEnforced } from "./constrained.ts";
import type { Limits } from "./limits.ts";
import { SHORT_SYSTEM_PROMPT, SYSTEM_PROMPT } from "./system_prompt.ts";

/** What a session begins with, besides what is read from the project. */
export interface BaselineSources {
  /** The session's id; a new one where it is left out. */
  session?: string;
  clock: Clock;
  model: Baseline["model"];
  tools: Baseline["tools"];
  limits: Limits;
  repository: Baseline["repository"];
  memory: Baseline["memory"];
  instructions: Pick<Instructions, "project" | "user">;
}

/** Makes the baseline of a session that begins now. */
export function newBaseline(sources: BaselineSources): Baseline {
  const now = sources.clock.now();
  const session = sources.session ?? newSessionId(now);
  return {
    format: FORMAT_VERSION,
    session,
    epoch: 0,
    parent: null,
    createdAt: now.toISOString(),
    day: localDay(now),
    model: sources.model,
    cacheKey: session,
    system: isEnforced(sources.model.actions) ? SHORT_SYSTEM_PROMPT : SYSTEM_PROMPT,
    tools: sources.tools,
    limits: { ...sources.limits },
    agents: sources.instructions.project,
    ...(sources.instructions.user !== null && { userAgents: sources.instructions.user }),
    memory: sources.memory,
    repository: sources.repository,
    summary: null,
    carried: NOTHING_CARRIED,
  };
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
  actions?: ActionWay,
): Baseline["model"] {
  return {
    ...model.id,
    baseUrl,
    parameters,
    contextWindowTokens: model.contextWindowTokens ?? null,
    ...(actions === undefined ? {} : { actions }),
  };
}
