/** Reads entries by their runs, their fingerprints and their ids. */

import type { RecordKindName } from '../contract/record-kind.ts';
import type { Database, Statement } from '../disk/database.ts';
import type { Catalogue } from './catalogue.ts';
import { type EarlierColumns, earlierColumns, earlierJoins, earlierOf } from './earlier-columns.ts';
import { pages, rowsInPage } from './entry-pages.ts';
import type { EarlierEntry, Entry, EntryState, IdOfKind, RowPosition } from './ledger.ts';
import { readMessage } from './stored-message.ts';

const entryColumns =
  'e.row, e.kind, e.fingerprint, e.shown, e.ref, e.state, e.attempts, e.http_status, e.id, e.company_id, e.url, e.message';

type EntryColumns = [
  number,
  RecordKindName,
  Buffer,
  Buffer | null,
  Buffer | null,
  Entry['state'],
  number,
  number | null,
  string | null,
  string | null,
  string | null,
  string | null,
];

export class EntryReads {
  readonly #catalogue: Catalogue;
  readonly #one: Statement;
  readonly #page: Statement;
  readonly #pageInState: Statement;
  readonly #sheets: Statement;
  readonly #live: Statement;
  readonly #withIds: Statement;
  readonly #occurrences: Statement;
  readonly #earlierAt: Statement;

  constructor(db: Database, catalogue: Catalogue) {
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
    this.#withIds = db
      .prepare(
        `SELECT e.kind, ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.state IN ('created', 'updated', 'accepted')
           AND (e.kind, e.id) IN (SELECT value ->> 'kind', value ->> 'id' FROM json_each(?))`,
      )
      .raw();
    this.#occurrences = db.prepare('SELECT occurrences FROM repeats WHERE service = ? AND fingerprint = ?').raw();
    this.#earlierAt = db
      .prepare(`SELECT ${earlierColumns} FROM entries e ${earlierJoins} WHERE e.sheet = ? AND e.row = ?`)
      .raw();
  }

  entry(run: string, { sheet, row }: RowPosition): Entry | null {
    const sheetNumber = this.#catalogue.sheetOf(run, sheet);
    if (sheetNumber === null) return null;
    const found = this.#one.get([sheetNumber, row]) as EntryColumns | undefined;
    return found === undefined ? null : entryOf(run, sheet, found);
  }

  *ofSheet(run: string, sheet: string): IterableIterator<Entry> {
    const sheetNumber = this.#catalogue.sheetOf(run, sheet);
    if (sheetNumber === null) return;
    for (const found of pages<EntryColumns>(this.#page, sheetNumber, [])) yield entryOf(run, sheet, found);
  }

  *ofRun(run: string): IterableIterator<Entry> {
    for (const sheet of this.sheetsOf(run)) yield* this.ofSheet(run, sheet);
  }

  *inState(run: string, state: EntryState): IterableIterator<Entry> {
    for (const sheet of this.sheetsOf(run)) {
      const sheetNumber = this.#catalogue.sheetOf(run, sheet);
      if (sheetNumber === null) continue;
      for (const found of pages<EntryColumns>(this.#pageInState, sheetNumber, [state]))
        yield entryOf(run, sheet, found);
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

  at(sheet: number, row: number): EarlierEntry | null {
    const found = this.#earlierAt.get([sheet, row]) as EarlierColumns | undefined;
    return found === undefined ? null : earlierOf(found);
  }

  /** The sheets of a run, in the order in which they were met. */
  sheetsOf(run: string): readonly string[] {
    const numbers = this.#catalogue.run(run);
    if (numbers === null) return [];
    return (this.#sheets.all([numbers.run]) as [string][]).map(([name]) => name);
  }
}

function entryOf(run: string, sheet: string, columns: EntryColumns): Entry {
  const [row, kind, fingerprint, shown, ref, state, attempts, httpStatus, id, companyId, url, message] = columns;
  return {
    run,
    sheet,
    row,
    kind,
    fingerprint,
    shown,
    ref,
    state,
    attempts,
    httpStatus,
    id,
    companyId,
    url,
    message: readMessage(message),
  };
}

function keyOf({ kind, id }: IdOfKind): string {
  return `${kind} ${id}`;
}
