/**
 * Sessions in other projects: this process reads only where it was started, so an m31a is started there.
 * Rule: what belongs to such a session goes through unchanged, both ways; everything else is for this one. What was
 * started ends with the client.
 */
import type {
  AnyMessage,
  AnyNotification,
  AnyRequest,
  AnyResponse,
  Stream,
} from "@agentclientprotocol/sdk";
import { dirname, join, resolve } from "@std/path";
import { pathExists } from "../../platform/files.ts";
import { messageOf } from "../../platform/errors.ts";

/** Where this m31a is, and how another is started. */
export interface Projects {
  /** Whether the project at `cwd` is this one. */
  isHere(cwd: string): boolean;
  /** Starts an m31a in the folder `cwd`. Left out where none can be started. */
  start?: (cwd: string) => Stream;
}

/** An m31a in another project. */
interface Elsewhere {
  /** Tells its requests from those of others. */
  prefix: string;
  writer: WritableStreamDefaultWriter<AnyMessage>;
  /** The client's requests that it has not answered. */
  pending: Set<string | number | null>;
}

const INVALID_PARAMS = -32602;
const NOT_FOUND = -32002;
const INTRODUCTION = "m31a-introduction";

/** Gives the part of a client's stream that is for this m31a; see the head of this file for the rest. */
export function routeProjects(client: Stream, projects: Projects): Stream {
  return new ProjectRouter(client, projects).own;
}

class ProjectRouter {
  readonly own: Stream;
  readonly #projects: Projects;
  readonly #client: WritableStreamDefaultWriter<AnyMessage>;
  readonly #byFolder = new Map<string, Elsewhere>();
  readonly #bySession = new Map<string, Elsewhere>();
  #introduction: unknown;

  constructor(client: Stream, projects: Projects) {
    this.#projects = projects;
    this.#client = client.writable.getWriter();
    const incoming = new TransformStream<AnyMessage, AnyMessage>({
      transform: async (message, controller) => {
        if (!await this.#routed(message)) controller.enqueue(message);
      },
      flush: () => this.#end(),
    });
    client.readable.pipeTo(incoming.writable).catch(() => this.#end());
    const writable = new WritableStream<AnyMessage>({
      write: (message) => this.#client.write(message),
    });
    this.own = { readable: incoming.readable, writable };
  }

  /** Hands a message of the client's on, if it is for another m31a. */
  async #routed(message: AnyMessage): Promise<boolean> {
    if (!("method" in message)) return await this.#routedResponse(message);
    const { method, params } = message;
    if (method === "initialize") this.#introduction = params;
    if (method === "$/cancel_request") {
      const cancelled = valueOf(params, "requestId");
      const target = this.#all.find(({ pending }) => pending.has(idOf(cancelled)));
      await target?.writer.write(message);
      return target !== undefined;
    }
    const target = await this.#targetOf(message);
    if (target === "refused") return true;
    if (target === undefined) return false;
    if ("id" in message) target.pending.add(message.id);
    await target.writer.write(message);
    return true;
  }

  /** A response to a request of another m31a's goes back to it under the id that it gave. */
  async #routedResponse(message: AnyResponse): Promise<boolean> {
    const { id } = message;
    const target = this.#all.find(({ prefix }) => typeof id === "string" && id.startsWith(prefix));
    if (target === undefined) return false;
    await target.writer.write({
      ...message,
      id: JSON.parse(String(id).slice(target.prefix.length)),
    });
    return true;
  }

  async #targetOf(
    message: AnyRequest | AnyNotification,
  ): Promise<Elsewhere | "refused" | undefined> {
    const { params } = message;
    const [session, cwd] = [valueOf(params, "sessionId"), valueOf(params, "cwd")];
    const known = typeof session === "string" ? this.#bySession.get(session) : undefined;
    if (known !== undefined || typeof cwd !== "string" || this.#projects.isHere(cwd)) return known;
    if (!("id" in message)) return undefined;
    try {
      const started = this.#byFolder.get(cwd) ?? await this.#start(cwd);
      if (typeof session === "string") this.#bySession.set(session, started);
      return started;
    } catch (error) {
      await this.#refuse(message, INVALID_PARAMS, `${cwd}: ${messageOf(error)}`);
      return "refused";
    }
  }

  async #start(cwd: string): Promise<Elsewhere> {
    if (this.#projects.start === undefined) {
      throw new Error("this m31a serves the project in which it was started, and no other");
    }
    const { readable, writable } = this.#projects.start(cwd);
    const prefix = `${cwd}\0`;
    const started: Elsewhere = { prefix, writer: writable.getWriter(), pending: new Set() };
    this.#byFolder.set(cwd, started);
    this.#pump(started, readable).catch(() => {}).finally(() => this.#forget(cwd, started));
    const request = { jsonrpc: "2.0", id: INTRODUCTION, method: "initialize" } as const;
    await started.writer.write({ ...request, params: this.#introduction });
    return started;
  }

  async #pump(from: Elsewhere, readable: ReadableStream<AnyMessage>): Promise<void> {
    for await (const message of readable) {
      if ("method" in message) {
        const session = valueOf(message.params, "sessionId");
        if (typeof session === "string") this.#bySession.set(session, from);
        await this.#client.write("id" in message ? withPrefix(message, from.prefix) : message);
        continue;
      }
      if (message.id === INTRODUCTION) continue;
      from.pending.delete(message.id);
      const session = "result" in message ? valueOf(message.result, "sessionId") : undefined;
      if (typeof session === "string") this.#bySession.set(session, from);
      await this.#client.write(message);
    }
  }

  /** It has ended: what it has not answered is answered here. */
  #forget(cwd: string, ended: Elsewhere): void {
    if (this.#byFolder.get(cwd) === ended) this.#byFolder.delete(cwd);
    for (const [session, holder] of this.#bySession) {
      if (holder === ended) this.#bySession.delete(session);
    }
    for (const id of ended.pending) {
      this.#refuse({ id }, NOT_FOUND, `the m31a in ${cwd} has ended; load the session again`)
        .catch(() => {});
    }
  }

  async #refuse({ id }: Pick<AnyRequest, "id">, code: number, message: string): Promise<void> {
    await this.#client.write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  /** The client has gone: so has what was started for it, when its stdin ends. */
  #end(): void {
    for (const { writer } of this.#all) writer.close().catch(() => {});
    this.#byFolder.clear();
  }

  get #all(): Elsewhere[] {
    return [...this.#byFolder.values()];
  }
}

function withPrefix(request: AnyRequest, prefix: string): AnyRequest {
  return { ...request, id: `${prefix}${JSON.stringify(request.id)}` };
}

function valueOf(params: unknown, name: string): unknown {
  if (params === null || typeof params !== "object") return undefined;
  return Object.entries(params).find(([key]) => key === name)?.[1];
}

function idOf(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

/** Whether `cwd` is a folder of the project at `root`, and of no other inside it. */
export function isInProject(root: string, cwd: string): boolean {
  let folder = resolve(cwd);
  if (folder !== root && !folder.startsWith(`${root}/`)) return false;
  for (; folder !== root; folder = dirname(folder)) {
    if (pathExists(join(folder, ".git"))) return false;
  }
  return true;
}
