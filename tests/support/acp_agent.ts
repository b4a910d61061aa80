/** m31a as an agent in memory: a real repository, a script for a model, clients at the other ends of streams. */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { readTrustedConfiguration } from "../../src/agent/configuration.ts";
import { modelToBeginWith } from "../../src/agent/open.ts";
import type { ChatStart } from "../../src/app/conversation_host.ts";
import { LiveConversation } from "../../src/app/live_conversation.ts";
import type { ConversationOptions } from "../../src/app/project.ts";
import { prepareOpening } from "../../src/app/opening.ts";
import { serveClient } from "../../src/faces/acp/agent.ts";
import { HeldConversations } from "../../src/faces/acp/held_conversations.ts";
import { AcpClient, type ClientAnswers } from "./acp_client.ts";
import { type GitFolder, withGitFolder } from "./git_folder.ts";

/** The two ends of a stream of messages. */
export function streamPair(): [Stream, Stream] {
  const [there, back] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()];
  return [
    { writable: there.writable, readable: back.readable },
    { writable: back.writable, readable: there.readable },
  ];
}

/** What a test has to do with. */
export interface AgentTest {
  folder: GitFolder;
  /** A client that has introduced itself. */
  connect(answers?: ClientAnswers): Promise<AcpClient>;
  /** Lets go of all conversations, as the end of a process does. */
  restart(): Promise<void>;
}

/**
 * Runs a test with m31a in a repository.
 *
 * @param script what the model answers, a line each
 */
export async function withAgent(
  script: readonly (string | Record<string, unknown>)[],
  test: (agent: AgentTest) => Promise<void>,
): Promise<void> {
  await withGitFolder(async (folder) => {
    const lines = script.map((line) => typeof line === "string" ? line : JSON.stringify(line));
    folder.write("answers.script", `${lines.join("\n")}\n`);
    folder.write("a.txt", "stored\n");
    folder.commitAll();
    const { root, environment } = folder;
    const flags = { model: `script:${root}/answers.script` };
    const configuration = await readTrustedConfiguration(root, environment, flags);
    const modelled = { environment, model: configuration.model, modelFlag: flags.model };
    const settings = { root, environment, flags, configuration };
    const project = {
      model: () => modelToBeginWith(modelled),
      converse: (start: ChatStart, { brought, ...options }: ConversationOptions) =>
        LiveConversation.open(
          (holder) => prepareOpening(settings, holder, brought),
          start,
          options,
        ),
    };
    const open = () => {
      const place = { root, environment, open: () => Promise.resolve(project) };
      return new HeldConversations(place, "1.2.3");
    };
    let held = open();
    const clients: AcpClient[] = [];
    try {
      await test({
        folder,
        async connect(answers) {
          const [ours, theirs] = streamPair();
          serveClient(held, theirs);
          const client = new AcpClient(ours, answers);
          clients.push(client);
          await client.initialize();
          return client;
        },
        async restart() {
          await held.close();
          held = open();
        },
      });
    } finally {
      await held.close();
      for (const client of clients) await client.close();
    }
  });
}
