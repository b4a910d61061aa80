/**
 * The log that a ship writes to, and the account that grows with it.
 * Rule: the account learns of a record after it is on disk, as every fold does.
 */
import type { JsonValue } from "../platform/canonical_json.ts";
import type { RecordDraft, SessionRecord } from "../session/records.ts";
import type { SessionAccount } from "./account.ts";

/** A session, as far as a ship needs it: {@linkcode Session} is one. */
export interface OpenSession {
  readonly id: string;
  readonly baseline: { readonly epoch: number };
  append(drafts: readonly RecordDraft[]): SessionRecord[];
}

/** The log of the session that is shipped. */
export class ShipLog {
  readonly #session: OpenSession;
  readonly #account: SessionAccount;

  constructor(session: OpenSession, account: SessionAccount) {
    this.#session = session;
    this.#account = account;
  }

  /** Makes the records durable and lets the account take them. */
  append(drafts: readonly RecordDraft[]): void {
    const { epoch } = this.#session.baseline;
    for (const record of this.#session.append(drafts)) this.#account.apply(record, epoch);
  }

  /** Records that a step is done, along with `others`, in one write. */
  record(
    step: string,
    facts: { [name: string]: JsonValue },
    others: readonly RecordDraft[] = [],
  ): void {
    this.append([...others, { type: "shipped", step, facts }]);
  }
}
