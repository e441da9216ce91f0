/** What the columns of a results sheet say of a row, each known by its place; what a person types into its ID cell; how its Run cell names it. */
import { type RowState, rowStates } from '../contract/row-state.ts';
import type { Place } from '../ledger/ledger.ts';
import { headerText } from '../mapping/header-row.ts';
import { type FilledCell, shownText, withoutUnseen } from '../mapping/reading.ts';
import { lostDigits } from '../mapping/values/identifiers.ts';
import type { Cell } from '../sheets/cell.ts';
import { allCells, cellAt, type SheetRow } from '../sheets/row.ts';
import { type ResultColumn, resultColumns } from '../workbooks/results.ts';
import type { Answer, OwnCells } from './staged-row.ts';

export interface OwnColumns {
  readonly id: string | null;
  /** The row that this one was in its run, and what became of it, or `null` where the Run cell names none. */
  readonly earlier: OwnCells | null;
  /** What stands in the Run cell; that of a check names no run. */
  readonly keyText: string | null;
  readonly saysSomething: boolean;
  /** It does, or says that it did, without the key that would tell which one it is. */
  readonly hasLostKey: boolean;
}

/** Whether these are the headers of a results sheet: our columns are known by their places. */
export function areResultHeaders(headers: readonly (string | null)[]): boolean {
  return resultColumns.every((name, index) => headers[index] === name);
}

/** How many columns of ours stand in front of the person's own, if the row is the header of a results sheet. */
export function ownColumnsIn(row: SheetRow): number {
  return areResultHeaders(allCells(row).map(headerText)) ? resultColumns.length : 0;
}

export function ownColumnsOf(row: SheetRow): OwnColumns {
  const idCell = cellOf(row, 'ID');
  const [id, key] = [textOf(idCell), textOf(cellOf(row, 'Run'))];
  const state = stateOfStatus(textOf(cellOf(row, 'Status')));
  const isIn = state !== null && rowStates[state].isIn;
  const saysSomething = id !== null || state === 'in-doubt' || isIn;
  const place = rowOfKey(key ?? '');
  if (place === null)
    return { id, earlier: null, keyText: key, saysSomething, hasLostKey: saysSomething || key === lostKey };
  const link = textOf(cellOf(row, 'Link'));
  const answer = idCell === null || id === null ? null : typedAnswerOf(id, idCell, isIn);
  const earlier = {
    ...place,
    // Where its Status was emptied, the id tells that it was in.
    saysIn: state === null ? answer?.kind === 'created' : isIn && state !== 'unchanged',
    saysDoubt: state === 'in-doubt',
    answer,
    company: textOf(cellOf(row, 'Company ID')),
    url: link !== null && /^https?:/i.test(link) ? link : null,
  };
  return { id, earlier, keyText: key, saysSomething, hasLostKey: false };
}

function cellOf(row: SheetRow, column: ResultColumn): Cell {
  return cellAt(row, resultColumns.indexOf(column));
}

export function textOf(cell: Cell): string | null {
  const text = cell === null ? '' : withoutUnseen(shownText(cell)).trim();
  return text === '' ? null : text;
}

function stateOfStatus(status: string | null): RowState | null {
  const found = Object.entries(rowStates).find(([, words]) => words.status.toLowerCase() === status?.toLowerCase());
  return found === undefined ? null : (found[0] as RowState);
}

export const notCreatedMark = 'not created';

const wordsForAnswers: Readonly<Record<string, Answer>> = {
  notcreated: { kind: 'not-created' },
  no: { kind: 'not-created' },
  created: { kind: 'created', id: null },
  yes: { kind: 'created', id: null },
};
/** `Not created.` is meant as `not created`. What asks, or says more, is no answer. */
const oneAnswer = /^([a-z]+)[\s_-]*([a-z]*)[.!]?$/i;

/**
 * Reads the ID cell of a row: an id, the link of a record, which ends in its id, or a word.
 *
 * @param isIn  the row is in, and the cell has the id as the service gave it, whatever its form
 */
export function typedAnswerOf(text: string, cell: FilledCell = text, isIn = false): Answer {
  if (lostDigits(cell, text) !== null) return { kind: 'unclear', typed: text, isRounded: true };
  const [, first = '', second = ''] = oneAnswer.exec(text) ?? [];
  const word = `${first}${second}`.toLowerCase();
  if (Object.hasOwn(wordsForAnswers, word)) return wordsForAnswers[word] as Answer;
  const id = isIn ? text : idOfLink(text);
  return looksLikeAnId(id) ? { kind: 'created', id } : { kind: 'unclear', typed: text, isRounded: false };
}

/** What is no link is the id itself. Of a link that may have the id elsewhere than at its end, nothing is taken. */
function idOfLink(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
  const { pathname, search, hash } = new URL(text);
  const parts = pathname.split('/').filter((part) => part !== '');
  const isPlain = hash === '' && !/\d/.test(search) && parts.filter((part) => /\d/.test(part)).length === 1;
  if (!isPlain) return '';
  try {
    return decodeURIComponent(parts.at(-1) ?? '');
  } catch {
    return '';
  }
}

/** An assumption, since the interface says nothing on the form of ids: all that it shows have a digit, and none has a space. */
function looksLikeAnId(text: string): boolean {
  return /\d/.test(text) && !/\s/.test(text);
}

export interface RowPosition {
  readonly sheet: string;
  readonly row: number;
}

/** In characters; run, sheet and row together are far shorter. */
const longestKey = 1000;

export function placeOf({ sheet, row }: RowPosition): string {
  return `${sheet}!${row}`;
}

/**
 * The position that a person means by `Deals!12`, or `null`. Quotes around all of it are those of a shell that is not there:
 * Windows hands them on.
 */
export function positionOf(place: string): RowPosition | null {
  if (place.length > longestKey) return null;
  const match = /^'?(.+?)'?!(\d+)'?$/.exec(place);
  return match === null ? null : { sheet: match[1] ?? '', row: Number(match[2]) };
}

export function keyOf(row: Place): string {
  return `${row.run}#${placeOf(row)}`;
}

/** In the Run cell of a row that says that it was loaded, and has lost its key: blank, it would be a new row in the next sheet. */
export const lostKey = 'lost';

export function rowOfKey(key: string): Place | null {
  if (key.length > longestKey) return null;
  const match = /^(.+?)#(.+)!(\d+)$/.exec(key);
  return match === null ? null : { run: match[1] ?? '', sheet: match[2] ?? '', row: Number(match[3]) };
}
