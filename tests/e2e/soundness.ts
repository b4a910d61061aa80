/** Whether what a test did to a session has left it whole. */
import assert from "node:assert/strict";
import type { Project } from "../support/project.ts";

/** Asserts that every line of the project's only session is good. */
export async function assertSound(project: Project): Promise<void> {
  const { code, stdout, stderr } = await project.run(["session", "verify", project.sessionId]);
  assert.equal(code, 0, stdout + stderr);
}

/** Asserts that the only session is whole, and that the model answers when it is gone on with. */
export async function assertGoesOn(project: Project, message = "Go on."): Promise<void> {
  await assertSound(project);
  await using chat = project.chat(["--continue"]);
  assert.deepEqual(await chat.turn(message), { outcome: "replied", finish: "stop" });
  assert.equal((await chat.leave()).code, 0);
  await assertSound(project);
}
