/** Model servers on loopback for tests: see {@linkcode ModelServer} and {@linkcode startAimock}. */
export { ModelServer, type Replier } from "./model_server.ts";
export type { Reply, ReplyUsage } from "./reply.ts";
export type { RecordedRequest } from "./http_connection.ts";
export { type Aimock, startAimock } from "./aimock.ts";
export { complaintAbout, strictly } from "./strict.ts";
