/** A tool's context for tests: everything is allowed and noted, nobody is asked. */
import type { ApprovalRequest, Intent, ToolContext } from "../../src/agent/tool.ts";
import type { CallOutcome } from "../../src/session/outcome.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { sha256Hex } from "../../src/platform/canonical_json.ts";
import type { GitFolder } from "./git_folder.ts";

/** A {@linkcode ToolContext} with what tests look at. */
export interface TestToolContext extends ToolContext {
  /** What the tool asked leave for, in order. */
  requests: ApprovalRequest[];
  /** What the tool recorded that it was about to do. */
  intents: Intent[];
  /** What was recorded of interrupted calls. */
  cutOffs: CallOutcome[];
  /** What was shown of output as it came. */
  shown: string[];
  /** What the next request is answered with. */
  allows: boolean;
  /** Notes the file as read by this session. */
  sees(path: string): void;
}

/** Makes a context for tools that work in `folder`. */
export function toolContext(folder: GitFolder): TestToolContext {
  const context: TestToolContext = {
    root: folder.root,
    session: "20260131-120000-0000",
    signal: new AbortController().signal,
    clock: systemClock,
    environment: folder.environment,
    requests: [],
    allows: true,
    approve(request) {
      context.requests.push(request);
      return Promise.resolve({ isAllowed: context.allows });
    },
    ask: ({ options }) => Promise.resolve(options[0] ?? ""),
    forbid: () => undefined,
    intend: (intent) => void context.intents.push(intent),
    intents: [],
    cutOff: (outcome) => void context.cutOffs.push(outcome),
    cutOffs: [],
    takesImages: () => Promise.resolve(false),
    onOutput: (text) => void context.shown.push(text),
    shown: [],
    seenFiles: new Map(),
    sees(path) {
      const bytes = Deno.readFileSync(`${folder.root}/${path}`);
      context.seenFiles.set(path, sha256Hex(bytes));
    },
  };
  return context;
}
