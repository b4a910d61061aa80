/** A project with a check that takes no time: every line of `numbers.txt` must be a number. */
import type { Project } from "../../support/project.ts";
import { withProject } from "../../support/project.ts";
import { SCRIPT, scriptOf, type Words } from "./model_words.ts";

export const NUMBERS = "numbers.txt";

/** PROJECT.md as a person writes it who wants to have the check run. */
const PROJECT_MD = `# Project

## Checks

| Check | Command | Source |
| --- | --- | --- |
| test | \`sh check.sh\` | written by hand |
`;

/** Lays it out and commits all but PROJECT.md; a script says `words`. */
export async function withCheckedProject(
  words: readonly Words[],
  test: (project: Project) => Promise<void>,
): Promise<void> {
  await withProject(async (project) => {
    project.write({
      [NUMBERS]: "1\n2\n",
      "check.sh": `if grep -n "[^0-9]" ${NUMBERS}; then echo "1 failed"; exit 1; fi\n`,
      ".git/info/exclude": `${SCRIPT}\n`,
      [SCRIPT]: scriptOf(...words),
    });
    await project.git("config", "user.name", "User");
    await project.git("config", "user.email", "user@example.org");
    await project.git("add", "--all");
    await project.git("commit", "--quiet", "--message=all");
    project.write({ "planning/PROJECT.md": PROJECT_MD });
    await test(project);
  });
}

/** The arguments of a run with the script. */
export function runArguments(...more: string[]): string[] {
  return ["run", ...more, "--model", `script:${SCRIPT}`];
}
