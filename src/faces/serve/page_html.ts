/**
 * The page of `m31a serve` as one HTML file: script and styles are in it.
 * Rule: it may run its own script and reach the server that it came from, and nothing else at all.
 */
import script from "../page/page.js" with { type: "text" };
import styles from "../page/page.css" with { type: "text" };
import { createHash } from "node:crypto";

/** The policy that the page is sent with. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `script-src '${hashOf(script)}'`,
  `style-src '${hashOf(styles)}'`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>m31a</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<div id="app"><noscript>This page needs JavaScript.</noscript></div>
<script>${script}</script>
</body>
</html>
`;

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
