/** Reads logical rows: by what they ever said, by where they stood, by their records. */
import type { RecordKindName } from '../contract/record-kind.ts';
import { type RowState, rowStates } from '../contract/row-state.ts';
import type { Database, Statement } from '../disk/database.ts';
import type { Appearance, Candidate, LogicalRow, Place, RunEntry, Standing } from './ledger.ts';
import { readMessage } from './stored-message.ts';

const rowColumns = `r.id, r.kind, r.state, r.outcome, r.attempt, r.record, r.company, r.url, r.content,
  s.name, r.place, u.id, u.source_name, u.started_at, coalesce(o.source_name, u.source_name), s.number, r.repeats, r.has_ref`;
const rowTables =
  'rows r JOIN sheets s ON s.number = r.sheet JOIN runs u ON u.number = s.run LEFT JOIN runs o ON o.number = r.origin';

type RowColumns = [
  id: number,
  kind: RecordKindName,
  standing: Standing,
  outcome: RowState | null,
  attempt: number,
  record: string | null,
  company: string | null,
  url: string | null,
  content: Buffer | null,
  sheet: string,
  place: number,
  run: string,
  sourceName: string,
  startedAt: string,
  origin: string,
  sheetNumber: number,
  repeats: number | null,
  hasRef: number,
];

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

type AppearanceColumns = [attempt: number, resolved: number, byRef: number, service: string, runNumber: number];

export class RowReads {
  readonly #byDigest: Statement;
  readonly #byId: Statement;
  readonly #fields: Statement;
  readonly #repeats: Statement;
  readonly #together: Statement;
  readonly #byPlace: Statement;
  readonly #byRecord: Statement;
  readonly #entries: Statement;
  readonly #counts: Statement;
  readonly #sheets: Statement;

  constructor(db: Database) {
    this.#byDigest = db
      .prepare(
        `SELECT ${rowColumns}, d.ordinal FROM digests d JOIN ${rowTables.replace('rows r', 'rows r ON r.id = d.id')}
         WHERE d.digest = ? AND r.service = ? ORDER BY r.id`,
      )
      .raw();
    this.#byId = db.prepare(`SELECT ${rowColumns} FROM ${rowTables} WHERE r.id = ?`).raw();
    this.#fields = db.prepare('SELECT fields FROM rows WHERE id = ?').raw();
    this.#repeats = db.prepare('SELECT 1 FROM rows WHERE (id = ? AND repeats = ?) OR (id = ? AND repeats = ?)').raw();
    this.#together = db
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM rows other JOIN sheets s ON s.run = other.origin
           JOIN appearances a ON a.sheet = s.number AND a.id = ? WHERE other.id = ?)`,
      )
      .raw();
    this.#byPlace = db
      .prepare(
        `SELECT ${rowColumns}, a.attempt, EXISTS (SELECT 1 FROM resolutions t WHERE t.id = a.id AND t.attempt = a.attempt), a.by_ref, n.name, au.number
         FROM runs au JOIN sheets asheet ON asheet.run = au.number AND asheet.name = ?
         JOIN appearances a ON a.sheet = asheet.number AND a.place = ?
         JOIN services n ON n.number = au.service
         JOIN ${rowTables.replace('rows r', 'rows r ON r.id = a.id')}
         WHERE au.id = ?`,
      )
      .raw();
    this.#byRecord = db
      .prepare(
        `SELECT ${rowColumns} FROM ${rowTables} WHERE r.service = ? AND r.record = ? AND r.kind = ? ORDER BY r.id`,
      )
      .raw();
    const inRun = 'FROM sheets s JOIN appearances a ON a.sheet = s.number JOIN rows r ON r.id = a.id WHERE s.run = ?';
    this.#counts = db
      .prepare(
        `SELECT CASE WHEN ${isOwn} AND r.state = 'sending' THEN 'sending'
           WHEN ${isInElsewhere} AND ${stateInRun} NOT IN (${statesIn}) AND NOT ${isContradicted} THEN 'already-loaded'
           WHEN ${isDoubtElsewhere} AND NOT ${isContradicted} THEN 'in-doubt'
           ELSE ${stateInRun} END AS told, count(*) ${inRun} GROUP BY told`,
      )
      .raw();
    this.#sheets = db.prepare('SELECT name FROM sheets WHERE run = ? ORDER BY number').raw();
    this.#entries = db
      .prepare(
        `SELECT a.place, r.kind, r.id, ${stateInRun}, CASE WHEN ${isOwn} THEN r.attempts ELSE 0 END,
           CASE WHEN ${isOwn} THEN r.http_status ELSE a.http_status END, r.record, r.company, r.url,
           CASE WHEN ${isOwn} THEN r.message ELSE a.message END, r.state,
           CASE WHEN r.state IN ('committed', 'in-doubt') AND r.sheet <> a.sheet THEN u.id END
         FROM appearances a JOIN rows r ON r.id = a.id JOIN sheets s ON s.number = r.sheet JOIN runs u ON u.number = s.run
         WHERE a.sheet = ? AND a.place > ? ORDER BY a.place LIMIT ?`,
      )
      .raw();
  }

  /** @param run  its number */
  counts(run: number): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts.all([run]) as [string, number][]);
  }

  sheets(run: number): readonly string[] {
    return (this.#sheets.all([run]) as [string][]).map(([name]) => name);
  }

  candidates(service: number, digest: Buffer): readonly Candidate[] {
    return (this.#byDigest.all([digest, service]) as [...RowColumns, number][]).map((columns) => ({
      row: rowOf(columns),
      isFirst: columns.at(-1) === 0,
    }));
  }

  byId(id: number): LogicalRow | null {
    const columns = this.#byId.get([id]) as RowColumns | undefined;
    return columns === undefined ? null : rowOf(columns);
  }

  fieldsOf(id: number): Buffer | null {
    return (this.#fields.get([id]) as [Buffer | null] | undefined)?.[0] ?? null;
  }

  areTwo(one: number, other: number): boolean {
    if (this.#repeats.get([one, other, other, one]) !== undefined) return true;
    const stoodWith = (row: number, origin: number) => (this.#together.get([row, origin]) as [number])[0] === 1;
    return stoodWith(one, other) || stoodWith(other, one);
  }

  at({ run, sheet, row }: Place): Appearance | null {
    const columns = this.#byPlace.get([sheet, row, run]) as [...RowColumns, ...AppearanceColumns] | undefined;
    if (columns === undefined) return null;
    const [attempt, resolved, byRef, service, runNumber] = columns.slice(-5) as AppearanceColumns;
    return { row: rowOf(columns), attempt, wasResolved: resolved === 1, isByRef: byRef === 1, service, runNumber };
  }

  withRecord(service: number, kind: RecordKindName, record: string): LogicalRow | null {
    const columns = this.#byRecord.get([service, record, kind]) as RowColumns | undefined;
    return columns === undefined ? null : rowOf(columns);
  }

  entries(sheet: number, name: string, after: number, limit: number): readonly RunEntry[] {
    return (this.#entries.all([sheet, after, limit]) as EntryColumns[]).map(
      ([place, kind, id, state, attempts, httpStatus, record, company, url, message, standing, since]) => ({
        sheet: name,
        place,
        kind,
        id,
        state,
        attempts,
        httpStatus,
        record,
        company,
        url,
        message: readMessage(message),
        standing,
        since,
      }),
    );
  }
}

type EntryColumns = [
  place: number,
  kind: RecordKindName,
  id: number,
  state: RowState,
  attempts: number,
  httpStatus: number | null,
  record: string | null,
  company: string | null,
  url: string | null,
  message: string | null,
  standing: Standing,
  since: string | null,
];

function rowOf(columns: readonly unknown[]): LogicalRow {
  const [
    id,
    kind,
    standing,
    outcome,
    attempt,
    record,
    company,
    url,
    content,
    sheet,
    row,
    run,
    sourceName,
    startedAt,
    origin,
    sheetNumber,
    repeats,
    hasRef,
  ] = columns as RowColumns;
  const at = { run, sheet, row, sourceName, startedAt, order: [sheetNumber, row] as const };
  return {
    id,
    kind,
    standing,
    outcome,
    attempt,
    record,
    company,
    url,
    content,
    at,
    origin,
    repeats,
    hasRef: hasRef === 1,
  };
}
