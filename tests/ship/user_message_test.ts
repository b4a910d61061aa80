import assert from "node:assert/strict";
import { UsageError } from "../../src/platform/errors.ts";
import { userMessage } from "../../src/ship/user_message.ts";

Deno.test("userMessage() keeps the text but for white space at ends, and control sequences", () => {
  assert.equal(userMessage("\n\nFix: it \r\n\r\n- a\u001b[31m  \n  b\n\n"), "Fix: it\n\n- a\n  b");
});

Deno.test("userMessage() refuses what is no message, and lines that m31a writes", () => {
  const refused: Record<string, RegExp> = {
    " \n ": /--message: is empty/,
    "a\nb": /line after the subject has to be empty/,
    "a\n\nM31A-Session: x": /writes the line "M31A-Session:" itself/,
    "a\n\nproved : yes": /writes the line "Proved:" itself/,
  };
  for (const [text, message] of Object.entries(refused)) {
    assert.throws(
      () => userMessage(text),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  }
});
