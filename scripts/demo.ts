/**
 * The demo: a conversation that is killed and resumed, then a goal reached.
 * Rule: all of it is real but the model's words, and it says so.
 */
import { demonstrateConversation } from "./demo/conversation.ts";
import { demonstrateGoal } from "./demo/goal.ts";

const isConversationSound = await demonstrateConversation();
const isGoalReached = await demonstrateGoal();
Deno.exit(isConversationSound && isGoalReached ? 0 : 1);
