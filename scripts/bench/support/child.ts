/**
 * A process of its own for each measurement, with the executable's permissions and nothing warmed up.
 * Rule: it prints how long it took, in milliseconds, and ends when stdin does. Usage: child.ts <open | verify | list> [limit], in the project's folder.
 */
import type { Baseline } from "../../../src/session/baseline.ts";
import { listSessions } from "../../../src/session/catalog.ts";
import { Replay } from "../../../src/session/replay.ts";
import { Session } from "../../../src/session/session.ts";
import { verifySession } from "../../../src/session/verify.ts";
import { BENCH_SESSION } from "./id.ts";

if (import.meta.main) {
  const [what, limit] = Deno.args;
  const startMs = performance.now();
  if (what === "open") {
    const folds = (baseline: Baseline) => [new Replay(baseline)];
    (await Session.open(".", BENCH_SESSION, { folds })).close();
  }
  if (what === "verify") {
    const damaged = (await verifySession(".", BENCH_SESSION)).find(({ damage }) => damage);
    if (damaged !== undefined) throw new Error(damaged.damage);
  }
  if (what === "list") listSessions(".", Number(limit));
  console.log(performance.now() - startMs);
  // The parent looks at this process's memory before it lets it go.
  Deno.stdin.readSync(new Uint8Array(1));
}
