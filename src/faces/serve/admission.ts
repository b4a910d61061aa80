/**
 * Who may talk to the server of `m31a serve`.
 * Rule: pure; another page in the browser (Origin), another name for this machine (Host) and whoever lacks the token
 * get nowhere, and learn nothing.
 */
import { timingSafeEqual } from "node:crypto";
import { sha256Hex } from "../../platform/canonical_json.ts";

/** Names under which a machine reaches itself. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** What the server was told to be. */
export interface Admission {
  /** The names, with port, that a request's Host may have. */
  hosts: ReadonlySet<string>;
  token: string;
}

/**
 * Makes the rules for a server that listens on `port`; `names` are further names that people reach it by, each with
 * its port where that is another one.
 */
export function admissionOf(port: number, names: readonly string[]): Admission {
  const own = LOOPBACK.map((name) => `${name}:${port}`);
  const token = crypto.getRandomValues(new Uint8Array(32));
  return {
    hosts: new Set([...own, ...names.map((name) => name.toLowerCase())]),
    token: btoa(String.fromCharCode(...token)).replace(/[+/=]/g, (sign) => URL_SAFE[sign] ?? ""),
  };
}

const URL_SAFE: Record<string, string> = { "+": "-", "/": "_" };

/**
 * Why a request is refused, by its headers; undefined when it may go on.
 *
 * A browser names the page that a request comes from in Origin, and the name that it took for this machine in Host:
 * a name that another one's DNS has turned to this machine is none of ours. A program sends no Origin.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const admission = admissionOf(8731, []);
 * assert.equal(refusalOf(new Headers({ host: "localhost:8731" }), admission), undefined);
 * assert.match(refusalOf(new Headers({ host: "evil.example:8731" }), admission) ?? "", /--allow-host/);
 * ```
 */
export function refusalOf(headers: Headers, { hosts }: Admission): string | undefined {
  const host = headers.get("host")?.toLowerCase() ?? "";
  if (!hosts.has(host)) {
    return `${
      JSON.stringify(host)
    } is not a name of this server; m31a serve --allow-host makes it one`;
  }
  const origin = headers.get("origin");
  if (origin === null) return undefined;
  const isOwn = origin === `http://${host}` || origin === `https://${host}`;
  return isOwn ? undefined : `a page of ${origin} may not talk to this server`;
}

/** Whether somebody has the token; takes the same time whatever they have. */
export function isToken(given: unknown, { token }: Admission): boolean {
  const digest = (text: string) => new TextEncoder().encode(sha256Hex(text));
  return typeof given === "string" && timingSafeEqual(digest(given), digest(token));
}
