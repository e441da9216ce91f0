/** Maps a row of cells to a checked record: reads each cell by its field, then applies the rules of the kind. */
import type { ContractSettings } from '../contract/contract-settings.ts';
import type { Field } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { findingOfValue, type Severity } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import { messageOf } from '../messages/text.ts';
import type { SheetRow } from '../tables/row.ts';
import { type CheckedRow, type Draft, setterAt } from './body.ts';
import { type Column, originOf, type ValueFormat } from './column.ts';
import { type ColumnFormat, type PersonsWord, type SheetFormats, unknownFormat, withWord } from './format-inference.ts';
import { isClearMark, isMasked, isNearClearMark, standsForNothing } from './marks.ts';
import {
  type FilledCell,
  fault,
  faultOfAnyField,
  hasLetterOrDigit,
  isBlank,
  isPerhapsCut,
  isTooLong,
  longestValue,
  readOnce,
  shownText,
  unseenCharacters,
  type ValueReader,
  withoutUnseen,
} from './reading.ts';
import { checkedRow, kindRules } from './row-rules.ts';
import { readMoney, readNumber, readPercent, readTextOrNumber } from './values/amounts.ts';
import { localDay, readDate, readDoubtful } from './values/dates.ts';
import { readEin, readIdentifier, readPhone, readSsn, readZip } from './values/identifiers.ts';
import {
  choicesOf,
  readChoice,
  readChoices,
  readEmails,
  readFile,
  readList,
  readText,
  readTruth,
} from './values/texts.ts';

export interface SheetMapping {
  readonly kind: RecordKind;
  readonly sheet: string;
  readonly columns: readonly Column[];
}

export interface MappingSettings extends PersonsWord {
  readonly contract: ContractSettings;
}

/** Returns a function that maps and checks the rows of a sheet. The formats are empty until all cells are known. */
export function rowMapper(mapping: SheetMapping, settings: MappingSettings, formats: SheetFormats) {
  const columns = mapping.columns.map((column) => preparedColumn(column, mapping.kind, settings, formats));
  const rules = kindRules(mapping.kind, mapping.columns, settings.contract);
  return (row: SheetRow): CheckedRow => {
    const draft: Draft = {
      source: row,
      kind: mapping.kind,
      sheet: mapping.sheet,
      row: row.number,
      body: {},
      ref: null,
      references: [],
      pathId: null,
      problems: [],
      faulty: new Map(),
      clears: 0,
    };
    for (const prepared of columns) {
      const cell = prepared.cellOf(row);
      if (cell !== null) readCell(draft, prepared, cell);
    }
    return checkedRow(draft, rules);
  };
}

interface PreparedColumn extends Column {
  readonly isFreeText: boolean;
  readonly read: ValueReader;
  readonly put: (draft: Draft, value: unknown) => void;
  readonly clear: (draft: Draft) => Message | null;
}

const freeText: ReadonlySet<ValueFormat> = new Set(['text', 'text-or-number', 'list']);

function preparedColumn(
  column: Column,
  kind: RecordKind,
  settings: MappingSettings,
  formats: SheetFormats,
): PreparedColumn {
  const known = withWord(formats.get(column.index) ?? unknownFormat, settings);
  return {
    ...column,
    isFreeText: freeText.has(column.format),
    read: readOnce(readerOf(column, known, settings.contract)),
    put: putter(column, kind),
    clear: clearer(column, kind),
  };
}

/** Characters that need more than the plain reader. One expression, because one test for each took 3 µs a row. */
const moreThanValue = new RegExp(`[\\r\\v\\f#<>*ÃÂĂâ√¬‚├┬ÔΓ\\ufffd${unseenCharacters}]|&[#a-z]|^Err:|^'`);

/** `cafÃ©` for `café`: UTF-8 decoded as Windows-1252 or 1250, as macintosh, or as code page 850 or 437. `SÃO` is a word. */
const misread = new RegExp(
  [
    '[ÃÂĂ][\u0080-\u00bfĄąĹ-śŠšŤťŹ-žƒŒœŸ\u02c6-\u02dd\u2013-\u203a€™]|â€',
    '[√¬][\u00a1-\u00ffΩπ†•™∂∏∑∞∫≠≤≥]|‚Ä[^ -~]',
    '[├┬][\u00a1-\u00ffƒ│┐┤║-╣░-▓]|[ÔΓ]Ç',
  ].join('|'),
);
/** `&amp;`, `&#39;`: characters as HTML writes them. */
const entity = /&(?:#\w+|[a-z]{2,}\d*);/;

function readCell(draft: Draft, column: PreparedColumn, cell: FilledCell): void {
  if (typeof cell !== 'string' || isPerhapsCut(cell) || moreThanValue.test(cell))
    readUncommon(draft, column, withPlainLineEnds(cell));
  else if (!isBlank(cell)) readValue(draft, column, cell);
}

/** Programs differ in line ends. Saved by another program, a note of two lines would be a new note and be sent again. */
function withPlainLineEnds(cell: FilledCell): FilledCell {
  return typeof cell === 'string' ? cell.replace(/\r\n?|[\v\f]/g, '\n') : cell;
}

function readUncommon(draft: Draft, column: PreparedColumn, written: FilledCell): void {
  // A soft hyphen may be half of a misread `í`.
  const isMisread = typeof written === 'string' && misread.test(written);
  const cell = typeof written === 'string' && !isMisread ? withoutUnseen(written) : written;
  if (isBlank(cell)) return;
  if (cell !== written) add(draft, 'warning', column, cell, [messageOf('unseen-characters')]);
  const text = typeof cell === 'string' ? cell : '';
  if (isMisread || entity.test(text)) add(draft, 'warning', column, cell, [messageOf('misread-letters')]);
  const mayBeHidden = column.sensitive || column.field === null;
  const refusal = mayBeHidden && isMasked(text) ? messageOf('masked') : faultOfAnyField(cell);
  if (refusal !== null) addFault(draft, column, cell, refusal);
  else if (isClearMark(text)) clearField(draft, column, cell);
  else if (draft.kind.sending.isUpdate && isNearClearMark(text))
    addFault(draft, column, cell, messageOf('clear-nearly'));
  else readValue(draft, column, cell);
}

function readValue(draft: Draft, column: PreparedColumn, cell: FilledCell): void {
  const isNothing = typeof cell === 'string' && standsForNothing(cell);
  if (isNothing) add(draft, 'warning', column, cell, [messageOf('word-for-nothing', { isTaken: column.isFreeText })]);
  if (isNothing && !column.isFreeText) return;
  const reading = column.read(cell);
  if (!reading.ok) {
    addFault(draft, column, cell, ...reading.faults);
    return;
  }
  add(draft, 'warning', column, cell, reading.notes);
  if (typeof reading.value === 'string' && !isNothing && isOfMarks(reading.value))
    add(draft, 'warning', column, cell, [messageOf('marks-alone')]);
  column.put(draft, reading.value);
}

/** `"` or `???`. Most texts begin with a plain letter or digit, so the first test is enough. */
function isOfMarks(text: string): boolean {
  return !/^[a-z\d]/i.test(text) && !hasLetterOrDigit(text);
}

function clearField(draft: Draft, column: PreparedColumn, cell: FilledCell): void {
  const refusal = column.clear(draft);
  if (refusal !== null) addFault(draft, column, cell, refusal);
  else draft.clears += 1;
}

function addFault(draft: Draft, column: PreparedColumn, cell: FilledCell, ...faults: readonly Message[]): void {
  const isHidden = faults.some(({ code }) => code === 'masked');
  draft.faulty.set(column.path, isHidden ? null : shownText(cell));
  add(draft, 'error', column, cell, faults);
}

function add(
  { problems, source }: Draft,
  severity: Severity,
  column: Column,
  cell: FilledCell,
  messages: readonly Message[],
): void {
  for (const message of messages)
    problems.push(findingOfValue(severity, originOf(column, source), column, shownText(cell), message));
}

function putter(column: Column, kind: RecordKind): (draft: Draft, value: unknown) => void {
  if (column.place === 'body') {
    const set = setterAt(column.segments);
    return (draft, value) => set(draft.body, value);
  }
  const reference = kind.references.find((candidate) => candidate.column === column.path);
  if (reference !== undefined)
    return (draft, value) => draft.references.push({ reference, ref: String(value), column: originOf(column) });
  const name = column.path === 'ref' ? 'ref' : 'pathId';
  return (draft, value) => {
    draft[name] = String(value);
  };
}

function clearer(column: Column, kind: RecordKind): (draft: Draft) => Message | null {
  const name = column.field?.place === 'body' ? column.segments[0] : undefined;
  if (!kind.sending.isUpdate || typeof name !== 'string') return () => messageOf('clear-outside-updates');
  const isClearable = kind.body.shape[name]?.safeParse(null).success === true;
  if (!isClearable) return () => messageOf('clear-of-needed');
  return (draft) => {
    if (draft.body[name] !== undefined && draft.body[name] !== null) return messageOf('clear-and-filled');
    draft.body[name] = null;
    return null;
  };
}

type Lists = Pick<ContractSettings, 'dealStatuses'>;
type ReaderMaker = (inferred: ColumnFormat, field: Field | null, lists: Lists) => ValueReader;

const readerMakers: Readonly<Record<ValueFormat, ReaderMaker>> = {
  text: (_inferred, field, { dealStatuses }) =>
    field?.facts.listedBy === 'dealStatuses' && dealStatuses.length > 0
      ? byChoices(dealStatuses, readChoice)
      : readText,
  website: () => readText,
  file: () => readFile,
  identifier: () => readIdentifier,
  money: (inferred) => (cell) => readMoney(cell, inferred),
  number: (inferred) => (cell) => readNumber(cell, inferred.decimal),
  percent: (inferred) => (cell) => readPercent(cell, inferred.decimal),
  'text-or-number': (inferred) => (cell) => readTextOrNumber(cell, inferred.saidDecimal),
  date: (inferred, field) => {
    const now = field?.facts.past === true ? localDay() : null;
    return (cell) => readDoubtful(cell, readDate(cell, inferred.dateOrder, now), inferred);
  },
  phone: () => readPhone,
  boolean: () => readTruth,
  email: () => readText,
  emails: () => readEmails,
  ein: () => readEin,
  ssn: () => readSsn,
  zip: () => readZip,
  state: () => readText,
  list: () => readList,
  choice: (_inferred, field) => byChoices(field?.choices ?? [], readChoice, field?.facts.spellings),
  choices: (_inferred, field) => byChoices(field?.choices ?? [], readChoices, field?.facts.spellings),
};

function byChoices(allowed: readonly string[], read: typeof readChoice, spellings = {}): ValueReader {
  const choices = choicesOf(allowed, spellings);
  return (cell) => read(cell, choices);
}

const freeTexts: ReadonlySet<ValueFormat> = new Set(['text', 'website', 'file', 'list', 'text-or-number']);
const tooLong = messageOf('too-long', { most: [`${longestValue}`] });

/** The reader for the cells of a column, made once per sheet. Refuses a cell that is too long without reading it. */
export function readerOf(
  { format, field }: Pick<Column, 'format' | 'field'>,
  inferred: ColumnFormat,
  lists: Lists,
): ValueReader {
  const read = readerMakers[format](inferred, field, lists);
  return freeTexts.has(format) ? read : (cell) => (isTooLong(cell) ? fault(tooLong) : read(cell));
}
