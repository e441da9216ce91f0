/**
 * Settles anew what a person has settled by mistake. Its one rule: only what stands in the ledger by a person's word alone is
 * taken back; a row that was sent again since has a word of the service, and that stays.
 */
import type Database from 'libsql';
import type { RecordKindName } from '../contract/record-kind.ts';
import { DealsheetError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { settledAsCreated, settledAsNotCreated, stateOnceIn } from './doubts.ts';
import type { EntryReads } from './entry-reads.ts';
import type { Entry, Resolution, RowPosition, SaidByHand } from './ledger.ts';

type SaidColumns = [resolution: string, id: string | null, at: string];
type RecordColumns = [sheet: number, row: number, guard: number | null, kind: RecordKindName];

/** A row, with what names its record: entries that are about one record have one fingerprint, of updates each its own. */
interface Target {
  readonly entry: Entry;
  readonly run: string;
  readonly service: number;
  readonly sheet: number;
}

export class Corrections {
  readonly #catalogue: Catalogue;
  readonly #reads: EntryReads;
  readonly #said: Database.Statement;
  readonly #settledIn: Database.Statement;
  readonly #settledOut: Database.Statement;
  readonly #rename: Database.Statement;
  readonly #takeOut: Database.Statement;
  readonly #takeIn: Database.Statement;
  readonly #higherGuards: Database.Statement;
  readonly #setGuard: Database.Statement;
  readonly #note: Database.Statement;

  constructor(db: Database.Database, catalogue: Catalogue, reads: EntryReads) {
    this.#catalogue = catalogue;
    this.#reads = reads;
    this.#said = db
      .prepare(
        `SELECT x.resolution, x.id, x.resolved_at FROM resolutions x
         JOIN runs r ON r.id = x.run JOIN sheets s ON s.run = r.number AND s.name = x.sheet
         JOIN entries e ON e.sheet = s.number AND e.row = x.row
         WHERE e.service = ? AND e.fingerprint = ? AND e.kind = ?
           AND (e.kind <> 'company-updates' OR (e.sheet = ? AND e.row = ?))
         ORDER BY x.number DESC LIMIT 1`,
      )
      .raw();
    const aboutRecord = `service = ? AND fingerprint = ? AND kind = ?
      AND (kind <> 'company-updates' OR (sheet = ? AND row = ?))`;
    this.#settledIn = db
      .prepare(
        `SELECT sheet, row, guard, kind FROM entries
         WHERE ${aboutRecord} AND state IN ('created', 'updated', 'already-loaded') AND id = ?`,
      )
      .raw();
    this.#settledOut = db
      .prepare(
        `SELECT sheet, row, guard, kind FROM entries
         WHERE ${aboutRecord} AND state = 'not-sent' AND message = ? ORDER BY attempts = 0, sheet, row`,
      )
      .raw();
    this.#rename = db.prepare('UPDATE entries SET id = ? WHERE sheet = ? AND row = ?');
    this.#takeOut = db.prepare(
      `UPDATE entries SET state = 'not-sent', guard = NULL, id = NULL, company_id = NULL, url = NULL, message = ?
       WHERE sheet = ? AND row = ?`,
    );
    this.#takeIn = db.prepare(
      'UPDATE entries SET state = ?, guard = ?, id = ?, message = ? WHERE sheet = ? AND row = ?',
    );
    this.#higherGuards = db
      .prepare(
        'SELECT sheet, row, guard FROM entries WHERE service = ? AND fingerprint = ? AND guard > ? ORDER BY guard',
      )
      .raw();
    this.#setGuard = db.prepare('UPDATE entries SET guard = ? WHERE sheet = ? AND row = ?');
    this.#note = db.prepare(
      'INSERT INTO resolutions (run, sheet, row, resolution, id, resolved_at) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  said(run: string, position: RowPosition): SaidByHand | null {
    const target = this.#targetOf(run, position);
    return target === null ? null : this.#saidOf(target);
  }

  /**
   * Within a transaction that is open.
   * @throws DealsheetError `usage` when no word of a person stands there, or not any more
   */
  correct(run: string, position: RowPosition, resolution: Resolution, now: string): void {
    const target = this.#targetOf(run, position);
    const said = target === null ? null : this.#saidOf(target);
    if (target === null || said?.holds !== true) throw notByHand(run, position);
    const id = resolution === 'not-created' ? null : resolution.created;
    if (said.resolution === 'not-created') {
      if (id !== null) this.#bringIn(target, id);
    } else {
      for (const entry of this.#settledIn.all([...recordOf(target), said.resolution.created]) as RecordColumns[]) {
        if (id === null) this.#bringOut(target, entry);
        else this.#rename.run([id, entry[0], entry[1]]);
      }
    }
    this.#note.run([run, position.sheet, position.row, id === null ? 'not-created' : 'created', id, now]);
  }

  #targetOf(run: string, position: RowPosition): Target | null {
    const numbers = this.#catalogue.run(run);
    const sheet = numbers === null ? null : this.#catalogue.sheet(numbers.run, position.sheet);
    const entry = this.#reads.entry(run, position);
    if (numbers === null || sheet === null || entry === null) return null;
    return { entry, run, service: numbers.service, sheet };
  }

  #saidOf(target: Target): SaidByHand | null {
    const found = this.#said.get(recordOf(target)) as SaidColumns | undefined;
    if (found === undefined) return null;
    const [resolution, id, at] = found;
    if (resolution === 'created' && id !== null) {
      return { resolution: { created: id }, at, holds: isCalledIn(target.entry, id) };
    }
    return { resolution: 'not-created', at, holds: this.#isAsItWasLeft(target) };
  }

  /** Whether nothing was done with a row since a person said that the service does not have it. */
  #isAsItWasLeft({ entry, run, service }: Target): boolean {
    if (!isSettledOut(entry)) return false;
    // In a later run that had met the doubt, and no more, the row was settled with it.
    const latest = this.#reads.latest({ run, sheet: entry.sheet, row: entry.row });
    const there = this.#reads.entry(latest.run, latest);
    if (there === null || !isSettledOut(there) || !there.fingerprint.equals(entry.fingerprint)) return false;
    return entry.kind === 'company-updates' || this.#reads.live(service, entry.fingerprint) === null;
  }

  /** The row that was sent guards again; the others had noted its doubt when they met it. */
  #bringIn(target: Target, id: string): void {
    const settled = this.#settledOut.all([...recordOf(target), settledAsNotCreated]) as RecordColumns[];
    settled.forEach(([sheet, row, , kind], index) => {
      const guard = kind === 'company-updates' || index > 0 ? null : 0;
      this.#takeIn.run([stateOnceIn(kind, guard), guard, id, settledAsCreated, sheet, row]);
    });
  }

  /** Guards of a fingerprint count up without a gap: a free 0 would let a row pass whose equal is in. */
  #bringOut({ entry, service }: Target, [sheet, row, guard]: RecordColumns): void {
    this.#takeOut.run([settledAsNotCreated, sheet, row]);
    if (guard === null) return;
    const higher = this.#higherGuards.all([service, entry.fingerprint, guard]) as [number, number, number][];
    for (const [otherSheet, otherRow, other] of higher) this.#setGuard.run([other - 1, otherSheet, otherRow]);
  }
}

function recordOf({ entry, service, sheet }: Target) {
  return [service, entry.fingerprint, entry.kind, sheet, entry.row] as const;
}

function isCalledIn({ state, id }: Entry, wanted: string): boolean {
  return (state === 'created' || state === 'updated' || state === 'already-loaded') && id === wanted;
}

function isSettledOut({ state, message }: Entry): boolean {
  return state === 'not-sent' && message === settledAsNotCreated;
}

function notByHand(run: string, { sheet, row }: RowPosition): DealsheetError {
  return new DealsheetError(
    'usage',
    `What the ledger says of ${sheet} row ${row} in the run ${run} does not stand there by a person's word.`,
    `dealsheet runs ${run} lists its rows in doubt.`,
  );
}
