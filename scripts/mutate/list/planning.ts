/** Defects of the planning documents: what is taken for content, what comes back. */
import { mutationsOf } from "../mutation.ts";

export const PLANNING = [
  ...mutationsOf("src/planning/conflict_marks.ts", "tests/planning/hand_edits_test.ts", [
    ["a mark of a merge's begin is content", "(?:<{7}|>{7}", "(?:>{7}"],
    ["a mark of a merge's end is content", "<{7}|>{7}", "<{7}"],
    ["marks in code are marks", "if (!isCode && MARK.test(line))", "if (MARK.test(line))"],
    ["the line is counted from nought", "return index + 1;", "return index;"],
  ]),
];
