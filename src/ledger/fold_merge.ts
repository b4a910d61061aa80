/**
 * Two folds made one.
 * Rule: pure; it is the fold of all the entries of both, provided that no key is in both.
 */
import type { LedgerFold } from "./ledger_fold.ts";
import type { NameTable } from "./names_table.ts";
import { Sums, Tally } from "./tally.ts";

/**
 * Adds what `other` has counted to `fold`.
 *
 * @returns false, with `fold` as it was, when a key is in both: which of its entries counts twice is then not known
 */
export function mergeFolds(fold: LedgerFold, other: LedgerFold): boolean {
  const { slots } = other.keys;
  for (let slot = 0; slot < slots.length; slot += 2) {
    if (isKey(slots, slot) && fold.keys.has(slots[slot] ?? 0, slots[slot + 1] ?? 0)) return false;
  }
  for (let slot = 0; slot < slots.length; slot += 2) {
    if (isKey(slots, slot)) fold.keys.add(slots[slot] ?? 0, slots[slot + 1] ?? 0);
  }
  const models = idsIn(fold.names.models, other.names.models);
  const projects = idsIn(fold.names.projects, other.names.projects);
  const authors = idsIn(fold.names.authors, other.names.authors);
  const extensions = idsIn(fold.names.extensions, other.names.extensions);
  const idOf = (ids: readonly number[], id: number) => ids[id] ?? 0;
  fold.memory[0].merge(other.memory[0]);
  fold.memory[1].merge(other.memory[1]);
  other.models.forEach((tally, id) => tallyAt(fold.models, idOf(models, id)).merge(tally));
  other.projects.forEach((tally, id) => tallyAt(fold.projects, idOf(projects, id)).merge(tally));
  other.authors.forEach((tally, id) => tallyAt(fold.authors, idOf(authors, id)).merge(tally));
  other.extensions.forEach((sums, id) =>
    sumsAt(fold.extensions, idOf(extensions, id)).mergeSums(sums)
  );
  for (const [week, tally] of other.weeks) {
    const own = fold.weeks.get(week) ?? new Tally();
    own.merge(tally);
    fold.weeks.set(week, own);
  }
  other.work.forEach((kinds, model) => {
    const own = fold.work[idOf(models, model)] ??= new Map();
    for (const [extension, sums] of kinds) {
      const id = idOf(extensions, extension);
      const total = own.get(id) ?? new Sums();
      total.mergeSums(sums);
      own.set(id, total);
    }
  });
  addTo(fold.phases, other.phases);
  addTo(fold.causes, other.causes);
  for (const item of other.inherited.values()) {
    fold.keepInherited({
      ...item,
      model: idOf(models, item.model),
      project: idOf(projects, item.project),
      author: idOf(authors, item.author),
    });
  }
  return true;
}

function isKey(slots: Int32Array, slot: number): boolean {
  return slots[slot] !== 0 || slots[slot + 1] !== 0;
}

/** For each number of `other`, the number that its name has in `table`. */
function idsIn(table: NameTable, other: NameTable): number[] {
  return other.names.map((name) => table.idOf(name));
}

function tallyAt(tallies: Tally[], id: number): Tally {
  while (tallies.length <= id) tallies.push(new Tally());
  return tallies[id] ?? new Tally();
}

function sumsAt(list: Sums[], id: number): Sums {
  while (list.length <= id) list.push(new Sums());
  return list[id] ?? new Sums();
}

function addTo(sums: Float64Array, added: Float64Array): void {
  added.forEach((value, index) => sums[index] = (sums[index] ?? 0) + value);
}
