/** The ways in which m31a is told of a server, each with its protocol. */
import type { ModelServer } from "../support/servers/mod.ts";
import type { Variables } from "../support/project.ts";

/** A key as a user would set it: nothing that m31a prints or writes may hold it. */
export const KEY = "sk-e2e-0123456789abcdef";

/** The server as an OpenAI-compatible one without a key: the usual one in tests. */
export function openAi(server: ModelServer): Variables {
  return { M31A_BASE_URL: server.baseUrl, M31A_MODEL: "openai-compatible:test" };
}

/** The server as Anthropic's. */
export function anthropic(server: ModelServer): Variables {
  return { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
}

/** What a user sets, by what it is called in the name of a test. */
export const PROTOCOLS: Readonly<Record<string, (server: ModelServer) => Variables>> = {
  "M31A_BASE_URL": openAi,
  "OPENAI_BASE_URL": (server) => ({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY }),
  "ANTHROPIC_BASE_URL": anthropic,
};
