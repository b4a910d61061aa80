/**
 * Addresses of servers, as people write them and as the protocols need them.
 * Rule: an address is checked once, where it enters; it never carries a password further.
 */
import { UsageError } from "../platform/errors.ts";

/**
 * The base address in the form the adapters want: no trailing slash, and `/v1` where only a host is given.
 *
 * @param text what the user wrote; without a scheme it is taken as `http://`
 * @param origin where it was written, for the message
 * @throws {UsageError} when it is not an http or https address, or holds a password or a query
 *
 * @example
 * ```ts
 * import { parseBaseUrl } from "./base_url.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(parseBaseUrl("127.0.0.1:8080/", "--base-url"), "http://127.0.0.1:8080/v1");
 * assert.equal(parseBaseUrl("https://host/api/v1", "--base-url"), "https://host/api/v1");
 * ```
 */
export function parseBaseUrl(text: string, origin: string): string {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const candidate = hasScheme ? text : `http://${text}`;
  if (!URL.canParse(candidate)) throw new UsageError(`${origin}: "${text}" is not an address`);
  const url = new URL(candidate);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UsageError(
      `${origin}: the address must begin with http:// or https://, not ${url.protocol}//`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(
      `${origin}: give the address without user, password, "?" and "#"; a key goes into its own variable`,
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path === "" ? "/v1" : path}`;
}

/** The host (and port) of `baseUrl`, for messages. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

/** The address of the server itself, without the path `/v1`. */
export function serverRootOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, "");
}

/** Whether `address` is this machine's. */
export function isOnLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}
