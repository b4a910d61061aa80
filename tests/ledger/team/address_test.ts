/** Addresses of a team's ledger, and the password file. */
import assert from "node:assert/strict";
import { parseTeamAddress, passwordFrom } from "../../../src/ledger/team/address.ts";

Deno.test("parseTeamAddress() checks certificates by default, but for this machine", () => {
  const modeOf = (url: string) => parseTeamAddress(url).sslMode;
  assert.equal(modeOf("postgres://db.example.org/team"), "verify-full");
  assert.equal(modeOf("postgresql://10.0.0.1/team"), "verify-full");
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"]) {
    assert.equal(modeOf(`postgres://${host}/team`), "disable");
  }
  assert.equal(modeOf("postgres://db.example.org/team?sslmode=require"), "require");
});

Deno.test("parseTeamAddress() takes an address apart and never shows its password", () => {
  const address = parseTeamAddress("postgres://a%40b:p%3Aw@db:6000/my%20team?sslrootcert=/ca.pem");
  const { user, password, port, database, rootCertificate, shown } = address;
  assert.deepEqual([user, password, port, database, rootCertificate], [
    "a@b",
    "p:w",
    6000,
    "my team",
    "/ca.pem",
  ]);
  assert.doesNotMatch(shown, /p:w|p%3Aw/);
});

Deno.test("parseTeamAddress() refuses what it does not understand", () => {
  for (
    const [url, why] of [
      ["mysql://db/team", /looks like postgres/],
      ["nonsense", /looks like postgres/],
      ["postgres://db/team?sslmode=prefer", /sslmode=prefer: is one of disable/],
      ["postgres://db/team?options=-c", /has options=/],
    ] as const
  ) {
    assert.throws(() => parseTeamAddress(url), why);
  }
});

Deno.test("passwordFrom() takes the first line that matches, with stars and escapes", () => {
  const address = parseTeamAddress("postgres://ada@db.example.org/team");
  const file = [
    "# a comment",
    "other:5432:team:ada:wrong",
    "short:line",
    "db.example.org:5432:*:ada:a\\:b\\\\c",
    "*:*:*:*:last",
  ].join("\n");
  assert.equal(passwordFrom(file, address), "a:b\\c");
  assert.equal(passwordFrom("*:1:*:*:x", address), undefined);
});
