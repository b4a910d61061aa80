import assert from "node:assert/strict";
import { join } from "@std/path";
import { networkFetch, obstacleIn, useNetwork } from "../../src/platform/network.ts";
import { withTemporaryFolder } from "../support/temporary.ts";

Deno.test("networkFetch() reaches a server on this machine before certificates have been read", () =>
  withTemporaryFolder(async (folder) => {
    const path = join(folder, "authorities.pem");
    useNetwork({ NODE_EXTRA_CA_CERTS: path });
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => new Response("here"),
    );
    const response = await networkFetch(`http://127.0.0.1:${server.addr.port}/`);
    assert.equal(await response.text(), "here");
    // Had they been read by now, this file would not have been there yet.
    Deno.writeTextFileSync(path, "no certificate");
    const { advice } = await obstacleIn("UnknownIssuer", "https://example.org/");
    assert.match(advice, /authorities\.pem, which holds no certificate in PEM/);
  }));
