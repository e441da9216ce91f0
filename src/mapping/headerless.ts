/** Tables whose first row is one to load: what a bank or a database writes without a row of headers. */
import type { RecordKind } from '../contract/record-kind.ts';
import type { Cell, SheetRow } from '../sheets/cell.ts';
import { findHeaderRow, rowsToSearch } from './header-row.ts';
import { countMatches } from './headers.ts';
import { isBlank } from './reading.ts';

/** One header with digits may be the name of a month or of an account. */
const fewestValues = 2;
/** A payment may be called what a field is called. */
const mostChanceMatches = 1;
const fewestDigits = 5;

/**
 * The first row, where it holds values and none of the first rows may be headers, or `null`.
 *
 * @param kinds  what the rows may be
 * @param rows  the first rows of the sheet
 */
export function rowInPlaceOfHeaders(kinds: readonly RecordKind[], rows: readonly SheetRow[]): SheetRow | null {
  const [first] = rows;
  if (first === undefined || first.cells.filter(isValue).length < fewestValues) return null;
  if (rows.slice(0, rowsToSearch).some(mayBeHeaders)) return null;
  const namesFields = kinds.some((kind) => {
    const header = findHeaderRow(kind, rows, []);
    return header !== null && countMatches(kind, header.headers) > mostChanceMatches;
  });
  return namesFields ? null : first;
}

/** Whether a row has several cells, and no value in any: headers of somebody else's below a line of figures. */
function mayBeHeaders({ cells }: SheetRow): boolean {
  return cells.filter((cell) => !isBlank(cell)).length > 1 && !cells.some(isValue);
}

/** What there is to say of such a row, after the name of its sheet. */
export function noHeaders({ number }: SheetRow): string {
  return `row ${number} looks like a row to load, and no row has headers. Put a row above it that says what stands in each column.`;
}

/** Whether a cell holds an amount, a date, a long number or an e-mail address: no header does. A number like 2026 may be one. */
function isValue(cell: Cell): boolean {
  if (cell === null) return false;
  if (typeof cell !== 'string') return cell.kind === 'number' && !Number.isInteger(cell.value);
  const text = cell.trim();
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return true;
  const isWithoutWords = /\d/.test(text) && !/\p{L}/u.test(text);
  return isWithoutWords && (/\d[-./,]\d/.test(text) || text.replace(/\D/g, '').length >= fewestDigits);
}
