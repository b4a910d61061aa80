/** Every seed of the fuzzers, what they once found among them, as a test. */
import { FUZZERS } from "./list.ts";
import { seedsOf } from "./fuzzer.ts";

for (const fuzzer of FUZZERS) {
  Deno.test(`the fuzzer of ${fuzzer.name} finds nothing in its seeds`, async (context) => {
    try {
      for (const { name, bytes } of seedsOf(fuzzer.name)) {
        await context.step(name, async () => await fuzzer.check(bytes, 0));
      }
    } finally {
      await fuzzer.close?.();
    }
  });
}
