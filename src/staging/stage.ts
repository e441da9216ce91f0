/**
 * Reads a source once into its staging: every row is mapped, checked and kept with its cells. Where rows tell something of those
 * above them (the order of dates, a Ref that stands twice), these are read once more, from the staging.
 */
import { FirstRows } from '../checks/first-rows.ts';
import { SheetChecks } from '../checks/sheet-checks.ts';
import type { CheckLevels } from '../contract/check-codes.ts';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { rowStates } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import type { CheckedRow } from '../mapping/checked-row.ts';
import { labelOfColumn, pathOfColumn } from '../mapping/column.ts';
import { EvidenceCollector, type SheetEvidence } from '../mapping/column-evidence.ts';
import type { RowShape } from '../mapping/mapping-file/row-shape.ts';
import { type MappingSettings, type RowMapper, rowMapper } from '../mapping/row-mapper.ts';
import { withoutLostZeros } from '../mapping/spreadsheet-rewriting.ts';
import { type Finding, findingOf, findingText, isError } from '../messages/finding.ts';
import { planMessage } from '../messages/plan.ts';
import type { SheetRow } from '../sheets/row.ts';
import type { BehindRows } from '../sheets/source.ts';
import { resultColumns } from '../workbooks/results.ts';
import { type AttachmentPlace, type FoundFile, openAttachment } from './attachment-files.ts';
import { type OwnColumns, ownColumnsOf, problemsSaidBy } from './own-columns.ts';
import { type EarlierRefs, ReferenceIndex } from './reference-index.ts';
import { lostKey } from './row-place.ts';
import { sayingOf } from './row-says.ts';
import { dataRows, noRows, passedOverBelow, refuseSecondHeaders } from './source/data-rows.ts';
import { type MatchedSheet, originsOf } from './source/matched-sheet.ts';
import type { MatchedSource } from './source/matched-source.ts';
import { dataOf, type JudgedRow } from './staged-data.ts';
import type { OwnCells, StagedRow } from './staged-row.ts';
import type { Staging } from './staging.ts';
import { comparisonOf, type RowComparison } from './unchanged-cells.ts';

export interface StageOptions extends Omit<MappingSettings, 'decimals'> {
  readonly checks: CheckLevels;
  readonly attachments: AttachmentPlace;
  /** What is known of Refs of earlier loads, or `null` when no service is chosen. */
  readonly earlierRefs: BatchedRefs | null;
  /** The identity of the service that the rows would go to, or `null` when none is chosen. */
  readonly service: string | null;
  /** Told after each batch. */
  readonly onProgress: (rows: number) => void;
}

/** Refs of earlier loads, asked for in batches. */
export interface BatchedRefs {
  learn(refs: readonly { readonly kind: RecordKindName; readonly ref: string }[]): Promise<void>;
  readonly of: EarlierRefs;
}

export interface Staged {
  readonly matched: MatchedSource;
  /** The sheets in the order of loading: parents before children. */
  readonly sheets: readonly StagedSheetOf[];
  /** What is to be said of sheets as a whole. */
  readonly notices: readonly string[];
}

/** A sheet of the source, with its number in the staging. */
export interface StagedSheetOf {
  readonly number: number;
  readonly sheet: MatchedSheet;
}

/** Few: the cells of a batch do not outlive the next ones. */
const rowsOfBatch = 64;
const linkColumn = resultColumns.indexOf('Link');

/** @throws DealsheetError `unreadable-source` when there is no row below the headers; `unmatched-columns` for values without a header */
export async function stage(matched: MatchedSource, staging: Staging, options: StageOptions): Promise<Staged> {
  const refs = new ReferenceIndex(options.earlierRefs?.of ?? null);
  const first = new FirstRows();
  const readings: SheetReading[] = [];
  let rows = 0;
  const onRows = (count: number) => {
    rows += count;
    options.onProgress(rows);
  };
  const inLoadOrder = recordKinds.flatMap((kind) => matched.sheets.filter((sheet) => sheet.kind === kind));
  for (const sheet of inLoadOrder) {
    const reading = new SheetReading(sheet, staging, { refs, first }, options);
    await reading.readSource(onRows);
    readings.push(reading);
  }
  if (rows === 0) throw noRows();
  for (const reading of readings) if (reading.mustReadAgain(refs)) await reading.readStaged();
  return {
    matched,
    sheets: readings.map(({ number, sheet }) => ({ number, sheet })),
    notices: [...matched.notices, ...readings.flatMap(({ notices }) => notices)],
  };
}

class SheetReading {
  readonly sheet: MatchedSheet;
  readonly number: number;
  readonly #staging: Staging;
  readonly #options: StageOptions;
  readonly #refs: ReferenceIndex;
  readonly #checks: SheetChecks;
  readonly #compare: RowComparison | null;
  readonly #saying: ReturnType<typeof sayingOf>;
  readonly #evidence: EvidenceCollector;
  readonly #links = new Map<number, string>();
  #map: RowMapper;
  #notices: readonly string[] = [];

  constructor(
    sheet: MatchedSheet,
    staging: Staging,
    file: { readonly refs: ReferenceIndex; readonly first: FirstRows },
    options: StageOptions,
  ) {
    this.sheet = sheet;
    const read = sheet.columns.flatMap((column) => (column.use === 'ignored' ? [] : [column]));
    const columns = read.map((column) => ({ path: pathOfColumn(column), label: labelOfColumn(column) }));
    this.number = staging.addSheet(sheet.name, sheet.kind.name, columns);
    this.#staging = staging;
    this.#options = options;
    this.#refs = file.refs;
    this.#checks = new SheetChecks(sheetToCheck(sheet), file, options.checks);
    this.#compare = comparisonOf(sheet, options.service);
    this.#saying = sayingOf(sheet.kind);
    this.#evidence = new EvidenceCollector(sheet.columns);
    this.#map = this.#mapperBy(new Map());
  }

  get notices(): readonly string[] {
    return this.#notices;
  }

  async readSource(onRows: (count: number) => void): Promise<void> {
    const { sheet } = this;
    let under: readonly string[] = [];
    const source = dataRows(
      sheet,
      (lines) => {
        under = passedOverBelow(sheet, lines);
      },
      (behind) => {
        this.#checks.learn(behind);
        this.#learnLinks(behind);
      },
    );
    for await (const written of inBatches(source)) {
      const rows = written.map((row) => this.#counted(row));
      for (const row of rows) {
        refuseSecondHeaders(sheet, row);
        this.#evidence.look(sheet.shape?.reshape(row) ?? row);
      }
      const mapped = rows.map(this.#map);
      await this.#options.earlierRefs?.learn(this.#namedElsewhere(mapped));
      const staged = rows.map((row, at) => this.#staged(mapped[at] as CheckedRow, row, true));
      this.#staging.add(staged.map((one, at) => ({ ...one, cells: JSON.stringify(written[at]) })));
      onRows(rows.length);
    }
    this.#staging.linkOwn(this.number, this.#links);
    this.#notices = [...this.#endOfChecks(), ...under];
  }

  /** The addresses of records stand behind the rows whose cells show a word for them. */
  #learnLinks({ links }: BehindRows): void {
    if (this.sheet.ownColumns === 0) return;
    for (const { firstRow, firstColumn, address } of links)
      if (firstColumn === linkColumn) this.#links.set(firstRow, address);
  }

  mustReadAgain(refs: ReferenceIndex): boolean {
    return this.#evidence.matters || this.#checks.tellsOfRowsAbove || refs.hasDuplicates;
  }

  /** Reads rows once more that depend on others, now that all are known. */
  async readStaged(): Promise<void> {
    this.#map = this.#mapperBy(this.#evidence.evidence());
    this.#checks.forget();
    for await (const written of this.#staging.cellsOf(this.number, rowsOfBatch)) {
      const rows = written.map((row) => this.#counted(row));
      this.#staging.add(rows.map((row) => this.#staged(this.#map(row), row, false)));
    }
  }

  /** A row without the cells that a mapping takes for blank: what a row leaves blank may tell that it is a total. */
  #counted(row: SheetRow): SheetRow {
    return this.sheet.shape?.emptied(row) ?? row;
  }

  #mapperBy(evidence: SheetEvidence): RowMapper {
    const { shape, kind, columns, name: sheet, word } = this.sheet;
    const settings = { ...this.#options, ...word, dateOrder: this.#options.dateOrder ?? word.dateOrder };
    const plain = rowMapper({ kind, sheet, columns }, settings, evidence);
    const map: RowMapper =
      shape === null ? plain : (row) => atOrigins(plain(shape.reshape(row)), shape, shape.notesOf(row));
    const compare = this.#compare;
    if (compare === null) return map;
    return (row) => {
      const { row: changed, problems, isUnchanged } = compare(row);
      const mapped = withProblems(map(changed), problems);
      return isUnchanged ? { ...mapped, problems, isValid: true } : mapped;
    };
  }

  #namedElsewhere(rows: readonly CheckedRow[]) {
    return rows.flatMap(({ references }) =>
      references.flatMap(({ reference: { to: kind }, ref }) => (this.#refs.has(kind, ref) ? [] : [{ kind, ref }])),
    );
  }

  #staged(mapped: CheckedRow, source: SheetRow, isFirst: boolean): StagedRow {
    this.#checks.look(mapped, source);
    const own = this.sheet.ownColumns === 0 ? null : ownColumnsOf(source);
    const file = this.#fileOf(mapped);
    const judged = this.#judged(mapped, source, own, file);
    // Nothing can belong to a row that is left out, and another may have its Ref.
    if (isFirst && judged.aside !== 'left-out') this.#refs.add(mapped);
    const digest = file?.ok === true ? file.file.digest() : null;
    if (file?.ok === true) file.file.close();
    const { row, ref, isValid, aside, pathId: updates } = judged;
    const said = this.#saying(judged, digest);
    return {
      sheet: this.number,
      row,
      isValid,
      data: dataOf(judged),
      ref: ref === null ? null : withoutLostZeros(ref),
      updates,
      own: ownCellsOf(own, this.#links.get(row) ?? null),
      aside,
      ...said,
    };
  }

  #fileOf({ kind, body }: CheckedRow): FoundFile | null {
    if (!kind.sending.hasFile || typeof body.file !== 'string') return null;
    return openAttachment(this.#options.attachments, body.file);
  }

  #judged(row: CheckedRow, source: SheetRow, own: OwnColumns | null, found: FoundFile | null): JudgedRow {
    const nothing = { aside: null, file: null };
    if (this.#compare?.(source).isUnchanged === true) return { ...row, ...nothing, aside: 'unchanged' };
    const { findings, leavesOut } = this.#checks.of(row, source, found?.ok === false ? found.fault : null);
    if (leavesOut) return { ...row, ...nothing, problems: findings, isValid: false, aside: 'left-out' };
    const file = found?.ok === true ? { name: String(row.body.file), size: found.file.size } : null;
    const lost = own !== null && hasLostKey(own) ? [findingOf('error', planMessage('key-lost', { id: own.id }))] : [];
    const problems = [...lost, ...together(findings, row.problems)];
    return { ...row, ...nothing, file, problems, isValid: row.isValid && !problems.some(isError) };
  }

  /** @throws DealsheetError `unmatched-columns` where cells would be lost, or stand under the headers of others */
  #endOfChecks(): readonly string[] {
    const found = this.#checks.end();
    const [fault] = found.filter(isError);
    const told = (finding: (typeof found)[number]) => `${this.sheet.name}: ${findingText(finding)}`;
    if (fault !== undefined) throw new DealsheetError('unmatched-columns', told(fault), 'Nothing was sent.');
    return found.map(told);
  }
}

/** Problems are told at the cells that the person knows. */
function atOrigins(row: CheckedRow, shape: RowShape, notes: readonly Finding[]): CheckedRow {
  const problems = row.problems.map((problem) =>
    problem.column === null ? problem : { ...problem, column: shape.originsOf(problem.column)[0] ?? null },
  );
  return withProblems({ ...row, problems }, notes);
}

function withProblems(row: CheckedRow, problems: readonly Finding[]): CheckedRow {
  if (problems.length === 0) return row;
  return { ...row, problems: [...row.problems, ...problems], isValid: row.isValid && !problems.some(isError) };
}

/** Where a check tells why a cell is wrong, what its field says of it need not be told. */
function together(found: readonly Finding[], ofCells: readonly Finding[]): readonly Finding[] {
  const explained = new Set(found.filter(isError).map(({ column }) => column));
  explained.delete(null);
  const [errors, others] = [found.filter(isError), found.filter((one) => !isError(one))];
  return [...errors, ...ofCells.filter(({ column }) => !explained.has(column)), ...others];
}

/** A row that says that it was loaded, without the key that would tell which one it is. */
function hasLostKey({ key, keyText, saysSomething }: OwnColumns): boolean {
  return key === null && (saysSomething || keyText === lostKey);
}

function ownCellsOf(own: OwnColumns | null, link: string | null): OwnCells | null {
  if (own === null || own.key === null) return null;
  const { key, state, id, answer, companyId: company } = own;
  const saysDoubt = state === 'in-doubt';
  // Where its Status was emptied, the id tells that it was in.
  const saysIn = state === null ? answer?.kind === 'created' : rowStates[state].isIn && state !== 'unchanged';
  return { ...key, saysIn, saysDoubt, answer: answerOf(id, answer), company, url: link ?? own.url };
}

function answerOf(id: string | null, answer: OwnColumns['answer']): OwnCells['answer'] {
  if (id === null || answer === null) return null;
  if (answer.kind === 'created' || answer.kind === 'not-created') return answer;
  return { kind: 'unclear', typed: id, isRounded: answer.kind === 'rounded' };
}

async function* inBatches(rows: AsyncIterable<SheetRow>): AsyncGenerator<readonly SheetRow[]> {
  let batch: SheetRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < rowsOfBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function sheetToCheck(sheet: MatchedSheet) {
  return {
    ...sheet,
    originsOf: (column: MatchedSheet['columns'][number]) => originsOf(sheet, column),
    saidOf: (row: SheetRow) => (sheet.ownColumns === 0 ? null : problemsSaidBy(row)),
  };
}
