/**
 * Where a team's ledger is: a PostgreSQL address, understood as libpq does, but stricter about TLS.
 * Rule: a server that is not this machine is reached over TLS with its certificate checked, unless the address
 * itself says otherwise; a password is never part of what is shown or written.
 */
import { UsageError } from "../../platform/errors.ts";

/** How a connection is protected. `require` encrypts and checks nothing. */
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"] as const;
/** One of {@linkcode SSL_MODES}. */
export type SslMode = typeof SSL_MODES[number];

/** An address in its parts. */
export interface TeamAddress {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string | undefined;
  sslMode: SslMode;
  /** A file of certificates to trust in place of the usual ones. */
  rootCertificate: string | undefined;
  /** The address as it may be shown. */
  shown: string;
}

const KNOWN_PARAMETERS = ["sslmode", "sslrootcert"];

/**
 * Takes an address apart.
 *
 * @throws {UsageError} for one that is none, or has a parameter that is not understood
 *
 * @example
 * ```ts
 * import { parseTeamAddress } from "./address.ts";
 * import assert from "node:assert/strict";
 *
 * const { sslMode, shown } = parseTeamAddress("postgres://ada:secret@db.example.org/team");
 * assert.equal(sslMode, "verify-full");
 * assert.equal(shown, "postgres://ada@db.example.org:5432/team");
 * ```
 */
export function parseTeamAddress(text: string): TeamAddress {
  const form = "postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === "") {
    throw new UsageError(`The address of the team's ledger is not one; it looks like ${form}.`);
  }
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN_PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `The address of the team's ledger has ${unknown}=…; there are ${
        KNOWN_PARAMETERS.join(", ")
      }.`,
    );
  }
  const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1");
  const given = url.searchParams.get("sslmode");
  const sslMode = SSL_MODES.find((known) => known === given) ??
    (isThisMachine(host) ? "disable" : "verify-full");
  if (given !== null && sslMode !== given) {
    throw new UsageError(`sslmode=${given}: is one of ${SSL_MODES.join(", ")}.`);
  }
  const port = Number(url.port || 5432);
  const user = decodeURIComponent(url.username) || "postgres";
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  return {
    host,
    port,
    database,
    user,
    password: url.password === "" ? undefined : decodeURIComponent(url.password),
    sslMode,
    rootCertificate: url.searchParams.get("sslrootcert") ?? undefined,
    shown: `postgres://${user}@${host}:${port}/${database}`,
  };
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

/**
 * The password that ~/.pgpass has for an address: the first line whose fields match, `*` being any; `\` takes
 * the meaning from `:` and from itself.
 * Source: PostgreSQL's documentation, "The Password File".
 */
export function passwordFrom(pgpass: string, address: TeamAddress): string | undefined {
  const wanted = [address.host, String(address.port), address.database, address.user];
  for (const line of pgpass.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = (line.match(/(?:\\.|[^:\\])*(?::|$)/g) ?? [])
      .map((field) => field.replace(/:$/, "").replace(/\\(.)/g, "$1"));
    const [password] = fields.slice(4);
    if (password === undefined) continue;
    if (wanted.every((value, index) => fields[index] === "*" || fields[index] === value)) {
      return password;
    }
  }
  return undefined;
}
