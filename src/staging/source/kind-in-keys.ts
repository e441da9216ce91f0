/** What a results sheet holds, whatever it is called by now: the keys of its rows have the name that its sheet had in the source. */
import type { RecordKind } from '../../contract/record-kind.ts';
import { kindInWordsOf, kindOfSheetName } from '../../mapping/sheet-kind.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { ownColumnsOf } from '../own-columns.ts';
import { ownColumnsIn } from './sheet-headers.ts';

/**
 * @param rows   the first rows of the sheet
 * @param among  the kinds that may be meant
 * @returns `null` where no row has a key, or they name several sheets, or one that tells no kind
 */
export function kindInKeys(rows: readonly SheetRow[], among: readonly RecordKind[]): RecordKind | null {
  const [name, other] = sheetsInKeys(rows);
  if (name === undefined || other !== undefined) return null;
  const named = kindOfSheetName(name);
  return named !== null && among.includes(named) ? named : kindInWordsOf(name, among);
}

/** The names of the sheets that the rows of a results sheet come from; none where it is no results sheet. */
export function sheetsInKeys(rows: readonly SheetRow[]): ReadonlySet<string> {
  const headers = rows.findIndex((row) => ownColumnsIn(row) > 0);
  return new Set(headers < 0 ? [] : rows.slice(headers + 1).flatMap((row) => ownColumnsOf(row).key?.sheet ?? []));
}
