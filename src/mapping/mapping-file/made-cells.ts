/**
 * Cells that are made of others: a part of one, several put together, or another word for one. What is no data (an error value, a
 * formula that nobody has calculated) is made into no text: it goes where its text would have gone, and is refused there.
 */
import type { Cell, NumberCell } from '../../sheets/cell.ts';
import { type FilledCell, faultOfAnyField, shownText, trimmedText } from '../reading.ts';
import { looksLikeAmount } from '../values/amounts.ts';
import { splitList } from '../values/texts.ts';
import type { ColumnRule } from './mapping.ts';

/** The n-th of so many parts, from 0: surplus ones stay with the first (`Mary Ann Moreno`: `Mary Ann`, `Moreno`). */
export function partOf(cell: Cell, at: string, count: number, part: number): Cell {
  if (cell === null || faultOfAnyField(cell) !== null) return cell;
  const text = shownText(cell).trim();
  const breaks = breaksIn(text, at);
  if (breaks.length === 0) return part === 0 ? cell : null;
  const last = Math.max(0, breaks.length + 1 - count) + part;
  const before = part === 0 ? { end: 0 } : breaks[last - 1];
  const found = before === undefined ? '' : text.slice(before.end, breaks[last]?.start ?? text.length).trim();
  return found === '' ? null : found;
}

/** How many parts a cell falls into; none when it is blank. */
export function partsIn(cell: Cell, at: string): number {
  const text = trimmedText(cell);
  return text === '' ? 0 : breaksIn(text, at).length + 1;
}

interface Break {
  readonly start: number;
  readonly end: number;
}

/** Where a text is taken apart. Of blanks, any will do, and several are one. */
function breaksIn(text: string, at: string): readonly Break[] {
  const escaped = at.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const blanks = /^ +$/.test(at) ? '[^\\S\\r\\n]+' : '(?:\\s*[\\r\\n]\\s*)+';
  const found = text.matchAll(new RegExp(at.trim() === '' ? blanks : escaped, 'g'));
  return [...found].map(({ index, 0: mark }) => ({ start: index, end: index + mark.length }));
}

/** The cells that are not blank, as one text; a single one stays what it is. */
export function joined(cells: readonly Cell[], between: string): Cell {
  const filled = cells.filter((cell): cell is FilledCell => trimmedText(cell) !== '');
  const refused = filled.find((cell) => faultOfAnyField(cell) !== null);
  if (refused !== undefined) return refused;
  const [only, second] = filled;
  if (second === undefined) return typeof only === 'string' ? only.trim() : (only ?? null);
  return filled.map(trimmedText).join(between);
}

/**
 * Which of the cells say an amount that stands in one of several columns, such as Debit and Credit, by their places: a zero, or a
 * dash for one, says nothing beside another number.
 */
export function cellsThatCount(cells: readonly Cell[]): readonly number[] {
  const filled = cells.flatMap((cell, index) => (trimmedText(cell) === '' ? [] : [index]));
  const others = filled.filter((index) => !isZero(cells[index] ?? null));
  return others.length > 0 ? others : filled.slice(0, 1);
}

/**
 * The one cell that says the amount; blank where none does, or several do: digits put beside digits would be another number.
 *
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

/** `5` and `$5.00` to `-5` and `-$5.00`; `-5`, `5-` and `(5)` to `5`. */
function withSignTurned(text: string): string {
  const isNegative = /^\D*[-\u2012\u2013\u2212(]|[-\u2012\u2013\u2212)]\D*$/.test(text);
  return isNegative ? text.replace(/[-\u2012\u2013\u2212()]/g, '') : `-${text.trim().replace(/^\+/, '')}`;
}

function isZero(cell: Cell): boolean {
  if (typeof cell !== 'string') return cell?.kind === 'number' && cell.value === 0;
  return /^[\s$€£]*[-\u2012-\u2014\u2212][\s$€£]*$/.test(cell) || (!/[1-9]/.test(cell) && looksLikeAmount(cell));
}

/** What a cell says, as it is looked up among the values of a rule. */
export function valueName(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Makes the function that says what a cell says in the words of a map; what is not in it, or open there, stays as it is.
 *
 * @param blank  what a blank cell says
 * @param isList  whether a cell holds several values, each of which may be in the map
 */
export function valueMap(
  values: ColumnRule['values'] = {},
  { blank, isList }: { readonly blank: string | null; readonly isList: boolean },
): (cell: Cell) => Cell {
  const told = new Map(Object.entries(values).flatMap(([from, to]) => (to === null ? [] : [[valueName(from), to]])));
  const inWords = (cell: Cell): Cell => {
    const whole = told.get(valueName(trimmedText(cell)));
    if (whole !== undefined || cell === null || !isList) return whole ?? cell;
    const parts = splitList(cell);
    if (!parts.some((part) => told.has(valueName(part)))) return cell;
    const said = parts.map((part) => told.get(valueName(part)) ?? part);
    return said.filter((part) => part !== '').join('; ');
  };
  return (cell) => {
    const said = inWords(cell);
    return trimmedText(said) === '' ? blank : said;
  };
}
