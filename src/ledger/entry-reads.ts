/** Reads entries. Its one rule: page by page, so that a run of a million rows needs the memory of a few hundred. */
import type Database from 'libsql';
import type { RecordKindName } from '../contract/record-kind.ts';
import type { Catalogue } from './catalogue.ts';
import { isIn } from './entry-state.ts';
import {
  type EarlierEntry,
  type Entry,
  type EntryState,
  type IdOfKind,
  isSameRow,
  type RowPosition,
  type RowWithRefInUse,
  type RunRow,
} from './ledger.ts';

const rowsInPage = 500;
/** No row comes back in so many runs: a ledger that says so is damaged, and is not followed for ever. */
const mostRunsOfRow = 10_000;

const entryColumns =
  'e.row, e.kind, e.fingerprint, e.shown, e.state, e.attempts, e.http_status, e.id, e.company_id, e.url, e.message';

type EntryColumns = [
  number,
  RecordKindName,
  Buffer,
  Buffer | null,
  Entry['state'],
  number,
  number | null,
  string | null,
  string | null,
  string | null,
  string | null,
];

/** With the joins that it needs, what an {@link EarlierEntry} is made of. */
const earlierColumns = 'r.id, s.name, e.row, e.state, e.id, e.company_id, e.url, r.source_name, r.started_at';
const earlierJoins = 'JOIN sheets s ON s.number = e.sheet JOIN runs r ON r.number = s.run';

type EarlierColumns = [string, string, number, EntryState, string | null, string | null, string | null, string, string];

type RefColumns = [row: number, id: string | null, service: number, kind: RecordKindName, ref: Buffer];

export class EntryReads {
  readonly #catalogue: Catalogue;
  readonly #one: Database.Statement;
  readonly #page: Database.Statement;
  readonly #pageInState: Database.Statement;
  readonly #sheets: Database.Statement;
  readonly #live: Database.Statement;
  readonly #allLive: Database.Statement;
  readonly #withIds: Database.Statement;
  readonly #occurrences: Database.Statement;
  readonly #successor: Database.Statement;
  readonly #predecessor: Database.Statement;
  readonly #pageOfCameBack: Database.Statement;
  readonly #withRef: Database.Statement;
  readonly #lastWithRef: Database.Statement;
  readonly #doubtsWithRef: Database.Statement;
  readonly #pageWithRefInUse: Database.Statement;
  readonly #earlierAt: Database.Statement;

  constructor(db: Database.Database, catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#one = db.prepare(`SELECT ${entryColumns} FROM entries e WHERE e.sheet = ? AND e.row = ?`).raw();
    this.#page = db
      .prepare(
        `SELECT ${entryColumns} FROM entries e WHERE e.sheet = ? AND e.row > ? ORDER BY e.row LIMIT ${rowsInPage}`,
      )
      .raw();
    this.#pageInState = db
      .prepare(
        `SELECT ${entryColumns} FROM entries e
         WHERE e.sheet = ? AND e.row > ? AND e.state = ? ORDER BY e.row LIMIT ${rowsInPage}`,
      )
      .raw();
    this.#sheets = db.prepare('SELECT name FROM sheets WHERE run = ? ORDER BY number').raw();
    this.#live = db
      .prepare(
        `SELECT ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.fingerprint = ? AND e.guard IS NOT NULL ORDER BY e.guard DESC LIMIT 1`,
      )
      .raw();
    this.#allLive = db
      .prepare(
        `SELECT ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.fingerprint = ? AND e.guard IS NOT NULL`,
      )
      .raw();
    this.#withIds = db
      .prepare(
        `SELECT e.kind, ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.state IN ('created', 'updated', 'accepted')
           AND (e.kind, e.id) IN (SELECT value ->> 'kind', value ->> 'id' FROM json_each(?))`,
      )
      .raw();
    this.#successor = db
      .prepare(
        `SELECT c.next_sheet, c.next_row, r.id, s.name FROM successors c
         JOIN sheets s ON s.number = c.next_sheet JOIN runs r ON r.number = s.run WHERE c.sheet = ? AND c.row = ?`,
      )
      .raw();
    this.#predecessor = db
      .prepare(
        `SELECT c.sheet, c.row, r.id, s.name FROM successors c
         JOIN sheets s ON s.number = c.sheet JOIN runs r ON r.number = s.run WHERE c.next_sheet = ? AND c.next_row = ?`,
      )
      .raw();
    this.#pageOfCameBack = db
      .prepare(`SELECT row FROM successors WHERE sheet = ? AND row > ? ORDER BY row LIMIT ${rowsInPage}`)
      .raw();
    this.#occurrences = db.prepare('SELECT occurrences FROM repeats WHERE service = ? AND fingerprint = ?').raw();
    this.#withRef = db
      .prepare(
        `SELECT ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.ref = ? AND e.kind = ? AND e.id IS NOT NULL
           AND e.state IN ('created', 'updated', 'accepted', 'already-loaded')
         ORDER BY r.number DESC, s.number DESC, e.row DESC`,
      )
      .raw();
    this.#lastWithRef = db
      .prepare(
        `SELECT ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.ref = ? AND e.kind = ? ORDER BY r.number DESC, s.number DESC, e.row DESC LIMIT 1`,
      )
      .raw();
    this.#doubtsWithRef = db
      .prepare(
        `SELECT ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.ref = ? AND e.kind = ? AND e.state IN ('in-doubt', 'sending')
         ORDER BY r.number DESC, s.number DESC, e.row DESC`,
      )
      .raw();
    this.#pageWithRefInUse = db
      .prepare(
        `SELECT e.row, e.id, e.service, e.kind, e.ref FROM entries e
         WHERE e.sheet = ? AND e.row > ? AND e.ref IS NOT NULL AND e.state IN ('created', 'accepted', 'in-doubt', 'sending')
           AND EXISTS (
             SELECT 1 FROM entries o WHERE o.service = e.service AND o.ref = e.ref AND o.kind = e.kind
               AND o.id IS NOT NULL AND o.id IS NOT e.id
               AND o.state IN ('created', 'updated', 'accepted', 'already-loaded'))
         ORDER BY e.row LIMIT ${rowsInPage}`,
      )
      .raw();
    this.#earlierAt = db
      .prepare(`SELECT ${earlierColumns} FROM entries e ${earlierJoins} WHERE e.sheet = ? AND e.row = ?`)
      .raw();
  }

  entry(run: string, { sheet, row }: RowPosition): Entry | null {
    const sheetNumber = this.#sheetNumber(run, sheet);
    if (sheetNumber === null) return null;
    const found = this.#one.get([sheetNumber, row]) as EntryColumns | undefined;
    return found === undefined ? null : entryOf(run, sheet, found);
  }

  *ofSheet(run: string, sheet: string): IterableIterator<Entry> {
    const sheetNumber = this.#sheetNumber(run, sheet);
    if (sheetNumber === null) return;
    for (const found of pages(this.#page, sheetNumber, [])) yield entryOf(run, sheet, found);
  }

  *ofRun(run: string): IterableIterator<Entry> {
    for (const sheet of this.#sheetsOf(run)) yield* this.ofSheet(run, sheet);
  }

  *inState(run: string, state: EntryState): IterableIterator<Entry> {
    for (const sheet of this.#sheetsOf(run)) {
      const sheetNumber = this.#sheetNumber(run, sheet);
      if (sheetNumber === null) continue;
      for (const found of pages(this.#pageInState, sheetNumber, [state])) yield entryOf(run, sheet, found);
    }
  }

  /** The live entry that was written last: of several, the only one that may not be settled. */
  live(service: number, fingerprint: Buffer): EarlierEntry | null {
    const found = this.#live.get([service, fingerprint]) as EarlierColumns | undefined;
    return found === undefined ? null : earlierOf(found);
  }

  withIds<Id extends IdOfKind>(service: number, ids: readonly Id[]): ReadonlyMap<Id, readonly EarlierEntry[]> {
    const found = new Map<string, EarlierEntry[]>();
    const wanted = JSON.stringify(ids.map(({ kind, id }) => ({ kind, id })));
    for (const [kind, ...columns] of this.#withIds.all([service, wanted]) as [RecordKindName, ...EarlierColumns][]) {
      const entry = earlierOf(columns);
      const key = keyOf({ kind, id: entry.id ?? '' });
      const entries = found.get(key);
      if (entries === undefined) found.set(key, [entry]);
      else entries.push(entry);
    }
    return new Map(
      ids.flatMap((id) => {
        const entries = found.get(keyOf(id));
        return entries === undefined ? [] : [[id, entries] as const];
      }),
    );
  }

  occurrences(service: number, fingerprint: Buffer): number {
    const found = this.#occurrences.get([service, fingerprint]) as [number] | undefined;
    return found?.[0] ?? 1;
  }

  latest(row: RunRow): RunRow {
    let latest = row;
    for (const next of this.#chainOf(this.#successor, row)) latest = next;
    return latest;
  }

  first(row: RunRow): RunRow {
    let first = row;
    for (const before of this.#chainOf(this.#predecessor, row)) first = before;
    return first;
  }

  wasTaken(row: RunRow): boolean {
    let latest = row;
    if (isTaken(this.entry(row.run, row))) return true;
    for (const next of this.#chainOf(this.#successor, row)) {
      if (isTaken(this.entry(next.run, next))) return true;
      latest = next;
    }
    return this.#cameFromItsRecord(latest);
  }

  /** Whether the row whose record it is noted to be in by is itself, in an earlier run: a doubt is noted by each later one. */
  #cameFromItsRecord(row: RunRow): boolean {
    const entry = this.entry(row.run, row);
    const service = this.#catalogue.run(row.run)?.service;
    if (entry?.state !== 'already-loaded' || service === undefined) return false;
    const sent = this.#allLive.all([service, entry.fingerprint]) as EarlierColumns[];
    return sent.map(earlierOf).some((earlier) => isSameRow(this.latest(earlier), row));
  }

  /** The rows of a run that came back in later ones. */
  *thatCameBack(run: string): IterableIterator<RowPosition> {
    for (const sheet of this.#sheetsOf(run)) {
      const sheetNumber = this.#sheetNumber(run, sheet);
      if (sheetNumber === null) continue;
      for (const [row] of pages<[number]>(this.#pageOfCameBack, sheetNumber, [])) yield { sheet, row };
    }
  }

  /** Where a row went on, or came from, from run to run. */
  *#chainOf(step: Database.Statement, row: RunRow): Generator<RunRow> {
    let place: readonly [sheet: number | null, row: number] = [this.#sheetNumber(row.run, row.sheet), row.row];
    for (let steps = 0; steps < mostRunsOfRow; steps += 1) {
      const [sheetNumber, rowNumber] = place;
      if (sheetNumber === null) return;
      const found = step.get([sheetNumber, rowNumber]) as [number, number, string, string] | undefined;
      if (found === undefined) return;
      const [foundSheet, foundRow, run, sheet] = found;
      yield { run, sheet, row: foundRow };
      place = [foundSheet, foundRow];
    }
  }

  at(sheet: number, row: number): EarlierEntry | null {
    const found = this.#earlierAt.get([sheet, row]) as EarlierColumns | undefined;
    return found === undefined ? null : earlierOf(found);
  }

  withRef(service: number, kind: RecordKindName, ref: Buffer): readonly EarlierEntry[] {
    // The newest comes first, and each keeps its place: what is known of an id at last is how it was first met.
    const firstOfId = new Map<string | null, EarlierEntry>();
    for (const found of this.#withRef.all([service, ref, kind]) as EarlierColumns[]) {
      const entry = earlierOf(found);
      firstOfId.set(entry.id, entry);
    }
    return [...firstOfId.values()];
  }

  openWithRef(service: number, kind: RecordKindName, ref: Buffer): EarlierEntry | null {
    const found = this.#lastWithRef.get([service, ref, kind]) as EarlierColumns | undefined;
    const last = found === undefined ? null : earlierOf(found);
    if (last !== null && !isIn(last.state) && this.#isOpen(last)) return last;
    const doubts = (this.#doubtsWithRef.all([service, ref, kind]) as EarlierColumns[]).map(earlierOf);
    return doubts.find((doubt) => this.#isOpen(doubt)) ?? null;
  }

  /** A row that came back and failed the checks there has no entry in that run: it is as open as it was. */
  #isOpen(entry: EarlierEntry): boolean {
    const latest = this.latest(entry);
    return isSameRow(latest, entry) || this.entry(latest.run, latest) === null;
  }

  *withRefInUse(run: string, sheet: string): IterableIterator<RowWithRefInUse> {
    const sheetNumber = this.#sheetNumber(run, sheet);
    if (sheetNumber === null) return;
    for (const [row, id, service, kind, ref] of pages<RefColumns>(this.#pageWithRefInUse, sheetNumber, []))
      yield { row, others: this.withRef(service, kind, ref).filter((known) => known.id !== id) };
  }

  #sheetNumber(run: string, sheet: string): number | null {
    const numbers = this.#catalogue.run(run);
    return numbers === null ? null : this.#catalogue.sheet(numbers.run, sheet);
  }

  #sheetsOf(run: string): readonly string[] {
    const numbers = this.#catalogue.run(run);
    if (numbers === null) return [];
    return (this.#sheets.all([numbers.run]) as [string][]).map(([name]) => name);
  }
}

/** Each page begins after the last row of the one before, so nothing stays open between them and writing goes on. */
function* pages<Columns extends readonly [row: number, ...further: unknown[]] = EntryColumns>(
  page: Database.Statement,
  sheet: number,
  further: readonly unknown[],
): Generator<Columns> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const found = page.all([sheet, after, ...further]) as Columns[];
    yield* found;
    if (found.length < rowsInPage) return;
    after = found[found.length - 1]?.[0] ?? Number.MAX_SAFE_INTEGER;
  }
}

/** Sent by its own run, and not proven to be out: a row that is only noted as in elsewhere has a record of another row. */
function isTaken(entry: Entry | null): boolean {
  return entry !== null && ['sending', 'in-doubt', 'created', 'updated', 'accepted'].includes(entry.state);
}

function entryOf(run: string, sheet: string, columns: EntryColumns): Entry {
  const [row, kind, fingerprint, shown, state, attempts, httpStatus, id, companyId, url, message] = columns;
  return { run, sheet, row, kind, fingerprint, shown, state, attempts, httpStatus, id, companyId, url, message };
}

function keyOf({ kind, id }: IdOfKind): string {
  return `${kind} ${id}`;
}

function earlierOf(columns: EarlierColumns): EarlierEntry {
  const [run, sheet, row, state, id, companyId, url, sourceName, startedAt] = columns;
  return { run, sheet, row, state, id, companyId, url, sourceName, startedAt };
}
