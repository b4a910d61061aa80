/** What every command is given besides its own arguments and options. */
import type { Environment } from "../platform/environment.ts";

/** See the head of this file. */
export interface CommandContext {
  environment: Environment;
  /** m31a's own version. */
  version: string;
}
