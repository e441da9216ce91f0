/** The cells of a row as a person sees them on the page and at the terminal: personal values masked. */
import { holdsSensitive, isSensitiveName } from '../contract/fields.ts';
import { masked } from '../mapping/marks.ts';
import { shownText } from '../mapping/reading.ts';
import { shownValue } from '../messages/message.ts';
import type { Cell } from '../sheets/cell.ts';
import { columnName } from '../sheets/excel-limits.ts';
import { allCells } from '../sheets/row.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import type { StagedSheetOf } from '../staging/stage.ts';
import type { KnownStaged } from '../staging/staged-row.ts';
import type { Staging } from '../staging/staging.ts';
import { sensitiveColumns } from './result-row.ts';

/** The indices of masked columns, which are sensitive by their field or their header. */
export function hiddenColumns(sheet: MatchedSheet): ReadonlySet<number> {
  const named = sheet.header.headers.flatMap((header, index) =>
    header !== null && isSensitiveName(header) ? [index] : [],
  );
  return new Set([...sensitiveColumns(sheet), ...named]);
}

export function shownCell(cell: Cell, look: 'clear' | 'masked' | 'by what it says'): string {
  const text = cell === null ? '' : shownText(cell);
  return look === 'masked' || (look !== 'clear' && holdsSensitive(text)) ? masked(text) : text;
}

const fewCells = 6;

/** The first filled cells, by which a person knows a row: `Deal ref “D-2”, Note “Called the owner”`. */
export function firstCells(row: KnownStaged, staging: Staging, { sheet }: StagedSheetOf): string {
  const hidden = hiddenColumns(sheet);
  const cells = allCells(staging.cellsOf(row)).flatMap((cell, at) => {
    const text = at < sheet.ownColumns ? '' : shownCell(cell, hidden.has(at) ? 'masked' : 'by what it says').trim();
    return text === '' ? [] : [`${sheet.header.headers[at] ?? columnName(at)} “${shownValue(text)}”`];
  });
  return cells.slice(0, fewCells).join(', ');
}
