/**
 * Errors of m31a's as those of the protocol.
 * Rule: the message is what a person would read in a terminal; anything that is no error for people goes to stderr whole.
 */
import { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import { NoModel } from "../../model/errors.ts";
import { Interrupted, M31aError, UsageError } from "../../platform/errors.ts";
import { stripControlSequences } from "../../platform/text.ts";
import { SessionNotFound } from "../../session/errors.ts";

/** The codes of JSON-RPC and of the protocol that are used here. */
const CODES = {
  invalidParams: -32602,
  failed: -32603,
  cancelled: -32800,
  noModel: -32000,
  notFound: -32002,
};

/** Runs the work of a request; what goes wrong in it reaches the client in words. */
export async function answered<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw acpError(error);
  }
}

function acpError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof z.ZodError) {
    return new RequestError(CODES.invalidParams, z.prettifyError(error));
  }
  if (!(error instanceof M31aError)) {
    console.error(error);
    return new RequestError(CODES.failed, "m31a has a defect here; its stderr tells more");
  }
  return new RequestError(codeOf(error), stripControlSequences(error.message));
}

function codeOf(error: M31aError): number {
  if (error instanceof NoModel) return CODES.noModel;
  if (error instanceof SessionNotFound) return CODES.notFound;
  if (error instanceof Interrupted) return CODES.cancelled;
  return error instanceof UsageError ? CODES.invalidParams : CODES.failed;
}
