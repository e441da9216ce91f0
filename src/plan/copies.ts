/**
 * Finds the lines of one file that are of one logical row. Its one rule: one of them counts, and where they differ, none is sent.
 */
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { keyOf } from '../staging/own-columns.ts';
import { type FoundBy, type KnownStaged, newRowId, type OwnCells } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import type { PlanOptions } from './decision.ts';
import type { RowDigests } from './row-digests.ts';

/**
 * Of two lines, the one of the newer run counts.
 *
 * @param id  `null` where their keys are of another service or ledger. They prove only that they are the same row
 */
export function noteCopies(
  staging: Pick<Staging, 'claim'>,
  row: KnownStaged,
  first: KnownStaged,
  id: number | null,
  isNewer: boolean,
): void {
  const [counts, copy] = isNewer ? [row, first] : [first, row];
  const differs = first.differs || first.content === null || first.content !== row.content;
  const of = { id: id ?? newRowId(first.number), differs };
  staging.claim(copy.number, { ...of, foundBy: 'copy' });
  if (id !== null || differs) staging.claim(counts.number, { ...of, foundBy: id === null ? 'copy' : 'key' });
}

/**
 * The lines with keys that the ledger does not know. Older results may stand below newer ones, so a line that equals one of another run,
 * or shares what identifies both, is of the same row. A line without a key that equals one may be the original, pasted in.
 */
export function unknownLines(
  kind: RecordKindName,
  { staging, again, trustResults }: Pick<PlanOptions, 'again' | 'trustResults'> & { readonly staging: Staging },
) {
  const { isUpdate } = recordKind(kind).sending;
  /** By what the lines say and by run, the first of them. */
  const lines = new Map<string, Map<string, number>>();
  const equals = new Map<string, number>();
  /** The numbers of those whose rows are not in by what they say. */
  const open: number[] = [];

  function add(names: readonly string[], run: string, number: number): void {
    for (const name of names) {
      const ofName = lines.get(name) ?? new Map<string, number>();
      if (!ofName.has(run)) lines.set(name, ofName.set(run, number));
    }
  }

  /** @param but  a run of which each line with such a name is another row */
  function first(names: readonly string[], but: string | null = null): KnownStaged | null {
    for (const name of names)
      for (const [run, number] of lines.get(name) ?? []) if (run !== but) return staging.one(number);
    return null;
  }

  function claim(row: KnownStaged, of: KnownStaged | null, foundBy: FoundBy): void {
    staging.claim(row.number, { id: of && newRowId(of.number), foundBy, differs: false });
  }

  /** What a line says, as its results show it. Refs tell rows apart, and an update may restore what an earlier one said. */
  function saidBy(row: KnownStaged, { masked }: RowDigests): readonly string[] {
    if (isUpdate || row.ref !== null || row.content === null) return [];
    return [(row.isMasked === true ? null : masked(row)[0]) ?? row.content];
  }

  /** Trusted, equal lines with one id of the service, or else with one key, are of one record. Others may both have been said of it. */
  function note(row: KnownStaged, digests: RowDigests): void {
    const own = row.own as OwnCells;
    if (again || !(own.saysIn || own.saysDoubt)) {
      open.push(row.number);
      return;
    }
    const id = isUpdate || !own.saysIn ? null : own.answer?.id;
    const record = JSON.stringify([row.content ?? row.number, id ?? placeOf(own)]);
    const same = trustResults ? first([record]) : null;
    if (trustResults) claim(row, same ?? row, same === null ? 'trusted' : 'copy');
    else claim(row, null, 'unknown-key');
    const names = saidBy(row, digests).flatMap((said) => [`in ${said}`, ...digests.identifies(row)]);
    add([placeOf(own), record, ...names], own.run, (same ?? row).number);
  }

  /** Once all lines whose rows may be in are noted. */
  function noteOpen(row: KnownStaged, digests: RowDigests): void {
    const own = row.own as OwnCells;
    const place = first([placeOf(own)]);
    const [said = null] = row.isValid && place === null ? saidBy(row, digests) : [];
    const nth = (equals.get(`${own.run} ${said}`) ?? 0) + 1;
    equals.set(`${own.run} ${said}`, nth);
    const alike = said === null ? [] : [`in ${said}`, `${nth} ${said}`, ...digests.agrees(row)];
    const of = place ?? first(alike, own.run);
    if (of?.foundBy === 'unknown-key') claim(row, null, 'unknown-key');
    else if (of?.foundBy === 'trusted') claim(row, of, 'copy');
    else if (of !== null) noteCopies(staging, row, of, null, false);
    const names = said === null ? [] : [`${nth} ${said}`, ...digests.identifies(row)];
    add([placeOf(own), ...names], own.run, (of ?? row).number);
  }

  function noteOriginal(row: KnownStaged, digests: RowDigests): void {
    const of = first(saidBy(row, digests).flatMap((said) => [`in ${said}`, `1 ${said}`]));
    if (of !== null) claim(row, of, 'copy');
  }

  return { lines, open, note, noteOpen, noteOriginal };
}

function placeOf(own: OwnCells): string {
  return keyOf({ ...own, attempt: 0 }, false);
}
