/** The ways in which m31a is told of a server, each with its protocol. */
import type { ModelServer } from "../support/servers/mod.ts";
import type { Variables } from "../support/project.ts";

/** A key as a user would set it: nothing that m31a prints or writes may hold it. */
export const KEY = "sk-e2e-0123456789abcdef";

/** What a user sets, by what it is called in the name of a test. */
export const PROTOCOLS: Readonly<Record<string, (server: ModelServer) => Variables>> = {
  "M31A_BASE_URL": (server) => ({
    M31A_BASE_URL: server.baseUrl,
    M31A_MODEL: "openai-compatible:test",
  }),
  "OPENAI_BASE_URL": (server) => ({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY }),
  "ANTHROPIC_BASE_URL": (server) => ({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY }),
};

/** The usual one. */
export function openAi(server: ModelServer): Variables {
  return { M31A_BASE_URL: server.baseUrl, M31A_MODEL: "openai-compatible:test" };
}
