/**
 * The body of a patch for content that is not text: git's `GIT binary patch`.
 * Rule: both directions are in it, so that the patch can be taken back.
 */
import { deflateSync } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
  "!#$%&()*+-;<=>?@^_`{|}~";
const BYTES_A_LINE = 52;

/**
 * Writes the change from `before` to `after` as whole contents, each deflated and in base 85.
 *
 * A block is `literal <size>`, then lines of one letter for the number of bytes (A-Z for 1-26, a-z for
 * 27-52) and five characters for each four of them, then an empty line. The first block is the new
 * content, the second the old one. Source: `emit_binary_diff_body` in git's diff.c and base85.c.
 */
export function binaryPatchBody(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

function literal(bytes: Uint8Array): string {
  const deflated = new Uint8Array(deflateSync(bytes));
  const lines = [`literal ${bytes.byteLength}`];
  for (let start = 0; start < deflated.byteLength; start += BYTES_A_LINE) {
    const line = deflated.subarray(start, start + BYTES_A_LINE);
    const count = line.byteLength;
    const letter = String.fromCharCode(count <= 26 ? 64 + count : 96 + count - 26);
    lines.push(letter + base85(line));
  }
  return `${lines.join("\n")}\n`;
}

function base85(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.byteLength; start += 4) {
    let value = 0;
    for (let offset = 0; offset < 4; offset++) {
      value = value * 256 + (bytes[start + offset] ?? 0);
    }
    let digits = "";
    for (let digit = 0; digit < 5; digit++) {
      digits = ALPHABET.charAt(value % 85) + digits;
      value = Math.floor(value / 85);
    }
    text += digits;
  }
  return text;
}
