/** Ships the test's session of the folder in argument 1 as a process of its own; the second is its home. */
import { ship } from "../../src/ship/ship.ts";
import { withRequest } from "./shippable.ts";

const [root = "", home = ""] = Deno.args;
const environment = { PATH: Deno.env.get("PATH") ?? "", HOME: home };
await withRequest(root, environment, {}, ship);
