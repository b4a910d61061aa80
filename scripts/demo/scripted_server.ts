/**
 * A server on loopback that speaks OpenAI's streaming chat completions, its answers written beforehand.
 * Rule: it keeps the bytes of every request exactly as they came in.
 */

/** One answer: text, or calls of tools that go out side by side. */
export type ScriptedAnswer = { text: string } | { calls: { tool: string; input: unknown }[] };

/** A running server. */
export interface ScriptedServer {
  /** What `M31A_BASE_URL` is set to. */
  baseUrl: string;
  /** The bodies received so far, in order. */
  bodies: Uint8Array[];
  stop(): Promise<void>;
}

/** Starts a server that gives `answers` in order, one a request. */
export function startScriptedServer(answers: readonly ScriptedAnswer[]): ScriptedServer {
  const bodies: Uint8Array[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      if (!new URL(request.url).pathname.endsWith("/chat/completions")) {
        return new Response("not found", { status: 404 });
      }
      const body = new Uint8Array(await request.arrayBuffer());
      const answer = answers[bodies.length];
      const isFirst = bodies.length === 0;
      bodies.push(body);
      if (answer === undefined) return new Response("the script is over", { status: 400 });
      const promptTokens = Math.ceil(body.byteLength / 4);
      const cachedTokens = isFirst ? 0 : Math.ceil((bodies.at(-2)?.byteLength ?? 0) / 4);
      return new Response(eventStream(answer, promptTokens, cachedTokens), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  );
  const { port } = server.addr;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, bodies, stop: () => server.shutdown() };
}

function eventStream(answer: ScriptedAnswer, promptTokens: number, cachedTokens: number): string {
  const deltas = "text" in answer ? textDeltas(answer.text) : callDeltas(answer.calls);
  const chunks: unknown[] = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
  chunks.push({
    choices: [{ index: 0, delta: {}, finish_reason: "text" in answer ? "stop" : "tool_calls" }],
  });
  chunks.push({
    choices: [],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: deltas.length,
      prompt_tokens_details: { cached_tokens: cachedTokens },
    },
  });
  const events = chunks.map((chunk) =>
    `data: ${
      JSON.stringify({ id: "scripted", object: "chat.completion.chunk", ...asObject(chunk) })
    }\n\n`
  );
  return `${events.join("")}data: [DONE]\n\n`;
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function textDeltas(text: string): unknown[] {
  const words = text.match(/\S+\s*/g) ?? [];
  return words.map((content) => ({ role: "assistant", content }));
}

function callDeltas(calls: readonly { tool: string; input: unknown }[]): unknown[] {
  return calls.map(({ tool, input }, index) => ({
    role: "assistant",
    tool_calls: [{
      index,
      id: `scripted-${index}`,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    }],
  }));
}
