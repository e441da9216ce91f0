/** The story of `map`: look at a file that somebody else has made, and draft how it is to be read. */
import type { Field } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind, recordKinds } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import { noHeaders, rowInPlaceOfHeaders } from '../mapping/headerless.ts';
import { fieldOfHeader, folded, type IgnoredNames } from '../mapping/headers.ts';
import { ruleFor, sureSuggestion } from '../mapping/mapping-file/draft.ts';
import { headerName } from '../mapping/mapping-file/header-name.ts';
import type { ColumnRule, Mapping, SheetMappingRules } from '../mapping/mapping-file/mapping.ts';
import { shownHeader } from '../mapping/masking.ts';
import { shellWord } from '../messages/commands.ts';
import { openSource } from '../sheets/open-source.ts';
import type { Source, SourceSheet } from '../sheets/source.ts';
import {
  beginningOf,
  type DraftedSheet,
  draftSheet,
  kindOf,
  likelyHeaders,
  type SheetBeginning,
} from './source/drafted-sheet.ts';
import { refuseUnknownSheet, sheetsToRead } from './source/sheets-to-read.ts';

export interface DraftOptions {
  readonly file: string;
  /** What the rows are, or `null` to find it out. */
  readonly kind: RecordKind | null;
  /** What the rows of a sheet are, whatever those of the others are, by its name. */
  readonly kinds: ReadonlyMap<string, RecordKind>;
  /** The one sheet to draft, or `null` for all that hold anything. */
  readonly sheet: string | null;
  /** Sheets that hold nothing to load; `all` for every one that is of no kind that its name or its headers tell. */
  readonly ignoredSheets: IgnoredNames;
  /** Asks a person about a sheet that tells nothing, or `null` where nobody can be asked. */
  readonly askKind: ((sheet: UnknownSheet) => Promise<SheetDecision>) | null;
  readonly encoding: string | null;
  readonly delimiter: string | null;
}

export interface UnknownSheet {
  readonly name: string;
  readonly headers: readonly string[];
}

export type SheetDecision = RecordKind | 'left out' | 'open';

export interface Draft {
  readonly mapping: Mapping;
  /** Sheets of which nobody has said what their rows are: they are not in the mapping, and a load with it stops for them. */
  readonly unknown: readonly string[];
  /** Columns that a person has to decide, as `Sheet: header`. */
  readonly open: readonly string[];
  /** The same columns, as questions to a person. */
  readonly questions: readonly ColumnQuestion[];
}

/** A column in a mapping. */
export interface ColumnPlace {
  /** The number of its sheet in the mapping, from 0. */
  readonly sheet: number;
  readonly header: string;
}

export interface ColumnQuestion extends ColumnPlace {
  readonly kind: RecordKind;
  readonly suggestions: NonNullable<ColumnRule['suggestions']>;
  /** The suggestion that is as good as sure, or `null`. */
  readonly sure: string | null;
  readonly samples: readonly string[];
  /** What the mapping says of the column once it is this field. */
  readonly ruleOf: (field: Field) => string | ColumnRule;
}

/** A value that its field does not allow. */
export interface ValueQuestion extends ColumnPlace {
  readonly rule: ColumnRule;
  readonly from: string;
  /** What it is taken for; empty for a blank cell, `null` while it is open. */
  readonly suggested: string | null;
  readonly choices: readonly string[];
  /** What the service takes a blank for, or `null`. */
  readonly blankMeans: string | null;
}

/** The values of a mapping that stand for others, or for nothing yet, as questions to a person. */
export function valueQuestions(mapping: Mapping): readonly ValueQuestion[] {
  return mapping.sheets.flatMap(({ kind, columns }, sheet) =>
    Object.entries(columns).flatMap(([header, rule]) => {
      if (rule === null || typeof rule === 'string' || rule.field == null) return [];
      const field = fieldOfHeader(recordKind(kind), rule.field);
      const [choices, blankMeans] = [field?.choices ?? [], field?.facts.blankMeans ?? null];
      const values = Object.entries(rule.values ?? {});
      return values.map(([from, suggested]) => ({ sheet, header, rule, from, suggested, choices, blankMeans }));
    }),
  );
}

/** The mapping with another rule for one column. */
export function withRule(mapping: Mapping, place: ColumnPlace, rule: null | string | ColumnRule): Mapping {
  const sheets = mapping.sheets.map((rules, index) =>
    index === place.sheet ? { ...rules, columns: { ...rules.columns, [place.header]: rule } } : rules,
  );
  return { ...mapping, sheets };
}

/** @throws DealsheetError `unreadable-source`, or `unmatched-columns` where of no sheet it is known what its rows are, or one has no headers */
export async function draftMapping(options: DraftOptions): Promise<Draft> {
  const { file, encoding, delimiter } = options;
  const source = await openSource(file, { name: file, encoding, delimiter });
  try {
    const isOnlySheet = source.format === 'csv' || source.sheets.length === 1;
    const sheets: SheetMappingRules[] = [];
    const questions: ColumnQuestion[] = [];
    const [leftOut, unknown]: [string[], string[]] = [[], []];
    const beginnings = await beginningsOf(await sheetsToDraft(source, options));
    for (const beginning of beginnings) {
      if (isOnlySheet) needHeaders(beginning, options.kind);
      const kind = await decidedKind(beginning, options, beginnings.length === 1);
      if (kind === 'left out') leftOut.push(beginning.name);
      else if (kind === 'open') unknown.push(beginning.name);
      else {
        needHeaders(beginning, kind);
        const drafted = draftSheet(beginning, kind, isOnlySheet);
        questions.push(...questionsOf(drafted, sheets.length));
        sheets.push(drafted.rules);
      }
    }
    if (sheets.length === 0) throw nothingToDraft(source, options, unknown);
    const mapping = {
      sheets,
      ...(leftOut.length === 0 ? {} : { ignoreSheets: leftOut }),
      ...(encoding === null ? {} : { encoding }),
      ...(delimiter === null ? {} : { delimiter }),
    };
    return { mapping, open: sheets.flatMap(openColumns), questions, unknown };
  } finally {
    await source.close();
  }
}

/** @throws DealsheetError `unmatched-columns` where the first row is one to load: its values would be taken for headers */
function needHeaders({ name, rows }: SheetBeginning, kind: RecordKind | null): void {
  const first = rowInPlaceOfHeaders(kind === null ? recordKinds : [kind], rows);
  if (first !== null) throw new DealsheetError('unmatched-columns', `${name}: ${noHeaders(first)}`, 'Then draft it.');
}

/** @throws DealsheetError `unmatched-columns` for a name that the file does not have */
async function sheetsToDraft(source: Source, options: DraftOptions): Promise<readonly SourceSheet[]> {
  const named = options.ignoredSheets === 'all' ? [] : options.ignoredSheets;
  for (const name of [...options.kinds.keys(), ...named]) refuseUnknownSheet(source, name);
  return sheetsToRead(source, { sheet: options.sheet, ignoredSheets: [] });
}

async function beginningsOf(sheets: readonly SourceSheet[]): Promise<readonly SheetBeginning[]> {
  const beginnings: SheetBeginning[] = [];
  for (const sheet of sheets) {
    const beginning = await beginningOf(sheet);
    if (beginning !== null) beginnings.push(beginning);
  }
  return beginnings;
}

/** @param isOnlySheet  whether no other sheet is filled */
async function decidedKind(sheet: SheetBeginning, options: DraftOptions, isOnlySheet: boolean): Promise<SheetDecision> {
  const { ignoredSheets: ignored } = options;
  if (ignored !== 'all' && ignored.some((name) => folded(name) === folded(sheet.name))) return 'left out';
  const kind = saidKind(sheet, options) ?? options.kind ?? kindOf(sheet, isOnlySheet);
  if (kind !== null) return kind;
  if (ignored === 'all') return 'left out';
  return options.askKind === null ? 'open' : options.askKind({ name: sheet.name, headers: likelyHeaders(sheet) });
}

/** Of two sheets whose names differ in a sign alone, each is meant by its own name. */
function saidKind({ name }: SheetBeginning, { kinds }: DraftOptions): RecordKind | null {
  const said = [...kinds];
  const own = said.find(([named]) => headerName(named) === headerName(name));
  return (own ?? said.find(([named]) => folded(named) === folded(name)))?.[1] ?? null;
}

function nothingToDraft(source: Source, { sheet }: DraftOptions, unknown: readonly string[]): DealsheetError {
  const [first] = unknown;
  if (first !== undefined) {
    return new DealsheetError(
      'unmatched-columns',
      `Neither the name nor the headers of ${unknown.join(', or of ')} tell what its rows are.`,
      unknown.length === 1
        ? `Say it with --as KIND, of ${kindNames}.`
        : `Say it of each with --as ${shellWord(`${first}=KIND`)}, of ${kindNames}, or name one sheet with --sheet.`,
    );
  }
  return new DealsheetError(
    'unreadable-source',
    'There is nothing to map: no sheet holds a row of headers with rows below it.',
    sheet === null ? 'Name a file with rows.' : `Its sheets are: ${source.sheets.map(({ name }) => name).join(', ')}.`,
  );
}

const kindNames = recordKinds.map(({ name }) => name).join(', ');

function questionsOf({ rules, kind, headers, rows }: DraftedSheet, sheet: number): readonly ColumnQuestion[] {
  return Object.entries(rules.columns).flatMap(([header, rule]) => {
    if (!isOpen(rule)) return [];
    const { suggestions = [], samples = [] } = rule;
    const index = headers.indexOf(header);
    const sure = sureSuggestion(kind, header, rule);
    return [{ sheet, header, kind, suggestions, sure, samples, ruleOf: (field: Field) => ruleFor(field, rows, index) }];
  });
}

/** Columns that a person has still to decide, as `Sheet: header`. */
export function openColumns({ sheet, columns }: SheetMappingRules): readonly string[] {
  const place = sheet === undefined ? '' : `${sheet}: `;
  return Object.entries(columns).flatMap(([header, rule]) => (isOpen(rule) ? [`${place}${shownHeader(header)}`] : []));
}

function isOpen(rule: null | string | ColumnRule): rule is ColumnRule {
  return typeof rule === 'object' && rule !== null && rule.split === undefined && rule.field === null;
}
