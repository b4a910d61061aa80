/**
 * The methods that m31a adds to the protocol: what it has no word for.
 * Rule: a table; each checks what it is given, and docs/protocol.md describes it.
 */
import { z } from "zod";
import { UsageError } from "../../platform/errors.ts";
import type { Answer } from "../../app/questions.ts";
import type { ClientFace } from "./client_face.ts";
import { compact, pursue, ship, steer, undo } from "./obey.ts";

/** Does what a client asks for. @throws {z.ZodError} when `params` are not what it takes */
type OwnMethod = (client: ClientFace, params: unknown) => Promise<unknown>;

function method<P>(
  parameters: z.ZodType<P>,
  run: (client: ClientFace, params: P) => unknown,
): OwnMethod {
  return async (client, params) => await run(client, parameters.parse(params));
}

const NOT_FROM_HERE =
  "commands run without a sandbox here, and one of them could be this client: " +
  "the question is answered where the conversation was started";

const inSession = z.object({ sessionId: z.string() });
const isForced = z.boolean().default(false);
const reason = z.string().exactOptional();

const answer = z.union([
  z.object({ kind: z.literal("approval"), decision: z.enum(["yes", "no", "always"]), reason }),
  z.object({ kind: z.literal("choice"), text: z.string() }),
  z.object({ kind: z.literal("confirmation"), isConfirmed: z.boolean() }),
  z.object({ kind: z.literal("plan"), decision: z.enum(["approve", "edited", "stop"]) }),
  z.object({ kind: z.literal("plan"), decision: z.literal("change"), wish: z.string() }),
]) satisfies z.ZodType<Answer>;

/** See the head of this file. */
export const OWN_METHODS: Readonly<Record<string, OwnMethod>> = {
  "_m31a/goal": method(
    inSession.extend({ text: z.string(), message: z.string().nullable().default(null) }),
    async (client, { sessionId, text, message }) => ({
      stopReason: await pursue(client.face(sessionId), { goal: text }, message),
    }),
  ),
  "_m31a/ship": method(inSession, async (client, { sessionId }) => ({
    stopReason: await ship(client.face(sessionId)),
  })),
  "_m31a/undo": method(
    inSession.extend({ steps: z.int().min(1).default(1), force: isForced }),
    async (client, { sessionId, steps, force }) => {
      const target = { kind: "undo", steps } as const;
      return { stopReason: await undo(client.face(sessionId), { target, isForced: force }) };
    },
  ),
  "_m31a/rewind": method(
    inSession.extend({ turn: z.int().min(0), force: isForced }),
    async (client, { sessionId, turn, force }) => {
      const target = { kind: "rewind", turn } as const;
      return { stopReason: await undo(client.face(sessionId), { target, isForced: force }) };
    },
  ),
  "_m31a/compact": method(inSession, async (client, { sessionId }) => ({
    stopReason: await compact(client.face(sessionId)),
  })),
  "_m31a/answer": method(
    inSession.extend({ question: z.string(), answer }),
    (client, { sessionId, question, answer }) => {
      const { live, mayAnswer } = client.face(sessionId).held;
      if (!mayAnswer) throw new UsageError(NOT_FROM_HERE);
      return { counts: live.questions.answer(question, answer, client.name) };
    },
  ),
  "_m31a/steer": method(
    inSession.extend({ text: z.string().min(1) }),
    async (client, { sessionId, text }) => await steer(client.face(sessionId), text),
  ),
  "_m31a/queue": method(
    inSession.extend({ id: z.string(), text: z.string().optional() }),
    (client, { sessionId, id, text }) => {
      const { live } = client.face(sessionId).held;
      if (text === undefined) live.removeWaiting(id);
      else live.editWaiting(id, text);
      return {};
    },
  ),
  "_m31a/status": method(inSession, (client, { sessionId }) => client.status(sessionId)),
  "_m31a/stats": method(z.object({}), (client) => client.stats()),
};
