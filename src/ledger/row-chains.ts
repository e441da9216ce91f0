/**
 * Where rows went on that came back in later runs. Its one rule: however often a row comes back, it is one row, and the ledger
 * knows each of its places.
 */

import type { Database, Statement } from '../disk/database.ts';
import type { Catalogue } from './catalogue.ts';
import { type EarlierColumns, earlierColumns, earlierJoins, earlierOf } from './earlier-columns.ts';
import { pages, rowsInPage } from './entry-pages.ts';
import type { EntryReads } from './entry-reads.ts';
import { isKnownIn, isUnknown, wentIn } from './entry-state.ts';
import { updates } from './guarding.ts';
import { type CorrectedRow, type Entry, isSameRow, type RowPosition, type RunRow } from './ledger.ts';

/** No row comes back in so many runs: a ledger that says so is damaged, and is not followed for ever. */
const mostRunsOfRow = 10_000;

type CorrectedColumns = [fingerprint: Buffer, run: string, sheet: string, row: number];

export class RowChains {
  readonly #catalogue: Catalogue;
  readonly #reads: EntryReads;
  readonly #successor: Statement;
  readonly #predecessor: Statement;
  readonly #pageOfCameBack: Statement;
  readonly #allLive: Statement;
  readonly #corrected: Statement;

  constructor(db: Database, catalogue: Catalogue, reads: EntryReads) {
    this.#catalogue = catalogue;
    this.#reads = reads;
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
    this.#allLive = db
      .prepare(
        `SELECT ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.fingerprint = ? AND e.guard IS NOT NULL`,
      )
      .raw();
    // Few rows ever come back: without the word CROSS, all entries were gone through, and not they.
    this.#corrected = db
      .prepare(
        `SELECT CASE e.state WHEN 'waiting' THEN e.shown ELSE e.fingerprint END, r.id, s.name, e.row FROM successors c
         CROSS JOIN entries e ON e.sheet = c.sheet AND e.row = c.row ${earlierJoins}
         LEFT JOIN entries n ON n.sheet = c.next_sheet AND n.row = c.next_row
         WHERE e.service = ? AND e.kind <> '${updates}'
           AND (e.state IN ('rejected', 'failed', 'not-sent') AND n.fingerprint IS NOT e.fingerprint
             OR e.state = 'waiting' AND e.shown IS NOT NULL AND n.shown IS NOT e.shown)`,
      )
      .raw();
  }

  /** See {@link Ledger.correctedRows}. */
  corrected(service: number): readonly CorrectedRow[] {
    const found = this.#corrected.all([service]) as CorrectedColumns[];
    return found.map(([fingerprint, run, sheet, row]) => ({ fingerprint, run, sheet, row }));
  }

  /** See {@link Ledger.latest}. */
  latest(row: RunRow): RunRow {
    let latest = row;
    for (const next of this.#chainOf(this.#successor, row)) latest = next;
    return latest;
  }

  /** See {@link Ledger.first}. */
  first(row: RunRow): RunRow {
    let first = row;
    for (const before of this.#chainOf(this.#predecessor, row)) first = before;
    return first;
  }

  /** See {@link Ledger.cameFrom}. */
  cameFrom(row: RunRow): readonly RunRow[] {
    return [...this.#chainOf(this.#predecessor, row)];
  }

  /** See {@link Ledger.wasTaken}. */
  wasTaken(row: RunRow): boolean {
    let latest = row;
    const own = this.#reads.entry(row.run, row);
    if (isTaken(own)) return true;
    for (const next of this.#chainOf(this.#successor, row)) {
      if (isTaken(this.#reads.entry(next.run, next))) return true;
      latest = next;
    }
    if (this.#cameFromItsRecord(latest)) return true;
    return own !== null && isSettledAsIn(own) && !this.#isRecordOfAnother(row, own);
  }

  /** Whether the row whose record it is noted to be in by is itself, in an earlier run: a doubt is noted by each later one. */
  #cameFromItsRecord(row: RunRow): boolean {
    const entry = this.#reads.entry(row.run, row);
    if (entry === null || !isKnownIn(entry.state)) return false;
    return this.#sent(entry).some((earlier) => isSameRow(this.latest(earlier), row));
  }

  /** Whether the row whose record it is noted to be in by came back in the same run, as another row. */
  #isRecordOfAnother(row: RunRow, entry: Entry): boolean {
    return this.#sent(entry).some((earlier) => {
      const places = [...this.#chainOf(this.#successor, earlier)];
      return places.some((place) => place.run === row.run && !isSameRow(place, row));
    });
  }

  /** The rows that were sent with the fingerprint of an entry, and are in, or may be. */
  #sent({ run, fingerprint }: Entry): readonly RunRow[] {
    const service = this.#catalogue.run(run)?.service;
    if (service === undefined) return [];
    return (this.#allLive.all([service, fingerprint]) as EarlierColumns[]).map(earlierOf);
  }

  /** The rows of a run that came back in later ones. */
  *thatCameBack(run: string): IterableIterator<RowPosition> {
    for (const sheet of this.#reads.sheetsOf(run)) {
      const sheetNumber = this.#catalogue.sheetOf(run, sheet);
      if (sheetNumber === null) continue;
      for (const [row] of pages<[number]>(this.#pageOfCameBack, sheetNumber, [])) yield { sheet, row };
    }
  }

  /** Where a row went on, or came from, from run to run. */
  *#chainOf(step: Statement, row: RunRow): Generator<RunRow> {
    let place: readonly [sheet: number | null, row: number] = [this.#catalogue.sheetOf(row.run, row.sheet), row.row];
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
}

/** In doubt as it stood in that very run, by a sending of another run, and then settled. */
function isSettledAsIn({ state, message }: Entry): boolean {
  return isKnownIn(state) && message?.code === 'resolved-created';
}

/** Sent by its own run, and not proven to be out: a row that is only noted as in elsewhere has a record of another row. */
function isTaken(entry: Entry | null): boolean {
  return entry !== null && (wentIn(entry.state) || isUnknown(entry.state));
}
