/** A PostgreSQL server for tests: PGlite (PostgreSQL in WebAssembly) behind its socket server. */
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import type { TeamAddress } from "../../src/ledger/team/address.ts";
import { parseTeamAddress } from "../../src/ledger/team/address.ts";
import { type TeamConnection, withTeamConnection } from "../../src/ledger/team/connection.ts";

/** A server on loopback. */
export interface TeamServer {
  url: string;
  address: TeamAddress;
  /** Asks the database itself, past the socket. */
  database: PGlite;
  connect<T>(use: (connection: TeamConnection) => Promise<T>): Promise<T>;
}

export const NO_SECRETS = { password: undefined, certificates: undefined };

/** Starts a server with an empty database and stops it afterwards. */
export async function withTeamServer(test: (server: TeamServer) => Promise<void>): Promise<void> {
  const database = await PGlite.create();
  const server = new PGLiteSocketServer({
    db: database,
    host: "127.0.0.1",
    port: 0,
    maxConnections: 20,
  });
  await server.start();
  // Nothing of it keeps the process alive while a connection is being made.
  const alive = setInterval(() => {}, 1_000);
  const url = `postgres://postgres@${server.getServerConn()}/postgres`;
  const address = parseTeamAddress(url);
  try {
    await test({
      url,
      address,
      database,
      connect: (use) => withTeamConnection(address, NO_SECRETS, 60_000, use),
    });
  } finally {
    // It stops listening at once; of a connection that was cut it would wait for a word for ever.
    server.stop().catch(() => {});
    await database.close();
    clearInterval(alive);
  }
}
