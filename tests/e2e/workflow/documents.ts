/** The planning documents of a project under test. */
import type { Project } from "../../support/project.ts";

/** The text of a document. */
export function document(project: Project, name: string): string {
  return Deno.readTextFileSync(`${project.root}/planning/${name}`);
}

/** The cells of TASKS.md, row by row, for tables without a `|` in a cell. */
export function cells(project: Project): string[][] {
  const rows = document(project, "TASKS.md").split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}
