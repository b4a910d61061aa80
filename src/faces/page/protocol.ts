/**
 * What the page knows of the Agent Client Protocol: the shapes that it reads, as the schema of version 1 has them.
 * Rule: types alone, taken from the SDK, so that the page carries none of its code.
 */
import type * as acp from "@agentclientprotocol/sdk";

export type SessionUpdate = acp.SessionUpdate;
export type SessionNotification = acp.SessionNotification;
export type PermissionRequest = acp.RequestPermissionRequest;
export type PermissionOption = acp.PermissionOption;
export type ToolCallContent = acp.ToolCallContent;
export type ToolCallUpdate = acp.ToolCallUpdate;
export type PlanEntry = acp.PlanEntry;
export type SessionInfo = acp.SessionInfo;
export type SessionModeState = acp.SessionModeState;
export type AvailableCommand = acp.AvailableCommand;
export type Diff = acp.Diff;
