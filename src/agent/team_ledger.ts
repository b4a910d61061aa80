/**
 * The team's ledger that the user's configuration names.
 * Rule: the address comes from the environment or a trusted file; what it needs from outside of the project (a
 * certificate that it names, ~/.pgpass) is read through sh and goes nowhere but to that server.
 */
import { join } from "@std/path";
import { parseTeamAddress, passwordFrom, type TeamAddress } from "../ledger/team/address.ts";
import {
  type TeamConnection,
  TeamLedgerFailed,
  type TeamSecrets,
  withTeamConnection,
} from "../ledger/team/connection.ts";
import { OWED_PART, owedPart, setMark } from "../ledger/team/owed.ts";
import { pushEntries } from "../ledger/team/push.ts";
import type { Environment } from "../platform/environment.ts";
import { UsageError } from "../platform/errors.ts";
import { readOutsideFile } from "../platform/outside_file.ts";
import { decodeLossy } from "../platform/text.ts";
import { readTrustedConfiguration } from "./configuration.ts";

/** A team's ledger, ready to be asked. */
export class TeamLedger {
  readonly address: TeamAddress;
  readonly #secrets: TeamSecrets;
  readonly #keepsWords: boolean;

  constructor(address: TeamAddress, secrets: TeamSecrets, keepsWords: boolean) {
    this.address = address;
    this.#secrets = secrets;
    this.#keepsWords = keepsWords;
  }

  /** @throws {TeamLedgerFailed} when the server is away, refuses, or is not done in time */
  async connect<T>(timeoutMs: number, use: (connection: TeamConnection) => Promise<T>): Promise<T> {
    return await withTeamConnection(this.address, this.#secrets, timeoutMs, use);
  }

  /**
   * Tells the server of entries that it was not told of, `atMost` of them or a few more.
   *
   * @param timeoutMs for {@linkcode PARTS_A_CONNECTION} parts: a ledger of any size is told as long as the server answers
   * @returns how many were sent, how many of them were new to it, and whether more are owed
   */
  async push(
    root: string,
    timeoutMs: number,
    atMost = Infinity,
  ): Promise<{ sent: number; added: number; isMore: boolean }> {
    let part = owedPart(root, this.address.shown);
    let sent = 0;
    let added = 0;
    while (part.entries.length > 0 && sent < atMost) {
      await this.connect(timeoutMs, async (connection) => {
        for (let count = 0; count < PARTS_A_CONNECTION; count++) {
          added += await pushEntries(connection, part.entries, this.#keepsWords);
          sent += part.entries.length;
          setMark(root, part);
          if (!part.isMore || sent >= atMost) return;
          part = owedPart(root, this.address.shown, part.mark);
        }
      });
      if (!part.isMore) break;
    }
    return { sent, added, isMore: part.isMore };
  }
}

/** So many parts go over one connection, within one time. */
const PARTS_A_CONNECTION = 20;

/**
 * The team's ledger; `undefined` where none is named.
 *
 * @throws {UsageError} for an address that is none
 */
async function teamLedger(
  root: string,
  environment: Environment,
): Promise<TeamLedger | undefined> {
  const { ledger, settings } = await readTrustedConfiguration(root, environment);
  if (ledger.url === undefined) return undefined;
  const address = parseTeamAddress(ledger.url);
  const origin = settings.find(({ key }) => key === "ledger.url")?.origin ?? "";
  if (address.password !== undefined && origin !== "M31A_LEDGER_URL") {
    throw new UsageError(
      `${origin}: ledger.url holds a password. Take it out: it comes from M31A_LEDGER_PASSWORD or ~/.pgpass.`,
    );
  }
  const password = address.password ?? environment.M31A_LEDGER_PASSWORD ??
    await passwordOfHome(address, environment);
  const { rootCertificate } = address;
  const certificates = rootCertificate === undefined
    ? undefined
    : await readOutside(rootCertificate);
  if (rootCertificate !== undefined && certificates === undefined) {
    throw new UsageError(`${rootCertificate}: the certificate (sslrootcert) cannot be read.`);
  }
  return new TeamLedger(address, { password, certificates }, ledger.goals);
}

/** @throws {UsageError} that says how one is named, where none is */
export async function expectTeamLedger(
  root: string,
  environment: Environment,
): Promise<TeamLedger> {
  const team = await teamLedger(root, environment);
  if (team !== undefined) return team;
  throw new UsageError(
    "No team's ledger is named. Set M31A_LEDGER_URL, or url in [ledger] of planning/config.toml.",
  );
}

/** For how long a ship waits for the team's ledger, in milliseconds, and how many entries it sends. */
const SHIP_WAITS_MS = 1_500;
const SHIP_SENDS = OWED_PART;

/**
 * Tells the team's ledger of what it is owed, within a moment. A server that is away holds nothing up: what it is
 * owed goes along the next time.
 *
 * @returns what to tell the user; undefined when there is nothing to tell
 */
export async function tellTeam(
  root: string,
  environment: Environment,
): Promise<string | undefined> {
  const later = "What it is owed goes along next time, or with: m31a ledger push";
  try {
    const team = await teamLedger(root, environment);
    if (team === undefined) return undefined;
    const { isMore } = await team.push(root, SHIP_WAITS_MS, SHIP_SENDS);
    return isMore ? `The team's ledger is owed more entries. ${later}` : undefined;
  } catch (error) {
    if (!(error instanceof TeamLedgerFailed) && !(error instanceof UsageError)) throw error;
    return `The team's ledger was not told: ${error.message}. ${later}`;
  }
}

async function passwordOfHome(
  address: TeamAddress,
  environment: Environment,
): Promise<string | undefined> {
  const { HOME } = environment;
  const text = HOME === undefined ? undefined : await readOutside(join(HOME, ".pgpass"));
  return text === undefined ? undefined : passwordFrom(text, address);
}

/** How much of such a file is read. */
const OUTSIDE_BYTES = 1_000_000;

/** The text of a file outside of the project; `undefined` when it cannot be read. */
async function readOutside(path: string): Promise<string | undefined> {
  const file = await readOutsideFile(path, OUTSIDE_BYTES);
  return file.kind === "read" ? decodeLossy(file.bytes) : undefined;
}
