/**
 * A provider's key from a command of the user's: a password manager, a cloud's own tool.
 * Rule: the command line stands in a configuration that the user trusts; what it prints is used and masked, never shown.
 */
import { UsageError } from "../platform/errors.ts";
import { runProcess } from "../platform/processes.ts";
import { decodeLossy, stripControlSequences } from "../platform/text.ts";

/** How long the command may take: it may ask the user to unlock something in a window of its own. */
const TIMEOUT_MS = 60_000;

/** More than this is no key. */
const MAX_KEY_BYTES = 16 * 1024;

/**
 * Runs `command` with sh, in the project and with the user's own variables; gives the first line that it prints.
 *
 * @throws {UsageError} when it fails, prints nothing or takes too long
 */
export async function keyFromCommand(command: string): Promise<string> {
  const result = await runProcess({
    script: 'eval "$1"',
    args: [command],
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_KEY_BYTES,
  });
  const where = "[model] key_command in planning/config.toml";
  if (result.timedOut) throw new UsageError(`${where} took more than ${TIMEOUT_MS / 1000} s`);
  if (result.code !== 0) {
    const said = stripControlSequences(decodeLossy(result.stderr)).trim().slice(-300);
    throw new UsageError(`${where} ended with exit code ${result.code}: ${said}`);
  }
  if (result.omittedBytes > 0) {
    throw new UsageError(`${where} printed more than ${MAX_KEY_BYTES} bytes, which is no key`);
  }
  const key = decodeLossy(result.stdout).trim().split(/\r?\n/, 1)[0]?.trim() ?? "";
  if (key === "") throw new UsageError(`${where} printed nothing`);
  return key;
}
