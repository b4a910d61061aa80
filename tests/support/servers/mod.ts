/** Model servers on loopback for tests: see {@linkcode ModelServer} and {@linkcode startAimock}. */
export { ModelServer, type Replier } from "./model_server.ts";
export type { Reply } from "./reply.ts";
export type { RecordedRequest } from "./http_connection.ts";
export { startAimock } from "./aimock.ts";
export { strictly } from "./strict.ts";
