/**
 * Reads a source once into staging: maps, checks and stores every row with its cells. Rows that depend on later rows
 * (date order, duplicate Refs) are then mapped again from staging.
 */
import { hash } from 'node:crypto';
import type { FileToCheck } from '../checks/check.ts';
import { CarriedRefs, FirstRows } from '../checks/seen-rows.ts';
import { type FoundOfRow, sheetChecks } from '../checks/sheet-checks.ts';
import { segmentsOf, valueAt } from '../contract/body-path.ts';
import type { CheckLevels } from '../contract/check-codes.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import type { CheckedRow } from '../mapping/body.ts';
import { type ColumnClues, formatInference, type SheetFormats } from '../mapping/format-inference.ts';
import { shownText } from '../mapping/reading.ts';
import { type MappingSettings, rowMapper } from '../mapping/row-mapper.ts';
import { comparableKey } from '../mapping/spreadsheet-rewriting.ts';
import { type Finding, findingOf, isError } from '../messages/finding.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, inPlace, messageOf } from '../messages/text.ts';
import { filterButton } from '../tables/excel-limits.ts';
import type { SheetRow } from '../tables/row.ts';
import type { BehindRows } from '../tables/source.ts';
import { resultColumns } from '../workbooks/results.ts';
import { type AttachmentPlace, openAttachment } from './attachment-files.ts';
import { type OwnColumns, ownColumnsOf } from './own-columns.ts';
import { contentOf } from './row-content.ts';
import { dataRows, type MatchedSheet } from './source/matched-sheet.ts';
import type { MatchedSource } from './source/matched-source.ts';
import { dataOf, type MappedData, type RowContent, type RowData } from './staged-row.ts';
import type { Staging, StoredRow } from './staging.ts';
import { comparisonOf } from './unchanged-cells.ts';

export interface Reading {
  /** The Refs of earlier loads, or `null` when no service is chosen. */
  readonly earlierRefs: BatchedRefs | null;
  /** The identity of the target service, or `null` when none is chosen. */
  readonly service: string | null;
  /** How the ledger knows the content of a row without parents. */
  readonly digestOf: (kind: RecordKindName, isMasked: boolean, content: string) => string;
  readonly onProgress: (rows: number) => void;
}

export interface StageOptions extends Omit<MappingSettings, 'decimals'>, Reading {
  readonly checks: CheckLevels;
  readonly attachments: AttachmentPlace;
  /** What earlier readings inferred about columns. */
  readonly clues: readonly ColumnClues[];
}

export interface BatchedRefs {
  learn(refs: readonly { readonly kind: RecordKindName; readonly ref: string }[]): Promise<void>;
  readonly of: NonNullable<FileToCheck['earlier']>;
}

export interface Staged {
  readonly matched: MatchedSource;
  /** The sheets in loading order: parents before children. */
  readonly sheets: readonly MeasuredSheet[];
  readonly clues: readonly ColumnClues[];
  readonly notices: readonly Message[];
}

export interface MeasuredSheet {
  readonly number: number;
  readonly sheet: MatchedSheet;
  readonly mostCells: number;
  /** In characters, measured on the headers and the first rows. */
  readonly widths: readonly number[];
}

/** Small, so that the cells of a batch are freed early. */
const rowsAtOnce = 64;
const rowsToMeasure = 100;
const linkColumn = resultColumns.indexOf('Link');

/** @throws DealsheetError `unreadable-source` without data rows; `unmatched-columns` for values without a header */
export async function stage(matched: MatchedSource, staging: Staging, options: StageOptions): Promise<Staged> {
  const file = { refs: new CarriedRefs(), first: new FirstRows(), earlier: options.earlierRefs?.of ?? null };
  let rows = 0;
  const onRows = (count: number) => {
    rows += count;
    options.onProgress(rows);
  };
  const sheets: SheetRead[] = [];
  const inLoadOrder = recordKinds.flatMap((kind) => matched.sheets.filter((sheet) => sheet.kind === kind));
  for (const sheet of inLoadOrder) sheets.push(await readSheet(sheet, staging, file, options, onRows));
  if (rows === 0) throw errorOf('no-rows');
  // A row of any sheet may have been compared with what another one was first read as.
  if (file.refs.hasDuplicates || sheets.some(({ readsOtherwise }) => readsOtherwise)) {
    file.first.clear();
    for (const { readAgain } of sheets) await readAgain();
  }
  return {
    matched,
    sheets,
    clues: sheets.flatMap(({ clues }) => clues),
    notices: [...matched.notices, ...sheets.flatMap(({ notices }) => notices)],
  };
}

interface SheetRead extends MeasuredSheet, Pick<Staged, 'clues' | 'notices'> {
  /** Whether formats and the data after the rows make a difference. */
  readonly readsOtherwise: boolean;
  /** Maps and checks all rows again. */
  readonly readAgain: () => Promise<void>;
}

async function readSheet(
  sheet: MatchedSheet,
  staging: Staging,
  file: FileToCheck,
  options: StageOptions,
  onRows: (count: number) => void,
): Promise<SheetRead> {
  const { name, columns, emptied, header } = sheet;
  const ofColumns = columns.map(({ path, label }) => ({ path, label }));
  const number = staging.addSheet(name, sheet.kind.name, ofColumns);
  const widths = header.headers.map((text) => (text?.length ?? 0) + filterButton);
  let mostCells = header.headers.length;
  let left = rowsToMeasure;
  let behind: BehindRows = { merges: [], links: [], hiddenColumns: [] };
  const clues = options.clues.filter((one) => one.sheet === name);
  const inference = formatInference(columns, clues, sheet.sheet.delimiter);
  const first = readerOf(sheet, behind, new Map(), file, options);
  const source = dataRows(sheet, (found) => {
    behind = found;
  });
  for await (const written of inBatches(source)) {
    for (const row of written) {
      mostCells = Math.max(mostCells, row.values.length);
      if (left-- > 0) measure(row, widths);
    }
    // Checks also see a cell as blank that the mapping counts as blank: blanks can show that a row is a total.
    const rows = written.map(emptied);
    for (const row of rows) {
      if (sheet.isHeaderRow(row)) throw errorOf('two-header-rows', { name, first: header.number, second: row.number });
      inference.look(row);
    }
    const mapped = rows.map(first.map);
    const named = mapped.flatMap(({ references }) =>
      references.map(({ reference: { to }, ref }) => ({ kind: to, ref })),
    );
    await options.earlierRefs?.learn(named.filter(({ kind, ref }) => !file.refs.has(kind, ref)));
    const staged = mapped.map((row, at) => first.staged(number, row, rows[at] as SheetRow));
    // A row that is left out has no children, and another row may use its Ref.
    for (const [at, row] of mapped.entries()) if (staged[at]?.aside !== 'left-out') file.refs.add(row);
    staging.add(staged, written);
    onRows(rows.length);
  }
  // A Link cell of a workbook shows a word, and its address comes after all rows of the sheet.
  const links = sheet.ownColumns === 0 ? [] : behind.links.filter(({ firstColumn }) => firstColumn === linkColumn);
  const addresses = new Map(links.map(({ firstRow, address }) => [firstRow + 1, address]));
  staging.setLinks(number, addresses);
  const again = readerOf(sheet, behind, inference.formats(), file, options);
  return {
    number,
    sheet,
    mostCells,
    widths,
    clues: inference.shown().map((shown) => ({ sheet: name, ...shown })),
    notices: noticesOf(name, first.checks.end(behind)),
    // The merges, links and hidden columns, which come after the rows, enable more checks.
    readsOtherwise: inference.matters() || again.checks.count > first.checks.count,
    async readAgain() {
      await staging.change(number, (cells) =>
        cells.map(emptied).map((row) => again.staged(number, again.map(row), row)),
      );
      staging.setLinks(number, addresses);
    },
  };
}

function measure({ values }: SheetRow, widths: number[]): void {
  for (const [index, cell] of values.entries())
    if (cell !== null) widths[index] = Math.max(widths[index] ?? 0, shownText(cell).length + 1);
}

/** @throws DealsheetError `unmatched-columns` when cells would be lost or read under the wrong header */
function noticesOf(sheet: string, found: readonly Finding[]): readonly Message[] {
  const fault = found.find(isError);
  if (fault !== undefined) throw errorOf('sheet-fault', { sheet, fault });
  return found.map((finding) => inPlace(sheet, finding));
}

/** Maps the rows of a sheet, and checks them for staging. A second reading has the formats that the first one inferred. */
function readerOf(
  sheet: MatchedSheet,
  behind: BehindRows,
  formats: SheetFormats,
  file: FileToCheck,
  options: StageOptions,
) {
  const checks = sheetChecks({ ...sheet, behind }, file, options.checks);
  const sameInEveryRow = sheet.columns.filter(({ origins }) => origins.length === 0);
  /** Digests the raw cells, so that a row matches even if it is read with other settings. Not for updates, which may repeat. */
  const asWritten = (row: SheetRow): RowContent['identifies'] => {
    if (sheet.ownColumns > 0 || sheet.kind.sending.isUpdate) return [];
    return [[hash('sha256', JSON.stringify([row.values, sameInEveryRow.map(({ cellOf }) => cellOf(row))]))]];
  };
  return {
    checks,
    map: mapperOf(sheet, formats, options),
    staged(number: number, row: MappedData, source: SheetRow): StoredRow {
      const own = sheet.ownColumns === 0 ? null : ownColumnsOf(source);
      const { file = null, fault = null } = attachmentOf(row, options.attachments);
      const withFile = file === null ? row : { ...row, file };
      const { content, isMasked, parents } = contentOf(withFile, asWritten(source));
      const said = `${content.digest}\n${JSON.stringify(parents)}`;
      const data = dataWith(checks.of(row, source, said, fault), withFile, own);
      const { ref, aside = null } = data;
      return {
        sheet: number,
        row: data.row,
        isValid: data.isValid,
        parents,
        isMasked,
        content,
        digest: parents.length > 0 ? null : options.digestOf(row.kind.name, isMasked, content.digest),
        data: dataOf(data),
        ref: ref === null ? null : comparableKey(ref),
        own: own?.earlier ?? null,
        aside,
        amount: amountOf(data),
        hasDetails: data.problems.length > 0 || data.clears > 0 || data.file != null,
      };
    },
  };
}

/** A row that equals its export is `unchanged`: there is nothing to send. */
function mapperOf(sheet: MatchedSheet, formats: SheetFormats, options: StageOptions): (row: SheetRow) => MappedData {
  const { kind, columns, name, word, notesOf } = sheet;
  const settings = { ...options, ...word, dateOrder: options.dateOrder ?? word.dateOrder };
  const map = rowMapper({ kind, sheet: name, columns }, settings, formats);
  const compare = comparisonOf(sheet, options.service);
  return (row) => {
    const compared = compare?.(row) ?? null;
    const mapped = map(compared?.row ?? row);
    const notes = notesOf(compared?.row ?? row);
    if (compared === null && notes.length === 0) return mapped;
    const isUnchanged = compared?.isUnchanged === true;
    const ofRow = isUnchanged ? [] : [...mapped.problems, ...notes];
    const refused = new Set(ofRow.filter(isError).map(({ column }) => column));
    const further = compared?.problems.filter((one) => isError(one) || !refused.has(one.column)) ?? [];
    const problems = [...ofRow, ...further];
    const ofExport = { asExported: compared?.asExported, aside: isUnchanged ? ('unchanged' as const) : null };
    return { ...mapped, problems, isValid: !problems.some(isError), ...ofExport };
  };
}

function attachmentOf(
  { kind, body }: MappedData,
  place: AttachmentPlace,
): Partial<Pick<RowData, 'file'>> & { fault?: Message } {
  const name = kind.sending.hasFile ? body.file : null;
  if (typeof name !== 'string') return {};
  const found = openAttachment(place, name);
  if (!found.ok) return found;
  found.file.close();
  return { file: { name, size: found.file.size, digest: found.file.digest } };
}

function dataWith({ findings, leavesOut }: FoundOfRow, row: MappedData, own: OwnColumns | null): MappedData {
  if (row.aside === 'unchanged') return { ...row, file: null };
  if (leavesOut) return { ...row, file: null, problems: findings, isValid: false, aside: 'left-out' };
  const lost = own?.hasLostKey === true ? [findingOf('error', messageOf('key-lost', { id: own.id }))] : [];
  if (findings.length + lost.length === 0) return row;
  const problems = [...lost, ...withoutExplained(findings, row.problems)];
  return { ...row, problems, isValid: row.isValid && !problems.some(isError) };
}

/** Drops the findings of a field where a check already explains why the cell is wrong. */
function withoutExplained(found: readonly Finding[], ofCells: readonly Finding[]): readonly Finding[] {
  if (found.length === 0) return ofCells;
  const explained = new Set(found.filter(isError).map(({ column }) => column));
  explained.delete(null);
  const [errors, others] = [found.filter(isError), found.filter((one) => !isError(one))];
  return [...errors, ...ofCells.filter(({ column }) => !explained.has(column)), ...others];
}

function amountOf({ kind, body }: CheckedRow): number | null {
  const amount = kind.amount === null ? null : valueAt(body, segmentsOf(kind.amount));
  return typeof amount === 'number' ? amount : null;
}

async function* inBatches(rows: AsyncIterable<SheetRow>): AsyncGenerator<readonly SheetRow[]> {
  let batch: SheetRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
