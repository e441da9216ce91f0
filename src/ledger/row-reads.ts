/** Reads logical rows: by what they ever said, by where they stood, by their records. */
import type { RecordKindName } from '../contract/record-kind.ts';
import { rowStates } from '../contract/row-state.ts';
import type { Database, SqlValue, Statement } from '../disk/database.ts';
import type { Appearance, Candidate, LogicalRow, Place, RunEntry } from './ledger.ts';
import { readMessage } from './schema.ts';

/** What is read, by the SQL of each column. */
type Columns<Read> = Readonly<Record<keyof Read, string>>;

const ofRow: Columns<Omit<LogicalRow, 'at'>> = {
  id: 'r.id',
  kind: 'r.kind',
  standing: 'r.state',
  outcome: 'r.outcome',
  attempt: 'r.attempt',
  record: 'r.record',
  company: 'r.company',
  url: 'r.url',
  content: 'r.content',
  fields: 'r.fields',
  origin: 'coalesce(o.origin, u.origin)',
  metIn: 'coalesce(o.id, u.id)',
  repeats: 'r.repeats',
  hasRef: 'r.has_ref',
};
const ofPlace: Columns<Omit<LogicalRow['at'], 'order'> & { sheetNumber: number }> = {
  run: 'u.id',
  sheet: 's.name',
  row: 'r.place',
  sourceName: 'u.source_name',
  startedAt: 'u.started_at',
  sheetNumber: 's.number',
};
const ofAppearance: Columns<Omit<Appearance, 'row'>> = {
  attempt: 'a.attempt',
  wasResolved:
    'CASE WHEN EXISTS (SELECT 1 FROM resolutions t WHERE t.id = a.id AND t.attempt = a.attempt) THEN 1 ELSE 0 END',
  isByRef: 'a.by_ref',
  service: 'n.name',
  runNumber: 'au.number',
};
export const rowAndPlace = [...Object.values(ofRow), ...Object.values(ofPlace)].join(', ');
const besideRow = 'JOIN sheets s ON s.number = r.sheet JOIN runs u ON u.number = s.run';
export const rowTables = `rows r ${besideRow} LEFT JOIN runs o ON o.number = r.origin`;
export const rowTablesOf = (id: string) => rowTables.replace('rows r', `rows r ON r.id = ${id}`);
/** The number of the service, or the run, that the first value names. */
export const serviceNamed = '(SELECT number FROM services WHERE name = ?1)';
const runNamed = '(SELECT number FROM runs WHERE id = ?1)';

/** Whether the row was sent in the run of the appearance, and in none since. */
const isOwn = '(a.state IS NULL AND (r.sheet, r.place) = (a.sheet, a.place))';
const isDoubtElsewhere = "(r.state = 'in-doubt' AND r.sheet <> a.sheet)";
const isInElsewhere = "(r.state = 'committed' AND r.sheet <> a.sheet)";
/** Of rows whose state was not noted in the run: what became of them when they were sent there. */
const stateInRun = `coalesce(a.state, CASE WHEN NOT ${isOwn} THEN 'not-sent' WHEN r.state = 'sending' THEN 'in-doubt' ELSE coalesce(r.outcome, 'not-sent') END)`;
/** What the own columns of a row said wrongly stays wrong, also of a row that is in. */
const isContradicted = "(coalesce(a.state, '') = 'invalid' AND a.message IS NOT NULL)";
/** The states that say that a row is in, within SQL. */
export const statesIn = Object.entries(rowStates)
  .filter(([, { isIn }]) => isIn)
  .map(([state]) => `'${state}'`)
  .join(', ');

const ofEntry: Columns<RunEntry> = {
  sheet: 'h.name',
  place: 'a.place',
  kind: 'r.kind',
  id: 'r.id',
  state: stateInRun,
  attempts: `CASE WHEN ${isOwn} THEN r.attempts ELSE 0 END`,
  httpStatus: `CASE WHEN ${isOwn} THEN r.http_status ELSE a.http_status END`,
  record: 'r.record',
  company: 'r.company',
  url: 'r.url',
  message: `CASE WHEN ${isOwn} THEN r.message ELSE a.message END`,
  standing: 'r.state',
  since: "CASE WHEN r.state IN ('committed', 'in-doubt') AND r.sheet <> a.sheet THEN u.id END",
};

/** What one statement reads in every ledger, by values in the order of their numbers. */
export const statements = {
  sheets: `SELECT name FROM sheets WHERE run = ${runNamed} ORDER BY number`,
  counts: `SELECT CASE WHEN ${isOwn} AND r.state = 'sending' THEN 'sending'
       WHEN ${isInElsewhere} AND ${stateInRun} NOT IN (${statesIn}) AND NOT ${isContradicted} THEN 'already-loaded'
       WHEN ${isDoubtElsewhere} AND NOT ${isContradicted} THEN 'in-doubt'
       ELSE ${stateInRun} END AS told, CAST(count(*) AS INTEGER)
     FROM sheets s JOIN appearances a ON a.sheet = s.number JOIN rows r ON r.id = a.id
     WHERE s.run = ${runNamed} GROUP BY told`,
  entries: `SELECT ${Object.values(ofEntry).join(', ')} FROM sheets h JOIN appearances a ON a.sheet = h.number
     JOIN rows r ON r.id = a.id ${besideRow}
     WHERE h.run = ${runNamed} AND h.name = ?2 AND a.place > ?3 ORDER BY a.place LIMIT ?4`,
} as const;

const stoodWith = (one: string, other: string) =>
  `EXISTS (SELECT 1 FROM rows other JOIN sheets s ON s.run = other.origin
     JOIN appearances a ON a.sheet = s.number AND a.id = ${one} WHERE other.id = ${other})`;

/** Whether the rows with these ids are two. */
export const areTwo = (one: string, other: string) =>
  `EXISTS (SELECT 1 FROM rows WHERE (id = ${one} AND repeats = ${other}) OR (id = ${other} AND repeats = ${one}))
   OR ${stoodWith(one, other)} OR ${stoodWith(other, one)}`;

/** An appearance with its row, where the place stands in `q`. */
export const atPlace = `${rowAndPlace}, ${Object.values(ofAppearance).join(', ')}
  FROM q JOIN runs au ON au.id = q.run JOIN sheets asheet ON asheet.run = au.number AND asheet.name = q.sheet
  JOIN appearances a ON a.sheet = asheet.number AND a.place = q.place
  JOIN services n ON n.number = au.service JOIN ${rowTablesOf('a.id')}`;

export class RowReads {
  readonly #byDigest: Statement;
  readonly #byId: Statement;
  readonly #areTwo: Statement;
  readonly #byPlace: Statement;
  readonly #byRecord: Statement;
  readonly #entries: Statement;
  readonly #counts: Statement;
  readonly #sheets: Statement;

  constructor(db: Database) {
    const prepared = (sql: string) => db.prepare(sql).raw();
    this.#byDigest = prepared(
      `SELECT ${rowAndPlace}, d.ordinal FROM digests d JOIN ${rowTablesOf('d.id')}
       WHERE d.digest = ?2 AND r.service = ${serviceNamed} ORDER BY r.id`,
    );
    this.#byId = prepared(`SELECT ${rowAndPlace} FROM ${rowTables} WHERE r.id = ?`);
    this.#areTwo = prepared(`SELECT ${areTwo('?1', '?2')}`);
    this.#byPlace = prepared(`WITH q (run, sheet, place) AS (VALUES (?, ?, ?)) SELECT ${atPlace}`);
    this.#byRecord = prepared(
      `SELECT ${rowAndPlace} FROM ${rowTables}
       WHERE r.service = ${serviceNamed} AND r.record = ?2 AND r.kind = ?3 ORDER BY r.id`,
    );
    this.#counts = prepared(statements.counts);
    this.#sheets = prepared(statements.sheets);
    this.#entries = prepared(statements.entries);
  }

  counts(run: string): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts.all([run]) as [string, number][]);
  }

  sheets(run: string): readonly string[] {
    return (this.#sheets.all([run]) as [string][]).map(([name]) => name);
  }

  candidates(service: string, digest: Buffer): readonly Candidate[] {
    const found = this.#byDigest.all([service, digest]) as SqlValue[][];
    return found.map((values) => ({ row: rowOf(values), isFirst: values.at(-1) === 0 }));
  }

  byId(id: number): LogicalRow | null {
    return rowOrNull(this.#byId.get([id]));
  }

  areTwo(one: number, other: number): boolean {
    return (this.#areTwo.get([one, other]) as [number])[0] === 1;
  }

  at({ run, sheet, row }: Place): Appearance | null {
    const values = this.#byPlace.get([run, sheet, row]) as SqlValue[] | undefined;
    return values === undefined ? null : appearanceOf(values);
  }

  withRecord(service: string, kind: RecordKindName, record: string): LogicalRow | null {
    return rowOrNull(this.#byRecord.get([service, record, kind]));
  }

  entries(run: string, sheet: string, after: number, limit: number): readonly RunEntry[] {
    return (this.#entries.all([run, sheet, after, limit]) as SqlValue[][]).map(entryOf);
  }
}

/** Reads values in the order of their columns: as arrays, SQLite gives them several times faster. */
function readerOf<Name extends string>(columns: Readonly<Record<Name, string>>) {
  const names = Object.keys(columns) as Name[];
  return (values: readonly SqlValue[], from = 0) => {
    const read: Partial<Record<Name, SqlValue>> = {};
    for (const [at, name] of names.entries()) read[name] = values[from + at] ?? null;
    return read as Record<Name, SqlValue>;
  };
}

const [readRow, readPlace, readEntry] = [readerOf(ofRow), readerOf(ofPlace), readerOf(ofEntry)];
const readAppearance = readerOf(ofAppearance);
const columnsOfPlace = Object.keys(ofRow).length;
const columnsOfRow = columnsOfPlace + Object.keys(ofPlace).length;

function rowOrNull(values: unknown): LogicalRow | null {
  return values === undefined ? null : rowOf(values as SqlValue[]);
}

export function rowOf(values: readonly SqlValue[]): LogicalRow {
  const { sheetNumber, ...at } = readPlace(values, columnsOfPlace);
  const { hasRef, ...row } = readRow(values);
  const place = { ...at, order: [sheetNumber, at.row] };
  return { ...row, hasRef: hasRef === 1, at: place } as unknown as LogicalRow;
}

export function appearanceOf(values: readonly SqlValue[]): Appearance {
  const { wasResolved, isByRef, ...told } = readAppearance(values, columnsOfRow);
  return { row: rowOf(values), wasResolved: wasResolved === 1, isByRef: isByRef === 1, ...told } as Appearance;
}

export function entryOf(values: readonly SqlValue[]): RunEntry {
  const entry = readEntry(values);
  return { ...entry, message: readMessage(entry.message as string | null) } as RunEntry;
}
