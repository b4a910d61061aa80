/** What working on a goal and shipping it needs of a conversation. */
import type { WorkflowLink } from "../../workflow/link.ts";
import type { EventBody } from "../events/conversation_event.ts";
import type { PreparedOpening } from "../opening.ts";
import type { QuestionBroker } from "../questions.ts";

/** See the head of this file. */
export interface GoalParts {
  opening: PreparedOpening;
  link: WorkflowLink;
  /** Somebody can be asked. */
  isAttended: boolean;
  questions: QuestionBroker;
  tell(event: EventBody): void;
}
