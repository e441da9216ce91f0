/**
 * Settles anew what a person has settled by mistake. Its one rule: only what stands in the ledger by a person's word alone is
 * taken back; a row that was sent again since has a word of the service, and that stays.
 */

import type { RecordKindName } from '../contract/record-kind.ts';
import type { Database, Statement } from '../disk/database.ts';
import { DealsheetError } from '../errors.ts';
import { rowMessage } from '../messages/rows.ts';
import type { Catalogue } from './catalogue.ts';
import { listsDoubts, stateOnceIn } from './doubts.ts';
import type { EntryReads } from './entry-reads.ts';
import { isKnownIn } from './entry-state.ts';
import { isUpdate } from './guarding.ts';
import type { Entry, Resolution, RowPosition, SaidByHand, SettledRow } from './ledger.ts';
import { ResolutionNotes } from './resolution-notes.ts';
import type { RowChains } from './row-chains.ts';
import { storedMessage } from './stored-message.ts';

type SaidColumns = [resolution: string, id: string | null, at: string];
type RecordColumns = [sheet: number, row: number, guard: number | null, kind: RecordKindName];

type AboutColumns = [service: number, fingerprint: Buffer, kind: RecordKindName, sheet: number, row: number];

/** A row, with the name of its record. */
interface Target {
  readonly entry: Entry;
  readonly run: string;
  readonly service: number;
  readonly record: string;
}

/** Where a row about a record stands. */
type PlaceColumns = [sheet: number, row: number];

export class Corrections {
  readonly #catalogue: Catalogue;
  readonly #reads: EntryReads;
  readonly #chains: RowChains;
  readonly #allSaid: Statement;
  readonly #aboutRecords: Statement;
  readonly #settledIn: Statement;
  readonly #settledOut: Statement;
  readonly #rename: Statement;
  readonly #takeOut: Statement;
  readonly #takeIn: Statement;
  readonly #higherGuards: Statement;
  readonly #setGuard: Statement;
  readonly #notes: ResolutionNotes;

  constructor(db: Database, catalogue: Catalogue, reads: EntryReads, chains: RowChains) {
    this.#catalogue = catalogue;
    this.#reads = reads;
    this.#chains = chains;
    this.#allSaid = db
      .prepare(
        `SELECT e.service, e.fingerprint, e.kind, e.sheet, e.row, x.resolution, x.id, x.resolved_at FROM resolutions x
         JOIN runs r ON r.id = x.run JOIN sheets s ON s.run = r.number AND s.name = x.sheet
         JOIN entries e ON e.sheet = s.number AND e.row = x.row ORDER BY x.number`,
      )
      .raw();
    this.#aboutRecords = db
      .prepare(
        `SELECT service, fingerprint, kind, sheet, row FROM entries
         WHERE fingerprint IN (SELECT unhex(value) FROM json_each(?)) ORDER BY attempts = 0, sheet, row`,
      )
      .raw();
    this.#settledIn = db
      .prepare(
        `SELECT sheet, row, guard, kind FROM entries
         WHERE sheet = ? AND row = ? AND state IN ('created', 'updated', 'already-loaded', 'unchanged') AND id = ?`,
      )
      .raw();
    this.#settledOut = db
      .prepare(
        `SELECT sheet, row, guard, kind FROM entries
         WHERE sheet = ? AND row = ? AND state = 'not-sent' AND message = ?`,
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
    this.#notes = new ResolutionNotes(db);
  }

  said(run: string, positions: readonly RowPosition[]): ReadonlyMap<RowPosition, SaidByHand> {
    const said = new Map<RowPosition, SaidByHand>();
    const lastWords = positions.length === 0 ? new Map() : this.#lastWords();
    for (const position of positions) {
      const target = this.#targetOf(run, position);
      const words = target === null ? undefined : lastWords.get(target.record);
      if (target !== null && words !== undefined) said.set(position, this.#saidOf(target, words));
    }
    return said;
  }

  /**
   * Within a transaction that is open.
   * @throws DealsheetError `usage` when no word of a person stands at one of the rows, or not any more
   */
  correct(run: string, rows: readonly SettledRow[], now: string): void {
    if (rows.length === 0) return;
    const saidOf = this.said(
      run,
      rows.map(({ position }) => position),
    );
    const saidOfRecord = new Map<string, Resolution>();
    const targets = rows.map((row) => {
      const target = this.#targetOf(run, row.position);
      const said = saidOf.get(row.position);
      if (target === null || said?.holds !== true) throw notByHand(run, row.position);
      saidOfRecord.set(target.record, said.resolution);
      return { ...row, target };
    });
    const placesOf = this.#placesOf(targets.map(({ target }) => target));
    for (const { target, position, resolution } of targets) {
      const id = resolution === 'not-created' ? null : resolution.created;
      this.#put(target, placesOf.get(target.record) ?? [], saidOfRecord.get(target.record) ?? resolution, id);
      saidOfRecord.set(target.record, resolution);
      this.#notes.add(run, position, id, now);
    }
  }

  /** @param places  where the entries about the record stand, one that was sent before those that noted its doubt */
  #put(target: Target, places: readonly PlaceColumns[], said: Resolution, id: string | null): void {
    if (said === 'not-created') {
      if (id !== null) this.#bringIn(places, id);
      return;
    }
    for (const place of places) {
      const entry = this.#settledIn.get([...place, said.created]) as RecordColumns | undefined;
      if (entry === undefined) continue;
      if (id === null) this.#bringOut(target, entry);
      else this.#rename.run([id, ...place]);
    }
  }

  #targetOf(run: string, position: RowPosition): Target | null {
    const numbers = this.#catalogue.run(run);
    const sheet = numbers === null ? null : this.#catalogue.sheet(numbers.run, position.sheet);
    const entry = this.#reads.entry(run, position);
    if (numbers === null || sheet === null || entry === null) return null;
    const { fingerprint, kind, row } = entry;
    return { entry, run, service: numbers.service, record: recordOf(numbers.service, fingerprint, kind, sheet, row) };
  }

  /** What was last said of each record. People say little, so all of it is read: it stands by the row of which it was said. */
  #lastWords(): ReadonlyMap<string, SaidColumns> {
    const words = new Map<string, SaidColumns>();
    for (const [service, fingerprint, kind, sheet, row, ...said] of this.#allSaid.all([]) as [
      ...AboutColumns,
      ...SaidColumns,
    ][])
      words.set(recordOf(service, fingerprint, kind, sheet, row), said);
    return words;
  }

  /** No index has the entries that are out by their fingerprint, so all entries are read: once for all records. */
  #placesOf(targets: readonly Target[]): ReadonlyMap<string, PlaceColumns[]> {
    const places = new Map<string, PlaceColumns[]>(targets.map(({ record }) => [record, []]));
    const wanted = JSON.stringify(targets.map(({ entry }) => entry.fingerprint.toString('hex')));
    for (const [service, fingerprint, kind, sheet, row] of this.#aboutRecords.all([wanted]) as AboutColumns[])
      places.get(recordOf(service, fingerprint, kind, sheet, row))?.push([sheet, row]);
    return places;
  }

  #saidOf(target: Target, [resolution, id, at]: SaidColumns): SaidByHand {
    if (resolution === 'created' && id !== null) {
      return { resolution: { created: id }, at, holds: isCalledIn(target.entry, id) };
    }
    return { resolution: 'not-created', at, holds: this.#isAsItWasLeft(target) };
  }

  /** Whether nothing was done with a row since a person said that the service does not have it. */
  #isAsItWasLeft({ entry, run, service }: Target): boolean {
    if (!isSettledOut(entry)) return false;
    // In a later run that had met the doubt, and no more, the row was settled with it.
    const latest = this.#chains.latest({ run, sheet: entry.sheet, row: entry.row });
    const there = this.#reads.entry(latest.run, latest);
    if (there === null || !isSettledOut(there) || !there.fingerprint.equals(entry.fingerprint)) return false;
    return isUpdate(entry.kind) || this.#reads.live(service, entry.fingerprint) === null;
  }

  /** The row that was sent guards again; the others had noted its doubt when they met it. */
  #bringIn(places: readonly PlaceColumns[], id: string): void {
    const settled = places.flatMap((place) => this.#settledOut.all([...place, resolvedNotCreated]) as RecordColumns[]);
    settled.forEach(([sheet, row, , kind], index) => {
      const guard = isUpdate(kind) || index > 0 ? null : 0;
      this.#takeIn.run([stateOnceIn(kind, guard), guard, id, resolvedCreated, sheet, row]);
    });
  }

  /** Guards of a fingerprint count up without a gap: a free 0 would let a row pass whose equal is in. */
  #bringOut({ entry, service }: Target, [sheet, row, guard]: RecordColumns): void {
    this.#takeOut.run([resolvedNotCreated, sheet, row]);
    if (guard === null) return;
    const higher = this.#higherGuards.all([service, entry.fingerprint, guard]) as [number, number, number][];
    for (const [otherSheet, otherRow, other] of higher) this.#setGuard.run([other - 1, otherSheet, otherRow]);
  }
}

/** Names a record: entries that are about one have one fingerprint, and an update is only ever about itself. */
function recordOf(service: number, fingerprint: Buffer, kind: RecordKindName, sheet: number, row: number): string {
  return isUpdate(kind) ? `${sheet}!${row}` : `${service} ${kind} ${fingerprint.toString('hex')}`;
}

function isCalledIn({ state, id }: Entry, wanted: string): boolean {
  return (state === 'created' || state === 'updated' || isKnownIn(state)) && id === wanted;
}

function isSettledOut({ state, message }: Entry): boolean {
  return state === 'not-sent' && message?.code === 'resolved-not-created';
}

function notByHand(run: string, { sheet, row }: RowPosition): DealsheetError {
  return new DealsheetError(
    'usage',
    `What the ledger says of ${sheet} row ${row} in the run ${run} does not stand there by a person's word.`,
    listsDoubts(run),
  );
}

const resolvedCreated = storedMessage(rowMessage('resolved-created'));
const resolvedNotCreated = storedMessage(rowMessage('resolved-not-created'));
