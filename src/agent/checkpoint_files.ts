/**
 * Which of the changed files a checkpoint can hold.
 * Rule: pure; a file is in a checkpoint with both of its sides or not at all, and then it is named.
 */
import type { TouchedFile, UnknownFile } from "../session/outcome.ts";

/** A changed file; `after` is what it was made to hold, where that is known. */
type Touched = Pick<TouchedFile, "path" | "before"> & Partial<Pick<TouchedFile, "after">>;

/** What a checkpoint is made of, and what it leaves out. */
export interface CheckpointFiles {
  files: Touched[];
  unkept: UnknownFile[];
}

/** Parts the files of which everything is kept from the others. */
export function checkpointFiles(
  { touched, unknown }: { touched: readonly Touched[]; unknown: readonly UnknownFile[] },
): CheckpointFiles {
  const isKept = ({ before, after }: Touched) => before?.kept !== false && after?.kept !== false;
  const tooLarge = touched.filter((file) => !isKept(file)).map(({ path }) => ({
    path,
    why: "is larger than what is kept ([tools] keep_bytes)",
  }));
  const unkept = new Map([...unknown, ...tooLarge].map((file) => [file.path, file]));
  return { files: touched.filter(isKept), unkept: [...unkept.values()] };
}
