/**
 * A connection to a team's ledger.
 * Rule: everything has its time; when that is over the connection is cut, on this side too, and nobody waits.
 */
import { isIP, Socket } from "node:net";
import { messageOf, WorkFailed } from "../../platform/errors.ts";
import type { TeamAddress } from "./address.ts";

/** What is asked of a server. */
export interface TeamConnection {
  /** Rows as lists of values, in the order of the columns. */
  rows(sql: string, values?: readonly unknown[]): Promise<unknown[][]>;
  /** How many rows a statement has changed. */
  change(sql: string, values?: readonly unknown[]): Promise<number>;
}

/** The team's ledger cannot be reached, or refuses. The address is named, a password never. */
export class TeamLedgerFailed extends WorkFailed {
  constructor(address: TeamAddress, why: string, options?: ErrorOptions) {
    super(`${address.shown}: ${why}`, options);
  }
}

/** What TLS needs besides the address. */
export interface TeamSecrets {
  password: string | undefined;
  /** PEM certificates to trust in place of the usual ones. */
  certificates: string | undefined;
}

/**
 * Connects, runs `use`, and closes, all within `timeoutMs`.
 *
 * @throws {TeamLedgerFailed} when it cannot be reached, its certificate is not the right one, it refuses, or is too slow
 */
export async function withTeamConnection<T>(
  address: TeamAddress,
  { password, certificates }: TeamSecrets,
  timeoutMs: number,
  use: (connection: TeamConnection) => Promise<T>,
): Promise<T> {
  const { default: pg } = await import("pg");
  const socket = new Socket();
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    // A function: what is asked for only if the server asks. An empty one is no password.
    password: () => password ?? "",
    ssl: tlsOf(address, certificates),
    application_name: "m31a",
    connectionTimeoutMillis: timeoutMs,
    stream: () => socket,
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeIsOver = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${timeoutMs / 1000} s`));
      socket.destroy();
    }, timeoutMs);
  });
  // A connection that is lost while nobody waits for an answer: whoever asks next is told.
  client.on("error", () => {});
  const work = async () => {
    await client.connect();
    return await use({
      rows: async (text, values = []) =>
        (await client.query({ text, values: [...values], rowMode: "array" })).rows,
      change: async (text, values = []) =>
        (await client.query({ text, values: [...values] })).rowCount ?? 0,
    });
  };
  const working = work();
  // After the time is over its failure is nobody's.
  working.catch(() => {});
  try {
    return await Promise.race([working, timeIsOver]);
  } catch (error) {
    if (error instanceof WorkFailed) throw error;
    throw new TeamLedgerFailed(address, explained(error), { cause: error });
  } finally {
    clearTimeout(timer);
    await closed(client.end(), socket);
  }
}

/** How long the server is given to hear that it is over, in milliseconds. */
const CLOSING_MS = 100;

/** Waits until a connection is closed, and cuts it when that takes too long. */
async function closed(ending: Promise<void>, socket: Socket): Promise<void> {
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const closing = setTimeout(resolve, CLOSING_MS);
  await Promise.race([ending.catch(() => {}), isOver]);
  clearTimeout(closing);
  socket.destroy();
}

function tlsOf({ sslMode, host }: TeamAddress, certificates: string | undefined) {
  if (sslMode === "disable") return false;
  const ca = certificates === undefined ? {} : { ca: certificates };
  if (sslMode === "require") return { ...ca, rejectUnauthorized: false };
  // Of verify-ca too the name is checked: Deno's TLS has no way to check the certificate alone.
  return isIP(host) > 0 ? ca : { ...ca, servername: host };
}

/** What the user can do about it, where the server's own words do not say. */
function explained(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  if (code === "42P01" || code === "3F000") {
    return `there is no ledger here yet (${message}). Its owner makes it: m31a ledger init`;
  }
  if (code === "42501") {
    return `${message}. Pushing needs the role m31a_writer, statistics need m31a_reader`;
  }
  if (message.includes("UnknownIssuer")) {
    return `${message}. sslrootcert=/path/ca.pem in the address names the certificates to trust`;
  }
  return message === "" ? code || "the connection failed" : message;
}
