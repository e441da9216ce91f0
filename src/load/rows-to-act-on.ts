/** The steps of `results RUN --only wrong` and `--only changed`: writes the rows that need action to workbooks of their own. */
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Field, fieldsOf, holdsWrittenSsn } from '../contract/fields.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { rowStates } from '../contract/row-state.ts';
import { nextFreeName, ownerOnly, stemOf } from '../disk/new-file.ts';
import { entriesOf, type Ledger, type RunRecord } from '../ledger/ledger.ts';
import { folded } from '../mapping/headers.ts';
import { shownText } from '../mapping/reading.ts';
import { errorOf, messageOf, textOf } from '../messages/text.ts';
import { cellOf, pathsOf } from '../plan/changed-fields.ts';
import { type ReadSource, report } from '../report/report.ts';
import { type ReportedRun, reportedRows } from '../report/reported-rows.ts';
import { type ReportedRow, sensitiveColumns } from '../report/result-row.ts';
import { createSheetWriter, openResults, sizesOf } from '../report/results-file.ts';
import type { MatchedSheet } from '../staging/source/matched-sheet.ts';
import { standardInput } from '../staging/source/source-copy.ts';
import { cellAt } from '../tables/row.ts';
import { addUpdateSheet, type CompanyRow, serviceMark } from '../workbooks/update-template.ts';
import { refuseRunning } from './rewrite-results.ts';
import { type ReadAgainOptions, readAgain } from './run-source.ts';
import { earlierValuesIn } from './values-before.ts';

export interface WrongRowsOptions extends ReadAgainOptions {
  /** Where they go; `null` for beside the source. */
  readonly path: string | null;
  /** The header of the column whose values split the rows into workbooks; `null` for one workbook. */
  readonly by: string | null;
}

export interface WrittenRows {
  readonly path: string;
  readonly rows: number;
}

const mostParts = 200;
const longestValue = 60;

/** @throws DealsheetError `unreadable-source` when the source is gone; `usage` for a column that is missing or sensitive */
export async function writeWrongRows(
  run: RunRecord,
  ledger: Ledger,
  options: WrongRowsOptions,
): Promise<readonly WrittenRows[]> {
  refuseRunning(run);
  return readAgain(run, ledger, options, async (source) => {
    const { staged, copy } = source;
    const reported = { ledger, record: run };
    const partOf = valuesBy(options.by, source);
    const parts = await partsOf(source, reported, partOf);
    const names = namesOfParts([...parts.keys()], options.path ?? placeBeside(run, 'wrong'));
    const before = await earlierValuesIn(ledger, run.id, options);
    const made: WrittenRows[] = [];
    for (const [value, { rows, sheets }] of parts) {
      const name = names.get(value) ?? '';
      // An earlier part may have taken this name, because somebody has edited the file with its own name.
      const path = made.some((part) => part.path === name) ? nextFreeName(name) : name;
      const own = { ...staged, sheets: staged.sheets.filter(({ sheet }) => sheets.has(sheet)) };
      const sizes = sizesOf(own.sheets, source.staging).map((size) => ({ ...size, rows }));
      const file = await openResults(path, copy, sizes, { service: null, areNewest: false });
      await report({ ...source, staged: own }, file, {
        run: reported,
        valuesBefore: before,
        notices: [messageOf('rows-to-act-on'), ...staged.notices].map(textOf),
        only: (row, sheet) => isWrong(row) && partOf(row, sheet) === value,
      });
      made.push({ path: file.path, rows });
    }
    return made;
  });
}

function isWrong({ state }: ReportedRow): boolean {
  return !rowStates[state].isDone;
}

interface Part {
  rows: number;
  readonly sheets: Set<MatchedSheet>;
}

type PartOf = (row: ReportedRow, sheet: MatchedSheet) => string;

/** The value of a row in the column; blank on a sheet without it. */
function valuesBy(by: string | null, { staged }: ReadSource): PartOf {
  if (by === null) return () => '';
  const columns = new Map<MatchedSheet, number>();
  for (const { sheet } of staged.sheets) {
    const index = columnNamed(by, sheet.header.headers);
    if (index < 0) continue;
    if (sensitiveColumns(sheet).has(index)) throw errorOf('column-is-personal', { by });
    columns.set(sheet, index);
  }
  if (columns.size === 0) throw errorOf('no-column-to-part-by', { by });
  return ({ source }, sheet) => {
    const cell = cellAt(source, columns.get(sheet) ?? -1);
    const text = cell === null ? '' : shownText(cell).trim();
    if (holdsWrittenSsn(text)) throw errorOf('column-is-personal', { by });
    return text;
  };
}

/** `Broker` also names `(Broker)`, unless another column has just that header. */
function columnNamed(name: string, headers: readonly (string | null)[]): number {
  const exact = headers.findIndex((header) => header?.trim().toLowerCase() === name.trim().toLowerCase());
  return exact < 0 ? headers.findIndex((header) => header !== null && folded(header) === folded(name)) : exact;
}

async function partsOf({ staged, staging }: ReadSource, run: ReportedRun, partOf: PartOf) {
  const parts = new Map<string, Part>();
  for (const of of staged.sheets) {
    for await (const row of reportedRows(staging, of, run)) {
      if (!isWrong(row)) continue;
      const value = partOf(row, of.sheet);
      const part = parts.get(value) ?? { rows: 0, sheets: new Set() };
      part.rows += 1;
      part.sheets.add(of.sheet);
      parts.set(value, part);
      if (parts.size > mostParts) throw errorOf('column-has-many-values', { most: mostParts });
    }
  }
  return parts;
}

/** `month.xlsx` and `month.results.xlsx` to `month.wrong.xlsx`. */
function placeBeside({ sourcePath, sourceName }: RunRecord, what: 'wrong' | 'updates'): string {
  if (sourcePath === standardInput) throw errorOf('rows-without-place', { flag: '-o FILE.xlsx' });
  return join(dirname(sourcePath), `${stemOf(sourceName)}.${what}.xlsx`);
}

/** The path for each value. If two values give the same file name, the later one gets a number. */
function namesOfParts(values: readonly string[], path: string): ReadonlyMap<string, string> {
  const ending = extname(path);
  const stem = join(dirname(resolve(path)), basename(path, ending));
  const taken = new Set<string>();
  return new Map(
    values.map((value) => {
      const words = value.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim();
      const safe = [...words].slice(0, longestValue).join('').trim().replaceAll(' ', '-');
      let name = value === '' ? stem : `${stem}.${safe === '' ? 'other' : safe}`;
      for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${stem}.${safe}-${number}`;
      taken.add(name.toLowerCase());
      return [value, `${name}${ending}`];
    }),
  );
}

const kind = recordKind('company-updates');

/** @throws DealsheetError `unreadable-source` when the source is gone */
export async function writeCompanyUpdates(
  run: RunRecord,
  ledger: Ledger,
  options: ReadAgainOptions & { readonly path: string | null },
): Promise<readonly WrittenRows[]> {
  const { updates, fields } = await readAgain(run, ledger, options, (source) => updatesOf(source, run, ledger));
  if (updates.length === 0) return [];
  const named = fields.filter(({ path }) => updates.some(([, cells]) => path in cells));
  const meant = options.path === null ? placeBeside(run, 'updates') : resolve(options.path);
  const writer = await createSheetWriter(meant, {
    mode: ownerOnly,
    properties: {},
    mayReplace: async () => false,
  });
  try {
    const columns = named.map(({ path, label }) => ({ path, header: label }));
    await addUpdateSheet(writer, kind, columns, updates);
    return [{ path: await writer.finish(), rows: updates.length }];
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function updatesOf({ staged, staging }: ReadSource, run: RunRecord, ledger: Ledger) {
  const fields = [...fieldsOf(kind), ...fieldsInBraces(staged)];
  // What was sent may not be what the service has by now. An update that is in since the run is newer than its rows.
  const exported = { service: serviceMark(run.service), exportedAt: run.startedAt, values: null, locked: [] };
  const updates: CompanyRow[] = [];
  for await (const { sheet: name, row: number, kind: of, state, record, message } of entriesOf(ledger, run.id)) {
    const sheet = staged.sheets.find((one) => one.sheet.name === name);
    const row = sheet === undefined ? null : staging.at(sheet.number, number);
    const isChanged = of === 'companies' && state === 'changed-since-loaded' && record !== null;
    if (!isChanged || sheet === undefined || row === null) continue;
    const source = staging.cellsOf(row);
    const changed = pathsOf(message);
    // The service replaces a list as a whole, so its unchanged parts are sent with the changed one.
    const asked = fields.filter(({ path }) => changed.some((one) => one === path || areOfOneList(one, path)));
    const texts = asked.map(({ path }) => [path, cellOf(sheet.sheet, source, path).text] as const);
    const filled = texts.filter(([, text]) => text !== '');
    const isLeft = (path: string) => filled.some(([one]) => one === path || areOfOneList(one, path));
    const emptied = asked.filter(({ path, clearable }) => changed.includes(path) && (clearable || isInList(path)));
    const cleared = emptied.flatMap(({ path }) => (isLeft(path) ? [] : [[path, '<clear>'] as const]));
    const cells = Object.fromEntries([['companyId', record], ...filled, ...cleared]);
    if (filled.length + cleared.length > 0) updates.push([{ id: record, ...exported }, cells]);
  }
  return { updates, fields };
}

type UpdatedField = Pick<Field, 'path' | 'label' | 'clearable'>;

/** What the columns in braces of a file hold, which may be parts of a list that is sent as a whole. */
function fieldsInBraces({ sheets }: ReadSource['staged']): readonly UpdatedField[] {
  const columns = sheets.flatMap(({ sheet }) => (sheet.kind === recordKind('companies') ? sheet.columns : []));
  const open = columns.flatMap((one) => (one.field === null ? [[one.path, one.header] as const] : []));
  return Array.from(new Map(open), ([path, label]) => ({ path, label, clearable: false }));
}

function isInList(path: string): boolean {
  return path.includes('[');
}

function areOfOneList(one: string, other: string): boolean {
  return isInList(one) && isInList(other) && one.split('[')[0] === other.split('[')[0];
}
