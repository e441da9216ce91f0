/** The story of `map`: look at a file that somebody else has made, and draft how it is to be read. */
import type { Field } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKind, recordKinds } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import { rowsToSearch } from '../mapping/header-row.ts';
import { fieldOfHeader } from '../mapping/headers.ts';
import { draftRules, ruleFor, sureHeaders, sureSuggestion } from '../mapping/mapping-file/draft.ts';
import { foreignHeaders } from '../mapping/mapping-file/foreign-headers.ts';
import type { ColumnRule, Mapping, SheetMappingRules } from '../mapping/mapping-file/mapping.ts';
import { shownHeader } from '../mapping/masking.ts';
import { kindInWordsOf, kindOfSheetName } from '../mapping/sheet-kind.ts';
import type { MergedRange, SheetRow } from '../sheets/cell.ts';
import { openSource } from '../sheets/open-source.ts';
import type { SourceSheet } from '../sheets/source.ts';

export interface DraftOptions {
  readonly file: string;
  /** What the rows are, or `null` to find it out. */
  readonly kind: RecordKind | null;
  /** The one sheet to draft, or `null` for all that hold anything. */
  readonly sheet: string | null;
  readonly encoding: string | null;
  readonly delimiter: string | null;
}

export interface Draft {
  readonly mapping: Mapping;
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
  /** What it is taken for; empty for a blank cell. */
  readonly suggested: string;
  readonly choices: readonly string[];
  /** What the service takes a blank for, or `null`. */
  readonly blankMeans: string | null;
}

/** The values of a mapping that stand for others, as questions to a person. */
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

/** A file of somebody else's has no columns of ours. */
const noOwnColumns = 0;
/** Rows whose values are looked at. */
const rowsToLookAt = 500;

/** @throws DealsheetError `unreadable-source`, or `unmatched-columns` for a sheet of which nobody knows what it holds */
export async function draftMapping(options: DraftOptions): Promise<Draft> {
  const { file, encoding, delimiter } = options;
  const source = await openSource(file, { name: file, encoding, delimiter });
  try {
    const sheets: SheetMappingRules[] = [];
    const questions: ColumnQuestion[] = [];
    const chosen = source.sheets.filter(({ name }) => options.sheet === null || name === options.sheet);
    for (const sheet of chosen) {
      const drafted = await draftSheet(sheet, options.kind, source.format === 'csv' || source.sheets.length === 1);
      if (drafted === null) continue;
      questions.push(...questionsOf(drafted, sheets.length));
      sheets.push(drafted.rules);
    }
    if (sheets.length === 0) {
      throw new DealsheetError(
        'unreadable-source',
        'There is nothing to map: no sheet holds a row of headers with rows below it.',
        options.sheet === null
          ? 'Name a file with rows.'
          : `Its sheets are: ${source.sheets.map(({ name }) => name).join(', ')}.`,
      );
    }
    const mapping = {
      sheets,
      ...(encoding === null ? {} : { encoding }),
      ...(delimiter === null ? {} : { delimiter }),
    };
    return { mapping, open: sheets.flatMap(openColumns), questions };
  } finally {
    await source.close();
  }
}

interface DraftedSheet {
  readonly rules: SheetMappingRules;
  readonly kind: RecordKind;
  readonly headers: readonly (string | null)[];
  /** Those below the headers that were looked at. */
  readonly rows: readonly SheetRow[];
}

function questionsOf({ rules, kind, headers, rows }: DraftedSheet, sheet: number): readonly ColumnQuestion[] {
  return Object.entries(rules.columns).flatMap(([header, rule]) => {
    if (!isOpen(rule)) return [];
    const { suggestions = [], samples = [] } = rule;
    const index = headers.indexOf(header);
    const sure = sureSuggestion(kind, header, rule);
    return [{ sheet, header, kind, suggestions, sure, samples, ruleOf: (field: Field) => ruleFor(field, rows, index) }];
  });
}

async function draftSheet(
  sheet: SourceSheet,
  wanted: RecordKind | null,
  isOnlySheet: boolean,
): Promise<DraftedSheet | null> {
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows()) {
    rows.push(row);
    if (rows.length === rowsToLookAt) break;
  }
  if (rows.length < 2) return null;
  const merges = await sheet.mergedHeaderRanges();
  const kind = wanted ?? kindOf(sheet.name, rows, merges);
  if (kind === null) {
    throw new DealsheetError(
      'unmatched-columns',
      `Neither the name nor the headers of ${sheet.name} tell what its rows are.`,
      `Say it with --as (${recordKinds.map(({ name }) => name).join(', ')}), or name another sheet with --sheet.`,
    );
  }
  const header = headerRowFor(kind, rows, merges);
  const data = rows.filter(({ number }) => number > header.number);
  const { columns, decimals } = draftRules(kind, header.headers, data);
  const rules = {
    ...(isOnlySheet ? {} : { sheet: sheet.name }),
    kind: kind.name,
    columns,
    ...(decimals === undefined ? {} : { decimals }),
  };
  return { rules, kind, headers: header.headers, rows: data };
}

function kindOf(name: string, rows: readonly SheetRow[], merges: readonly MergedRange[]): RecordKind | null {
  const named = kindOfSheetName(name) ?? kindInWordsOf(name, recordKinds);
  if (named !== null) return named;
  const scored = recordKinds.map((kind) => ({ kind, sure: headerRowFor(kind, rows, merges).sure }));
  scored.sort((one, other) => other.sure - one.sure);
  const [best, second] = scored;
  return best === undefined || best.sure === 0 || best.sure === second?.sure ? null : best.kind;
}

/** The row with the most headers that are known; where none are, the first with the most texts. */
function headerRowFor(
  kind: RecordKind,
  rows: readonly SheetRow[],
  merges: readonly MergedRange[],
): { number: number; headers: readonly (string | null)[]; sure: number } {
  const candidates = rows.slice(0, rowsToSearch).map((row, position) => {
    const headers = foreignHeaders(row, rows[position - 1], merges, noOwnColumns);
    const texts = row.cells.filter((cell) => typeof cell === 'string').length;
    return { number: row.number, headers, sure: sureHeaders(kind, headers), texts };
  });
  candidates.sort((one, other) => other.sure - one.sure || other.texts - one.texts || one.number - other.number);
  return candidates[0] ?? { number: 1, headers: [], sure: 0 };
}

/** Columns that a person has still to decide, as `Sheet: header`. */
export function openColumns({ sheet, columns }: SheetMappingRules): readonly string[] {
  const place = sheet === undefined ? '' : `${sheet}: `;
  return Object.entries(columns).flatMap(([header, rule]) => (isOpen(rule) ? [`${place}${shownHeader(header)}`] : []));
}

function isOpen(rule: null | string | ColumnRule): rule is ColumnRule {
  return typeof rule === 'object' && rule !== null && rule.split === undefined && rule.field === null;
}
