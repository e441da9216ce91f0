/** Reads Dealsheet's own columns of a results sheet by position, such as the typed ID and the key in the Run cell. */
import { allStates, rowStates } from '../contract/row-state.ts';
import type { LogicalRow, Place, RowPosition } from '../ledger/ledger.ts';
import { headerText } from '../mapping/header-row.ts';
import { type FilledCell, shownText, withoutUnseen } from '../mapping/reading.ts';
import { lostDigits } from '../mapping/values/identifiers.ts';
import { type Cell, cellAt, type SheetRow } from '../tables/row.ts';
import { type ResultColumn, resultColumns } from '../workbooks/results.ts';
import type { Answer, OwnCells } from './staged-row.ts';

export interface OwnColumns {
  readonly id: string | null;
  /** The row's place and state in its earlier run, or `null` when the Run cell names no run. */
  readonly earlier: OwnCells | null;
  /** The text of the Run cell. A results sheet of `check` has a text that names no run. */
  readonly keyText: string | null;
  /** The row has an ID, or a status by which it is in or in doubt. */
  readonly saysSent: boolean;
  /** It has one of these, or a key that was lost before, and no key tells which row it was. */
  readonly hasLostKey: boolean;
}

/** Whether these are the headers of a results sheet, by position. */
export function areResultHeaders(headers: readonly (string | null)[]): boolean {
  return resultColumns.every((name, index) => headers[index] === name);
}

/** The number of Dealsheet's own columns in front, or 0 if the row is not the header of a results sheet. */
export function ownColumnsIn(row: SheetRow): number {
  return areResultHeaders(row.values.map(headerText)) ? resultColumns.length : 0;
}

export function ownColumnsOf(row: SheetRow): OwnColumns {
  const cellOf = (column: ResultColumn) => cellAt(row, resultColumns.indexOf(column));
  const [id, keyText, link] = [textOf(cellOf('ID')), textOf(cellOf('Run')), textOf(cellOf('Link'))];
  const state = stateNamed.get(textOf(cellOf('Status'))?.toLowerCase() ?? '') ?? null;
  const isIn = state !== null && rowStates[state].isIn;
  const saysSent = id !== null || state === 'in-doubt' || isIn;
  const answer = id === null ? null : typedAnswerOf(id, cellOf('ID') ?? id, isIn);
  const place = rowOfKey(keyText ?? '');
  // A row that is in is Invalid where its ID cell contradicts the ledger.
  const mayAnswer = state === null || state === 'in-doubt' || state === 'invalid' || isIn;
  const earlier = place && {
    ...place,
    attempt: place.attempt ?? (mayAnswer ? 1 : 0),
    // If the Status cell was emptied, an id in the ID cell shows that the row was committed.
    saysIn: state === null ? answer?.kind === 'created' : isIn && state !== 'unchanged',
    saysDoubt: state === 'in-doubt',
    answer,
    company: textOf(cellOf('Company ID')),
    url: link !== null && /^https?:/i.test(link) ? link : null,
  };
  return { id, earlier, keyText, saysSent, hasLostKey: place === null && (saysSent || keyText === lostKey) };
}

export function textOf(cell: Cell): string | null {
  const text = cell === null ? '' : withoutUnseen(shownText(cell)).trim();
  return text === '' ? null : text;
}

const stateNamed = new Map(allStates.map((state) => [rowStates[state].status.toLowerCase(), state]));

export const notCreatedMark = 'not created';

const wordsForAnswers = new Map<string, Answer>([
  ['notcreated', { kind: 'not-created' }],
  ['no', { kind: 'not-created' }],
  ['created', { kind: 'created', id: null }],
  ['yes', { kind: 'created', id: null }],
]);
/** Accepts `Not created.` for `not created`. A question or a longer text is not an answer. */
const oneAnswer = /^([a-z]+)[\s_-]*([a-z]*)[.!]?$/i;

/**
 * Parses an ID cell: an id, a record link that ends in its id, or an answer word.
 * @param isIn whether the row is committed: the cell then holds the id as the service gave it, in any form without blanks
 */
export function typedAnswerOf(text: string, cell: FilledCell = text, isIn = false): Answer {
  if (lostDigits(cell, text) !== null) return { kind: 'unclear', typed: text, isRounded: true };
  const [, first = '', second = ''] = oneAnswer.exec(text) ?? [];
  const said = wordsForAnswers.get(`${first}${second}`.toLowerCase());
  if (said !== undefined) return said;
  const id = isIn ? text : idOfLink(text);
  // Assumption: all ids that the interface shows contain a digit and no space. A random id may have letters alone, in mixed case.
  const isId = !/\s/.test(id) && (isIn || /\d|(?:\p{Ll}\p{Lu}.*){2}/u.test(id));
  return isId ? { kind: 'created', id } : { kind: 'unclear', typed: text, isRounded: false };
}

/** The answer about a row that the ledger asks for. What a person typed beside a Status cell that says that it is in must look like an id. */
export function answerToDoubt({ saysIn, answer }: Pick<OwnCells, 'saysIn' | 'answer'>): Answer | null {
  return saysIn && answer?.kind === 'created' && answer.id !== null ? typedAnswerOf(answer.id) : answer;
}

/** A text that is not a link as it is, and '' for a link that may hold the id elsewhere than at its end: `/deals/7`, `/deals('7')`. */
function idOfLink(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
  const { pathname, search, hash } = new URL(text);
  const parts = pathname.split('/').filter((part) => part !== '');
  const isPlain = hash === '' && !/\d/.test(search) && parts.filter((part) => /\d/.test(part)).length === 1;
  if (!isPlain) return '';
  try {
    return decodeURIComponent(parts.at(-1) ?? '').replace(/^[^(]*\('?([^()']+)'?\)$/, '$1');
  } catch {
    return '';
  }
}

/** In characters. A key of run, sheet and row is far shorter. */
const longestKey = 1000;

export function placeOf({ sheet, row }: RowPosition): string {
  return `${sheet}!${row}`;
}

/** Parses a position such as `Deals!12`, or returns `null`. A Windows shell passes quotes on, so they are stripped. */
export function positionOf(place: string): PlaceOfKey<RowPosition> | null {
  if (place.length > longestKey) return null;
  const match = /^'?(.+?)'?!(\d+)(?:~(\d+))?'?$/.exec(place);
  return match === null ? null : { sheet: match[1] ?? '', row: Number(match[2]), attempt: numberOf(match[3]) };
}

/** The attempt is `null` where it is not named, as in the key of a row that was sent once at most. */
type PlaceOfKey<Named> = Named & { readonly attempt: number | null };

function numberOf(attempt: string | undefined): number | null {
  return attempt === undefined ? null : Number(attempt);
}

/**
 * From the second attempt on it names the attempt, so that an answer about one sending never settles the next. A doubt before the
 * first is one that another ledger reports.
 */
export function keyOf(row: Place & Pick<LogicalRow, 'attempt'>, isInDoubt: boolean): string {
  const isNamed = row.attempt > 1 || (row.attempt === 0 && isInDoubt);
  return `${row.run}#${placeOf(row)}${isNamed ? `~${row.attempt}` : ''}`;
}

/** The Run cell of a row that says it was loaded but lost its key. If it were blank, the next load would treat it as new. */
export const lostKey = 'lost';

export function rowOfKey(key: string): PlaceOfKey<Place> | null {
  if (key.length > longestKey) return null;
  const match = /^(.+?)#(.+)!(\d+)(?:~(\d+))?$/.exec(key);
  if (match === null) return null;
  const [, run = '', sheet = '', row, attempt] = match;
  return { run, sheet, row: Number(row), attempt: numberOf(attempt) };
}
