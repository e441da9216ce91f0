/**
 * Reads a source once into staging: maps, checks and stores every row with its cells. Rows that depend on later rows
 * (date order, duplicate Refs) are then mapped again from staging.
 */
import { hash } from 'node:crypto';
import type { FileToCheck } from '../checks/check.ts';
import { CarriedRefs, FirstRows } from '../checks/seen-rows.ts';
import { type FoundOfRow, SheetChecks } from '../checks/sheet-checks.ts';
import { segmentsOf, valueAt } from '../contract/body-path.ts';
import type { CheckLevels } from '../contract/check-codes.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import type { CheckedRow } from '../mapping/body.ts';
import type { Column } from '../mapping/column.ts';
import { type ColumnClues, FormatInference, type SheetFormats } from '../mapping/format-inference.ts';
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
import { dataOf, type MappedData, type RowContent } from './staged-row.ts';
import type { HeldRow, Staging } from './staging.ts';
import { comparisonOf, type RowComparison } from './unchanged-cells.ts';

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
  readonly sheets: readonly StagedSheetOf[];
  readonly clues: readonly ColumnClues[];
  readonly notices: readonly Message[];
}

export interface StagedSheetOf {
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
  const readings: SheetReading[] = [];
  let rows = 0;
  const onRows = (count: number) => {
    rows += count;
    options.onProgress(rows);
  };
  const inLoadOrder = recordKinds.flatMap((kind) => matched.sheets.filter((sheet) => sheet.kind === kind));
  for (const sheet of inLoadOrder) {
    const reading = new SheetReading(sheet, staging, file, options);
    await reading.readSource(onRows);
    readings.push(reading);
  }
  if (rows === 0) throw errorOf('no-rows');
  for (const reading of readings) if (reading.mustReadAgain()) await reading.readStaged();
  return {
    matched,
    sheets: readings,
    clues: readings.flatMap(({ clues }) => clues),
    notices: [...matched.notices, ...readings.flatMap(({ notices }) => notices)],
  };
}

interface MappedRow {
  readonly mapped: MappedData;
  /** The row equals its export, so there is nothing to send. */
  readonly isUnchanged: boolean;
}

class SheetReading implements StagedSheetOf {
  readonly sheet: MatchedSheet;
  readonly number: number;
  readonly widths: number[];
  mostCells: number;
  notices: readonly Message[] = [];
  readonly #staging: Staging;
  readonly #options: StageOptions;
  readonly #refs: CarriedRefs;
  readonly #begin: (behind: BehindRows) => SheetChecks;
  readonly #compare: RowComparison | null;
  readonly #inference: FormatInference;
  readonly #sameInEveryRow: readonly Column[];
  #checks: SheetChecks;
  #behind: BehindRows = { merges: [], links: [], hiddenColumns: [] };
  #map: (row: SheetRow) => MappedRow;

  constructor(sheet: MatchedSheet, staging: Staging, file: FileToCheck, options: StageOptions) {
    this.sheet = sheet;
    const columns = sheet.columns.map(({ path, label }) => ({ path, label }));
    this.number = staging.addSheet(sheet.name, sheet.kind.name, columns);
    this.mostCells = sheet.header.headers.length;
    this.widths = sheet.header.headers.map((header) => (header?.length ?? 0) + filterButton);
    this.#staging = staging;
    this.#options = options;
    this.#refs = file.refs;
    this.#begin = (behind) => new SheetChecks({ ...sheet, behind }, file, options.checks);
    this.#checks = this.#begin(this.#behind);
    this.#compare = comparisonOf(sheet, options.service);
    this.#inference = new FormatInference(
      sheet.columns,
      options.clues.filter((one) => one.sheet === sheet.name),
      sheet.sheet.delimiter,
    );
    this.#sameInEveryRow = sheet.columns.filter(({ origins }) => origins.length === 0);
    this.#map = this.#mapperBy(new Map());
  }

  get clues(): readonly ColumnClues[] {
    return this.#inference.shown.map((shown) => ({ sheet: this.sheet.name, ...shown }));
  }

  async readSource(onRows: (count: number) => void): Promise<void> {
    const { sheet } = this;
    let left = rowsToMeasure;
    const source = dataRows(sheet, (behind) => {
      this.#behind = behind;
    });
    for await (const written of inBatches(source)) {
      for (const row of written) this.#measure(row, left-- > 0);
      // Checks also see a cell as blank that the mapping counts as blank: blanks can show that a row is a total.
      const rows = written.map(sheet.emptied);
      for (const row of rows) {
        if (sheet.isHeaderRow(row))
          throw errorOf('two-header-rows', { name: sheet.name, first: sheet.header.number, second: row.number });
        this.#inference.look(row);
      }
      const mapped = rows.map(this.#map);
      const named = mapped.flatMap(({ mapped: { references } }) =>
        references.map(({ reference: { to }, ref }) => ({ kind: to, ref })),
      );
      await this.#options.earlierRefs?.learn(named.filter(({ kind, ref }) => !this.#refs.has(kind, ref)));
      const staged = mapped.map((row, at) => this.#staged(row, rows[at] as SheetRow));
      // A row that is left out has no children, and another row may use its Ref.
      for (const [at, { aside }] of staged.entries())
        if (aside !== 'left-out') this.#refs.add((mapped[at] as MappedRow).mapped);
      this.#staging.add(staged, written);
      onRows(rows.length);
    }
    this.#linkOwn();
    this.notices = this.#endOfChecks();
  }

  #measure(row: SheetRow, isOfFirst: boolean): void {
    this.mostCells = Math.max(this.mostCells, row.values.length);
    if (!isOfFirst) return;
    for (const [index, cell] of row.values.entries())
      if (cell !== null) this.widths[index] = Math.max(this.widths[index] ?? 0, shownText(cell).length + 1);
  }

  /** A Link cell of a workbook shows a word, and its address comes after all rows of the sheet. */
  #linkOwn(): void {
    if (this.sheet.ownColumns === 0) return;
    const links = this.#behind.links.filter(({ firstColumn }) => firstColumn === linkColumn);
    this.#staging.linkOwn(this.number, new Map(links.map(({ firstRow, address }) => [firstRow + 1, address])));
  }

  /** Also when the merges, links and hidden columns, which come after the rows, enable more checks. */
  mustReadAgain(): boolean {
    const looksBehind = this.#begin(this.#behind).count > this.#checks.count;
    return this.#inference.matters || looksBehind || this.#refs.hasDuplicates;
  }

  /** Maps and checks all rows again, now that formats, Refs and the data after the rows are known. */
  async readStaged(): Promise<void> {
    this.#map = this.#mapperBy(this.#inference.formats());
    this.#checks = this.#begin(this.#behind);
    await this.#staging.change(this.number, (cells) =>
      cells.map(this.sheet.emptied).map((row) => this.#staged(this.#map(row), row)),
    );
    this.#linkOwn();
  }

  #mapperBy(formats: SheetFormats): (row: SheetRow) => MappedRow {
    const { kind, columns, name: sheet, word, notesOf } = this.sheet;
    const settings = { ...this.#options, ...word, dateOrder: this.#options.dateOrder ?? word.dateOrder };
    const map = rowMapper({ kind, sheet, columns }, settings, formats);
    return (row) => {
      const compared = this.#compare?.(row) ?? null;
      const mapped = map(compared?.row ?? row);
      const notes = notesOf(compared?.row ?? row);
      if (compared === null && notes.length === 0) return { mapped, isUnchanged: false };
      const isUnchanged = compared?.isUnchanged === true;
      const ofRow = isUnchanged ? [] : [...mapped.problems, ...notes];
      const refused = new Set(ofRow.filter(isError).map(({ column }) => column));
      const further = compared?.problems.filter((one) => isError(one) || !refused.has(one.column)) ?? [];
      const problems = [...ofRow, ...further];
      const asExported = compared?.asExported;
      return { mapped: { ...mapped, problems, isValid: !problems.some(isError), asExported }, isUnchanged };
    };
  }

  #staged({ mapped, isUnchanged }: MappedRow, source: SheetRow): HeldRow {
    const own = this.sheet.ownColumns === 0 ? null : ownColumnsOf(source);
    const named = mapped.kind.sending.hasFile ? mapped.body.file : null;
    const found = typeof named === 'string' ? openAttachment(this.#options.attachments, named) : null;
    if (found?.ok === true) found.file.close();
    const file = found?.ok === true ? { name: String(named), size: found.file.size, digest: found.file.digest } : null;
    const withFile = file === null ? mapped : { ...mapped, file };
    const { content, isMasked, parents } = contentOf(withFile, this.#asWritten(source));
    const said = `${content.digest}\n${JSON.stringify(parents)}`;
    const checked = this.#checks.of(mapped, source, said, found?.ok === false ? found.fault : null);
    const data = dataWith(checked, withFile, isUnchanged, own);
    const { ref, aside = null } = data;
    return {
      sheet: this.number,
      row: data.row,
      isValid: data.isValid,
      parents,
      isMasked,
      content,
      digest: parents.length > 0 ? null : this.#options.digestOf(mapped.kind.name, isMasked, content.digest),
      data: dataOf(data),
      ref: ref === null ? null : comparableKey(ref),
      own: own?.earlier ?? null,
      aside,
      amount: amountOf(data),
      hasDetails: data.problems.length > 0 || data.clears > 0 || data.file != null,
    };
  }

  /** Digests the raw cells, so that a row matches even if it is read with other settings. Not for updates, which may repeat. */
  #asWritten(row: SheetRow): RowContent['identifies'] {
    const { ownColumns, kind } = this.sheet;
    if (ownColumns > 0 || kind.sending.isUpdate) return [];
    return [[hash('sha256', JSON.stringify([row.values, this.#sameInEveryRow.map(({ cellOf }) => cellOf(row))]))]];
  }

  /** @throws DealsheetError `unmatched-columns` when cells would be lost or read under the wrong header */
  #endOfChecks(): readonly Message[] {
    const found = this.#checks.end(this.#behind);
    const [fault] = found.filter(isError);
    const { name } = this.sheet;
    if (fault !== undefined) throw errorOf('sheet-fault', { sheet: name, fault });
    return found.map((finding) => inPlace(name, finding));
  }
}

function dataWith(
  { findings, leavesOut }: FoundOfRow,
  row: MappedData,
  isUnchanged: boolean,
  own: OwnColumns | null,
): MappedData {
  if (isUnchanged) return { ...row, file: null, aside: 'unchanged' };
  if (leavesOut) return { ...row, file: null, problems: findings, isValid: false, aside: 'left-out' };
  const lost = own?.hasLostKey === true ? [findingOf('error', messageOf('key-lost', { id: own.id }))] : [];
  if (findings.length + lost.length === 0) return row;
  const problems = [...lost, ...together(findings, row.problems)];
  return { ...row, problems, isValid: row.isValid && !problems.some(isError) };
}

/** Drops the findings of a field where a check already explains why the cell is wrong. */
function together(found: readonly Finding[], ofCells: readonly Finding[]): readonly Finding[] {
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
