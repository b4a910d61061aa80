/** Two models over real HTTP on loopback, for a conversation that goes from one to the other. */
import type { AgentEvent } from "../../src/agent/events.ts";
import type { Opening } from "../../src/agent/open.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { NO_LIMITS, toolSet } from "./conversations.ts";
import { ModelServer, type Reply } from "./servers/mod.ts";
import { withTemporaryFolder } from "./temporary.ts";

interface World {
  opening(flags?: Pick<Opening, "modelFlag" | "effortFlag">): Opening;
  notices(): string[];
}

/** Two servers: `cloud` speaks Anthropic's protocol, `own` chat completions. */
export async function withTwoModels(
  cloudReplies: Reply[],
  ownReplies: Reply[],
  work: (
    world: World & { root: string; cloud: ModelServer; own: ModelServer; events: AgentEvent[] },
  ) => Promise<void>,
): Promise<void> {
  await using cloud = ModelServer.start(cloudReplies);
  await using own = ModelServer.start(ownReplies);
  await withTemporaryFolder(async (root) => {
    const events: AgentEvent[] = [];
    const environment = {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: cloud.baseUrl,
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: own.baseUrl,
    };
    const opening: World["opening"] = (flags = {}) => ({
      root,
      clock: systemClock,
      environment,
      model: {},
      limits: NO_LIMITS,
      tools: toolSet(({ tool }) => ({ output: `${tool}: something blue`, isError: false })),
      onEvent: (event) => void events.push(event),
      approve: () => Promise.resolve({ isAllowed: true }),
      ask: () => Promise.resolve(""),
      ...flags,
    });
    const notices = () => events.flatMap((event) => event.type === "notice" ? event.text : []);
    await work({ root, cloud, own, events, opening, notices });
  });
}

export const CLOUD = { modelFlag: "anthropic:a" };
export const OWN = { modelFlag: "openai:b" };
