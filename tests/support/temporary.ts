/** Temporary folders for tests, removed whatever happens. */
import { lateAttemptsEnded } from "../../src/platform/lock.ts";

/** Runs `test` with the real path of a fresh temporary folder and removes it afterwards. */
export async function withTemporaryFolder<T>(test: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "m31a-test-" }));
  try {
    return await test(folder);
  } finally {
    // A lock that was given up is still waited for; whoever held it has let go by now.
    await lateAttemptsEnded();
    Deno.removeSync(folder, { recursive: true });
  }
}
