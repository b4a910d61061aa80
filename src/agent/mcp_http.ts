/**
 * MCP over streamable HTTP.
 * Rule: an answer has a limit; beyond it the connection is an error, not memory.
 */
import { networkFetch } from "../platform/network.ts";
// The package's exports name no types for files with an extension.
// @ts-types="@modelcontextprotocol/sdk/client/streamableHttp"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** What the SDK really passes. Its own types are Node's or the browser's, whichever the program knows. */
interface PassedRequest {
  method?: string;
  headers?: unknown;
  body?: unknown;
  signal?: AbortSignal | null;
  redirect?: RequestRedirect;
}

/** Makes the SDK's transport for the server at `url`. */
export function httpTransport(
  url: string,
  headers: Readonly<Record<string, string>>,
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: async (input, init: PassedRequest = {}) =>
      limited(
        await networkFetch(input, {
          method: init.method ?? "GET",
          headers: plainHeaders(init.headers),
          body: typeof init.body === "string" ? init.body : null,
          signal: init.signal ?? null,
          redirect: init.redirect ?? "follow",
        }),
      ),
    reconnectionOptions: {
      maxRetries: 1,
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 2,
    },
  });
}

function plainHeaders(headers: unknown): [string, string][] {
  if (headers instanceof Headers) return [...headers];
  if (headers === null || typeof headers !== "object" || Array.isArray(headers)) return [];
  return Object.entries(headers).filter((entry): entry is [string, string] =>
    typeof entry[1] === "string"
  );
}

function limited(response: Response): Response {
  if (response.body === null) return response;
  let sizeBytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      sizeBytes += bytes.byteLength;
      if (sizeBytes <= MAX_ANSWER_BYTES) return controller.enqueue(bytes);
      controller.error(new Error(`the server sent more than ${MAX_ANSWER_BYTES} bytes`));
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
