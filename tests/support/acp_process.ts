/** The executable as an agent: `m31a acp` with a client at its stdin and stdout, which can be killed at any time. */
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { executablePath } from "../e2e/executable.ts";
import { AcpClient, type ClientAnswers } from "./acp_client.ts";
import type { Project } from "./project.ts";

/** A running agent and its client. Use it with `await using`: it is killed at the end of the block. */
export class AcpProcess implements AsyncDisposable {
  readonly client: AcpClient;
  readonly #child: Deno.ChildProcess;
  readonly #stderr: Promise<string>;

  /** Starts it in the project's root. */
  constructor(project: Project, answers: ClientAnswers = {}) {
    this.#child = new Deno.Command(executablePath(), {
      args: ["acp"],
      cwd: project.root,
      clearEnv: true,
      env: { ...project.variables },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#stderr = new Response(this.#child.stderr).text();
    this.client = new AcpClient(ndJsonStream(this.#child.stdin, this.#child.stdout), answers);
  }

  /** Closes its stdin, as an editor that ends does, and waits for its end. */
  async leave(): Promise<{ code: number; stderr: string }> {
    await this.#child.stdin.close();
    const [{ code }, stderr] = await Promise.all([this.#child.status, this.#stderr]);
    return { code, stderr };
  }

  /** Kills it as a power cut would. */
  async kill(): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // it has ended by itself
    }
    await Promise.all([this.#child.status, this.#stderr]);
    await this.#child.stdin.close().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.client.close();
  }
}
