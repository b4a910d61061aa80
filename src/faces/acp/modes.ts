/**
 * The modes of a conversation and the commands in it, as the protocol has them.
 * Rule: a table; what a mode means is decided where a prompt is obeyed.
 */
import type { AvailableCommand, SessionModeState } from "@agentclientprotocol/sdk";
import { SLASH_COMMANDS } from "../../app/slash_commands.ts";

const MODES = {
  chat: { name: "Chat", description: "Talk about the project and change it, with your leave." },
  plan: { name: "Plan only", description: "Nothing is changed and nothing is run." },
  goal: {
    name: "Goal",
    description: "A message is a goal: it is planned, carried out, checked and shipped.",
  },
} as const;

/** What becomes of a prompt. */
export type Mode = keyof typeof MODES;

/** Whether there is such a mode. */
export function isMode(id: string): id is Mode {
  return Object.hasOwn(MODES, id);
}

/** All modes, and the one that is in force. */
export function modeState(currentModeId: Mode): SessionModeState {
  const availableModes = Object.entries(MODES).map(([id, mode]) => ({ id, ...mode }));
  return { currentModeId, availableModes };
}

/** The commands that a prompt may begin with. */
export function availableCommands(): AvailableCommand[] {
  return SLASH_COMMANDS.filter((command) => !("isOfTerminals" in command)).map((command) => ({
    name: command.name,
    description: command.help,
    ...("argument" in command && { input: { hint: command.argument } }),
  }));
}
