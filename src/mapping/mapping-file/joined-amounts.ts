/** An amount that stands in one of several columns, such as Debit and Credit: digits put beside digits would be another number. */
import type { Cell, NumberCell } from '../../sheets/cell.ts';
import { trimmedText } from '../reading.ts';
import { looksLikeAmount } from '../values/amounts.ts';
import { withSignTurned } from '../values/signs.ts';

/** Which of the cells say the amount, by their places: a zero, or a dash for one, says nothing beside another number. */
export function cellsThatCount(cells: readonly Cell[]): readonly number[] {
  const filled = cells.flatMap((cell, index) => (trimmedText(cell) === '' ? [] : [index]));
  const others = filled.filter((index) => !isZero(cells[index] ?? null));
  return others.length > 0 ? others : filled.slice(0, 1);
}

/**
 * The one cell that says the amount; blank where none does, or several do.
 * @param against  the places of cells whose amounts get the other sign
 */
export function joinedAmount(cells: readonly Cell[], against: ReadonlySet<number>): Cell {
  const [only, second] = cellsThatCount(cells);
  if (only === undefined || second !== undefined) return null;
  const cell = cells[only] ?? null;
  return against.has(only) ? withOtherSign(cell) : cell;
}

/** What is no amount stays as it is, and is refused as that. */
function withOtherSign(cell: Cell): Cell {
  if (typeof cell === 'string') return looksLikeAmount(cell) ? withSignTurned(cell) : cell;
  return cell?.kind === 'number' && cell.value !== 0 ? numberTurned(cell) : cell;
}

function numberTurned(cell: NumberCell): NumberCell {
  return { ...cell, value: -cell.value, stored: withSignTurned(cell.stored), shown: withSignTurned(cell.shown) };
}

function isZero(cell: Cell): boolean {
  if (typeof cell !== 'string') return cell?.kind === 'number' && cell.value === 0;
  return /^[\s$€£]*[-\u2012-\u2014\u2212][\s$€£]*$/.test(cell) || (!/[1-9]/.test(cell) && looksLikeAmount(cell));
}
