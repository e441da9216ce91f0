/** The story of `map`: look at a file that somebody else has made, and draft how it is to be read. */
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import { rowsToSearch } from '../mapping/header-row.ts';
import { draftRules, sureHeaders } from '../mapping/mapping-file/draft.ts';
import { foreignHeaders } from '../mapping/mapping-file/foreign-headers.ts';
import type { ColumnRule, Mapping, SheetMappingRules } from '../mapping/mapping-file/mapping.ts';
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
}

/** Rows whose values are looked at. */
const rowsToLookAt = 500;

/** @throws DealsheetError `unreadable-source`, or `unmatched-columns` for a sheet of which nobody knows what it holds */
export async function draftMapping(options: DraftOptions): Promise<Draft> {
  const { file, encoding, delimiter } = options;
  const source = await openSource(file, { name: file, encoding, delimiter });
  try {
    const sheets: SheetMappingRules[] = [];
    const chosen = source.sheets.filter(({ name }) => options.sheet === null || name === options.sheet);
    for (const sheet of chosen) {
      const drafted = await draftSheet(sheet, options.kind, source.format === 'csv' || source.sheets.length === 1);
      if (drafted !== null) sheets.push(drafted);
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
    return { mapping, open: sheets.flatMap(openColumns) };
  } finally {
    await source.close();
  }
}

async function draftSheet(
  sheet: SourceSheet,
  wanted: RecordKind | null,
  isOnlySheet: boolean,
): Promise<SheetMappingRules | null> {
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
  const { columns, decimals } = draftRules(
    kind,
    header.headers,
    rows.filter(({ number }) => number > header.number),
  );
  return {
    ...(isOnlySheet ? {} : { sheet: sheet.name }),
    kind: kind.name,
    columns,
    ...(decimals === undefined ? {} : { decimals }),
  };
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
    const headers = foreignHeaders(row, rows[position - 1], merges);
    const texts = row.cells.filter((cell) => typeof cell === 'string').length;
    return { number: row.number, headers, sure: sureHeaders(kind, headers), texts };
  });
  candidates.sort((one, other) => other.sure - one.sure || other.texts - one.texts || one.number - other.number);
  return candidates[0] ?? { number: 1, headers: [], sure: 0 };
}

function openColumns({ sheet, columns }: SheetMappingRules): readonly string[] {
  const place = sheet === undefined ? '' : `${sheet}: `;
  return Object.entries(columns).flatMap(([header, rule]) => (isOpen(rule) ? [`${place}${header}`] : []));
}

function isOpen(rule: null | string | ColumnRule): boolean {
  return typeof rule === 'object' && rule !== null && rule.split === undefined && rule.field === null;
}
