/**
 * What doctor says of the model: which it would be, and whether it answers.
 * Rule: a key is tried, not looked at; only `--offline` leaves that out.
 */
import type { Configuration } from "../agent/configuration.ts";
import { chooseModel } from "../model/choice.ts";
import { type Trial, tryModel } from "../model/trial.ts";
import type { Environment } from "../platform/environment.ts";
import { messageOf } from "../platform/errors.ts";
import type { Finding } from "./doctor_finding.ts";

const STATES: Readonly<Record<Trial["state"], Finding["state"]>> = {
  answered: "ok",
  unlisted: "note",
  failed: "missing",
};

/** Which model would be used, from where, and what it answers. */
export async function modelFindings(
  { model: configuration }: Pick<Configuration, "model">,
  environment: Environment,
  isOffline: boolean,
): Promise<Finding[]> {
  try {
    const choice = await chooseModel({ environment, configuration });
    const provider = choice.kind === "network" ? choice.provider : choice.kind;
    const detail = `${provider}:${choice.name}, from ${choice.origin}`;
    const model: Finding = { what: "model", state: "ok", detail };
    if (choice.kind !== "network") return [model];
    if (isOffline) {
      return [model, { what: "answer", state: "note", detail: "not tried, because of --offline" }];
    }
    const trial = await tryModel(choice);
    return [model, { what: "answer", state: STATES[trial.state], detail: trial.detail }];
  } catch (error) {
    return [{ what: "model", state: "missing", detail: messageOf(error) }];
  }
}
