/**
 * How this machine reaches the network: proxies and certificates, from the variables that other tools take.
 * Rule: every request of m31a's goes through `networkFetch`; this machine itself is never reached through a proxy.
 */
import type { Environment } from "./environment.ts";
import { type Certificates, certificatesFrom } from "./certificates.ts";

/** Which way requests go, decided once, before the first of them. */
interface Ways {
  environment: Environment;
  certificates?: Promise<Certificates>;
  client?: Promise<Deno.HttpClient | undefined>;
}

let ways: Ways = { environment: {} };

/** This machine, as NO_PROXY has it. */
const THIS_MACHINE = ["localhost", "127.0.0.0/8", "::1"];

/**
 * Takes proxies and certificates from `environment`. Call it before the first request: Deno reads HTTP_PROXY, HTTPS_PROXY,
 * ALL_PROXY and NO_PROXY by itself, once, and knows no exception for this machine.
 */
export function useNetwork(environment: Environment): void {
  ways = { environment };
  if (PROXY_NAMES.every((name) => environment[name] === undefined)) return;
  const excepted = environment.NO_PROXY ?? environment.no_proxy ?? "";
  if (excepted.trim() === "*") return;
  Deno.env.set("NO_PROXY", [excepted, ...THIS_MACHINE].filter((part) => part !== "").join(","));
}

/** An address of this machine, which needs no certificate. */
const PLAIN_AND_HERE = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/i;

/**
 * `fetch`, with the certificates that the user's variables name. A server on this machine is not kept waiting for
 * those: reading a system's whole list takes longer than one that is looked for has to answer.
 */
export const networkFetch: typeof fetch = async (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (PLAIN_AND_HERE.test(address)) return await fetch(input, init);
  const client = await (ways.client ??= clientOf());
  return await fetch(input, client === undefined ? init : { ...init, client });
};

async function clientOf(): Promise<Deno.HttpClient | undefined> {
  const { pems } = await certificates();
  return pems.length === 0 ? undefined : Deno.createHttpClient({ caCerts: [...pems] });
}

function certificates(): Promise<Certificates> {
  return ways.certificates ??= certificatesFrom(ways.environment);
}

const PROXY_NAMES = [
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
  "ALL_PROXY",
  "all_proxy",
] as const;

/** The proxy for `url`, without its password, and the variable that names it; undefined when there is none. */
function proxyFor(url: URL): string | undefined {
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) return undefined;
  const scheme = url.protocol === "https:" ? /^(https|all)_/i : /^(http|all)_/i;
  const name = PROXY_NAMES.find((name) =>
    scheme.test(name) && ways.environment[name] !== undefined
  );
  if (name === undefined) return undefined;
  const address = (ways.environment[name] ?? "").replace(/^(\w+:\/\/)?[^/]*@/, "$1");
  return `the proxy ${address} (${name})`;
}

/** Why a connection failed, and what helps. */
export interface Obstacle {
  said: string;
  advice: string;
  /** It fails again in the same way. */
  isLasting: boolean;
}

const CERTIFICATE = /certificate|UnknownIssuer|self.?signed|NotValidForName|CaUsedAsEndEntity/i;

/**
 * Reads what Deno says of a connection to `address` that could not be made.
 *
 * @param text the error's message
 */
export async function obstacleIn(text: string, address: string): Promise<Obstacle> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const proxy = url === undefined ? undefined : proxyFor(url);
  const through = proxy === undefined ? "" : ` through ${proxy}`;
  const said = `${text}${through}`;
  if (CERTIFICATE.test(text)) {
    const { sources, problems } = await certificates();
    const known = [...sources, ...problems].join("; ");
    return {
      said,
      advice:
        "Its certificate is not trusted here. Where a company or a proxy signs it, set NODE_EXTRA_CA_CERTS " +
        `(or SSL_CERT_FILE) to the file with the certificate that it is signed with, in PEM${
          known === "" ? "; none of them is set" : `; now: ${known}`
        }.`,
      isLasting: true,
    };
  }
  if (/proxy authentication|\b407\b/i.test(text)) {
    return {
      said,
      advice:
        "Put the proxy's user and password into its address (http://user:password@host:port).",
      isLasting: true,
    };
  }
  if (proxy !== undefined) {
    return {
      said,
      advice: `Check that proxy; NO_PROXY=${url?.hostname} goes without it.`,
      isLasting: false,
    };
  }
  return { said, advice: "Check that the server runs and the network is up.", isLasting: false };
}
