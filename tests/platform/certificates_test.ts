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

Deno.test("certificatesFrom() says what a variable names that is empty, damaged or not there", () =>
  withTemporaryFolder(async (folder) => {
    const damaged = "-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n";
    Deno.writeTextFileSync(`${folder}/damaged.pem`, damaged);
    Deno.mkdirSync(`${folder}/empty`);
    const cases: [Record<string, string>, RegExp][] = [
      [
        { SSL_CERT_FILE: `${folder}/damaged.pem` },
        /damaged\.pem, which holds no certificate in PEM$/,
      ],
      [{ SSL_CERT_DIR: `${folder}/empty` }, /^SSL_CERT_DIR names .*empty, which cannot be read$/],
      [{ NODE_EXTRA_CA_CERTS: `${folder}/none` }, /none, which cannot be read$/],
    ];
    for (const [environment, said] of cases) {
      const { pems, problems } = await certificatesFrom(environment);
      assert.deepEqual(pems, []);
      assert.match(problems.join(), said);
    }
    assert.deepEqual(await certificatesFrom({}), { pems: [], sources: [], problems: [] });
  }));
