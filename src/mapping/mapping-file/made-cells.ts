/**
 * Cells that are made of others: a part of one, or several put together. What is no data (an error value, a formula that nobody
 * has calculated) is made into no text: it goes where its text would have gone, and is refused there.
 */
import type { Message } from '../../messages/message.ts';
import type { Cell } from '../../sheets/cell.ts';
import { type FilledCell, faultOfAnyField, shownText, textOfCell, trimmedText } from '../reading.ts';

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

/** The cells that are not blank, as one text; a single one stays what it is. */
export function joined(cells: readonly Cell[], between: string): Cell {
  const filled = cells.filter((cell): cell is FilledCell => trimmedText(cell) !== '');
  const refused = filled.find((cell) => faultOfAnyField(cell) !== null);
  if (refused !== undefined) return refused;
  const [only, second] = filled;
  if (second === undefined) return typeof only === 'string' ? only.trim() : (only ?? null);
  return filled.map(trimmedText).join(between);
}

/** What is to be said of a cell that becomes a part of a text, such as a house number that a spreadsheet has taken for a date. */
export function notesOfPart(cell: Cell): readonly Message[] {
  const reading = cell === null ? null : textOfCell(cell, trimmedText(cell));
  return reading?.ok === true ? reading.notes : [];
}

interface Break {
  readonly start: number;
  readonly end: number;
}

/** Where a text is taken apart. Of blanks, any will do, and several are one. */
function breaksIn(text: string, at: string): readonly Break[] {
  if (/^ +$/.test(at)) return matches(text, /[^\S\r\n]+/g);
  if (at.trim() === '') return matches(text, /(?:\s*[\r\n]\s*)+/g);
  const breaks: Break[] = [];
  for (let start = text.indexOf(at); start !== -1; start = text.indexOf(at, start + at.length)) {
    breaks.push({ start, end: start + at.length });
  }
  return breaks;
}

function matches(text: string, blanks: RegExp): readonly Break[] {
  return [...text.matchAll(blanks)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}
