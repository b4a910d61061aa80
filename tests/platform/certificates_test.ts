import assert from "node:assert/strict";
import { certificatesFrom } from "../../src/platform/certificates.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

Deno.test("certificatesFrom() says of a file that it is too large for a list of authorities, and goes on", async () => {
  await withTemporaryFolder(async (folder) => {
    const path = `${folder}/large.pem`;
    Deno.writeTextFileSync(path, "");
    Deno.truncateSync(path, 16 * 1024 * 1024 + 1);
    const { pems, problems } = await certificatesFrom({
      PATH: Deno.env.get("PATH") ?? "",
      NODE_EXTRA_CA_CERTS: path,
    });
    assert.deepEqual(pems, []);
    assert.deepEqual(problems, [
      `NODE_EXTRA_CA_CERTS names ${path}, which has more than 16777216 bytes`,
    ]);
  });
});
