/** Makes cells from other cells. A cell with a fault (such as an error value) is passed on to its field, which refuses it. */
import type { FieldFormat } from '../../contract/field-facts.ts';
import { literal } from '../../messages/plain-text.ts';
import type { Cell, NumberCell } from '../../tables/row.ts';
import { type FilledCell, faultOfAnyField, trimmedText } from '../reading.ts';
import { looksLikeAmount } from '../values/amounts.ts';
import { splitList } from '../values/texts.ts';
import type { ColumnRule } from './mapping.ts';

/**
 * Splits a cell from its end, at the last mark for each part. The first part keeps the rest (`Mary Ann`, `Moreno`).
 * @returns also whether a part holds a further mark, and so more than one part
 */
export function partsOf(cell: Cell, marks: readonly string[], formats: readonly (FieldFormat | undefined)[]) {
  if (cell !== null && faultOfAnyField(cell) !== null)
    return { cells: [cell, ...marks.map(() => cell)], hasSurplus: false };
  const parts: (string | null)[] = [];
  let rest = trimmedText(cell);
  for (let part = marks.length; part > 0; part -= 1) {
    const [before, text] = lastPart(rest, marks[part - 1] ?? '', formats[part] === 'text');
    // The last part of `Albany, NY` is not a ZIP code, because a ZIP code has digits.
    const isPart = text !== '' && (formats[part] !== 'zip' || /\d/.test(text));
    parts.unshift(isPart ? text : null);
    rest = isPart || text === '' ? before : rest;
  }
  const texts = [rest, ...parts];
  const hasSurplus = marks.some((mark, at) =>
    [texts[at], texts[at + 1]].some((text) => breaksIn(text ?? '', mark).length > 0),
  );
  return { cells: [rest === trimmedText(cell) ? cell : rest, ...parts], hasSurplus };
}

/** What stands behind a name, and is none: `Jr.`, `Ph.D.`, `III`. An initial may be of a name. */
const behindName = /^(?:\p{L}{2,}\.|(?:\p{L}+\.){2,}|I{2,3}|IV)$/u;

/** The text before and after the last mark. Marks at the end are ignored. */
function lastPart(text: string, mark: string, isName: boolean): readonly [before: string, part: string] {
  const isBehind = ({ end }: { readonly end: number }) => isName && behindName.test(text.slice(end).trim());
  const last = breaksIn(text, mark).findLast((one, at) => at === 0 || !isBehind(one));
  if (last === undefined) return [text, ''];
  const [before, part] = [text.slice(0, last.start).trim(), text.slice(last.end).trim()];
  return part === '' ? lastPart(before, mark, isName) : [before, part];
}

/** The places where a text is split. Any kind and number of blanks counts as one. */
function breaksIn(text: string, at: string) {
  const blanks = /^ +$/.test(at) ? '[^\\S\\r\\n]+' : '(?:\\s*[\\r\\n]\\s*)+';
  const found = text.matchAll(new RegExp(at.trim() === '' ? blanks : literal(at), 'g'));
  return [...found].map(({ index, 0: mark }) => ({ start: index, end: index + mark.length }));
}

export function joined(cells: readonly Cell[], between: string): Cell {
  const filled = cells.filter((cell): cell is FilledCell => trimmedText(cell) !== '');
  const refused = filled.find((cell) => faultOfAnyField(cell) !== null);
  if (refused !== undefined) return refused;
  const [only, second] = filled;
  if (second === undefined) return typeof only === 'string' ? only.trim() : (only ?? null);
  return filled.map(trimmedText).join(between);
}

/** The cells that give an amount, such as Debit or Credit. A zero, or a dash for zero, does not count beside another. */
export function cellsThatCount(cells: readonly Cell[]): readonly number[] {
  const filled = cells.flatMap((cell, index) => (trimmedText(cell) === '' ? [] : [index]));
  const others = filled.filter((index) => !isZero(cells[index] ?? null));
  return others.length > 0 ? others : filled.slice(0, 1);
}

/** The only cell that gives an amount; blank if several do. The sign of those in `against` changes. */
export function joinedAmount(cells: readonly Cell[], against: ReadonlySet<number>): Cell {
  const [only, second] = cellsThatCount(cells);
  if (only === undefined || second !== undefined) return null;
  const cell = cells[only] ?? null;
  return against.has(only) ? withOtherSign(cell) : cell;
}

/** Leaves a cell that is not an amount as it is, so that its field refuses it. */
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

export function valueName(text: string): string {
  return text.trim().toLowerCase();
}

/** Replaces the values of cells by a value map. Values that are missing or open in it stay. */
export function valueMap(
  values: ColumnRule['values'] = {},
  { blank, isList }: { readonly blank: string | null; readonly isList: boolean },
): (cell: Cell) => Cell {
  const replacements = new Map(
    Object.entries(values).flatMap(([from, to]) => (to === null ? [] : [[valueName(from), to]])),
  );
  const inWords = (cell: Cell): Cell => {
    const whole = replacements.get(valueName(trimmedText(cell)));
    if (whole !== undefined || cell === null || !isList) return whole ?? cell;
    const parts = splitList(cell);
    if (!parts.some((part) => replacements.has(valueName(part)))) return cell;
    const said = parts.map((part) => replacements.get(valueName(part)) ?? part);
    return said.filter((part) => part !== '').join('; ');
  };
  return (cell) => {
    const said = inWords(cell);
    return trimmedText(said) === '' ? blank : said;
  };
}
