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
  const headers = rows.findIndex((row) => ownColumnsIn(row) > 0);
  if (headers < 0) return null;
  const names = new Set(rows.slice(headers + 1).flatMap((row) => ownColumnsOf(row).key?.sheet ?? []));
  const [name, other] = names;
  if (name === undefined || other !== undefined) return null;
  const named = kindOfSheetName(name);
  return named !== null && among.includes(named) ? named : kindInWordsOf(name, among);
}
