/** Live conversations for tests, over an opening whose model and tools the test decides. */
import { approver } from "../../src/agent/approval.ts";
import { readTrustedConfiguration } from "../../src/agent/configuration.ts";
import type { Opening } from "../../src/agent/open.ts";
import { Sandbox } from "../../src/agent/sandbox.ts";
import type { ChatStart, HostOptions } from "../../src/app/conversation_host.ts";
import { LiveConversation } from "../../src/app/live_conversation.ts";
import type { Holder } from "../../src/app/opening.ts";

/** Holds a conversation as a project does, but for its model and its tools, which are those of `opening`. */
export async function heldConversation(
  opening: Opening,
  start: ChatStart = { kind: "new" },
  options: HostOptions = { isAttended: false },
): Promise<LiveConversation> {
  const { root, environment } = opening;
  const configuration = await readTrustedConfiguration(root, environment, {});
  const prepare = (holder: Holder) => {
    const { link, approve, folds, onEvent, onDurable, takeSteered } = holder;
    return Promise.resolve({
      ...opening,
      ...link.world,
      folds: (baseline: Parameters<typeof folds>[0]) => [
        ...link.world.folds(baseline),
        ...folds(baseline),
      ],
      onEvent: (event: Parameters<typeof onEvent>[0]) => {
        opening.onEvent(event);
        onEvent(event);
      },
      onDurable,
      takeSteered,
      ...(approve !== undefined && {
        approve: approver("ask", () => Promise.resolve(true), approve),
      }),
      configuration,
      sandbox: new Sandbox(root, configuration.sandbox, environment),
    });
  };
  return await LiveConversation.open(prepare, start, options);
}
