/**
 * A process of its own for tests that kill it, starve it of disk space, or race with it.
 * Usage: writer_program.ts <root> <append | hold | compact | create> [count]. It prints a line after each thing that was acknowledged.
 */
import { M31aError, messageOf } from "../../src/platform/errors.ts";
import { Session } from "../../src/session/session.ts";
import { ID, sampleBaseline, turn } from "./samples.ts";

const encoder = new TextEncoder();

function say(line: string): void {
  Deno.stdout.writeSync(encoder.encode(line + "\n"));
}

/** Begins an epoch; where that fails, tries to go on in the one before and says whether it could. */
async function compact(session: Session, summary: string): Promise<void> {
  try {
    await session.beginEpoch(summary, null);
  } catch (error) {
    try {
      session.append(turn(session.totals.turns + 1));
      say(`went on in epoch ${session.baseline.epoch}`);
    } catch {
      // It takes no more records, as it should when the next epoch is there.
    }
    throw error;
  }
}

const [root = ".", what = "", count = "Infinity"] = Deno.args;
try {
  const session = what === "create"
    ? await Session.create(root, sampleBaseline(), null)
    : await Session.open(root, ID);
  say("open");
  if (what === "hold") await new Promise((resolve) => setTimeout(resolve, 600_000));
  for (let done = 0; done < Number(count); done++) {
    if (what === "compact") await compact(session, `summary ${done}`);
    const records = session.append(turn(session.totals.turns + 1));
    say(`${session.baseline.epoch} ${records.at(-1)?.seq} ${session.totals.turns}`);
  }
  session.close();
  say("closed");
} catch (error) {
  say(`error ${messageOf(error)}`);
  Deno.exit(error instanceof M31aError ? error.exitCode : 70);
}
