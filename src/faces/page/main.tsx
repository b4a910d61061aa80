/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * Starts the page in a browser.
 * Rule: the token comes from the address's fragment, which no browser sends to a server; it is kept for this tab alone.
 */
import { render } from "preact";
import { App } from "./app.tsx";
import { openServer } from "./server.ts";

const TOKEN = "m31a token";

const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given !== null) {
  sessionStorage.setItem(TOKEN, given);
  history.replaceState(null, "", location.pathname);
}
const token = sessionStorage.getItem(TOKEN) ?? "";
const address = new URL("acp", location.href);
address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
const place = document.getElementById("app");
if (place !== null) {
  render(<App connect={(listener) => openServer(address.href, token, listener)} />, place);
}
