/** Rows that are struck through from end to end: a person has taken them out of the list, perhaps, and they are still read. */
import { asSaid } from '../../messages/as-said.ts';
import { type Finding, findingOf } from '../../messages/finding.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';

/** @returns a note on each row of the sheet that is struck through, and none on others */
export function struckRows({ kind }: MatchedSheet): (row: SheetRow) => readonly Finding[] {
  const message = `The row is struck through, and is read like the others: take it out if it is no ${kind.singular} any more. Its results do not show the stroke.`;
  const note: Finding = findingOf('warning', asSaid(message, message, 'as-said-before'));
  return ({ struck }) => (struck === true ? [note] : []);
}
