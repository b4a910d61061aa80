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

const [root = ".", what = "", count = "Infinity"] = Deno.args;
try {
  const session = what === "create"
    ? await Session.create(root, sampleBaseline(), null)
    : await Session.open(root, ID);
  say("open");
  if (what === "hold") await new Promise((resolve) => setTimeout(resolve, 600_000));
  for (let done = 0; done < Number(count); done++) {
    if (what === "compact") await session.beginEpoch(`summary ${done}`, null);
    const records = session.append(turn(session.totals.turns + 1));
    say(`${session.baseline.epoch} ${records.at(-1)?.seq} ${session.totals.turns}`);
  }
  session.close();
  say("closed");
} catch (error) {
  say(`error ${messageOf(error)}`);
  Deno.exit(error instanceof M31aError ? error.exitCode : 70);
}
