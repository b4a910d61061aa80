/** The command line's entry. Rule: nothing is imported before it is known to be needed. */
import denoJson from "./deno.json" with { type: "json" };

if (Deno.args[0] === "--version" || Deno.args[0] === "-V") {
  console.log(`m31a ${denoJson.version}`);
} else {
  const { main } = await import("./src/cli/main.ts");
  Deno.exit(await main(Deno.args, denoJson.version));
}
