/** Finds entries by the refs of their rows: a ref may have come with several records, and with rows that are not in. */

import type { RecordKindName } from '../contract/record-kind.ts';
import type { Database, Statement } from '../disk/database.ts';
import type { Catalogue } from './catalogue.ts';
import { type EarlierColumns, earlierColumns, earlierJoins, earlierOf } from './earlier-columns.ts';
import { pages, rowsInPage } from './entry-pages.ts';
import type { EntryReads } from './entry-reads.ts';
import { isIn } from './entry-state.ts';
import { updates } from './guarding.ts';
import { type EarlierEntry, isSameRow, type RowWithRefInUse } from './ledger.ts';
import type { RowChains } from './row-chains.ts';

type RefColumns = [row: number, id: string | null, service: number, kind: RecordKindName, ref: Buffer];

export class RefReads {
  readonly #catalogue: Catalogue;
  readonly #reads: EntryReads;
  readonly #chains: RowChains;
  readonly #withRef: Statement;
  readonly #lastWithRef: Statement;
  readonly #doubtsWithRef: Statement;
  readonly #pageWithRefInUse: Statement;

  constructor(db: Database, catalogue: Catalogue, reads: EntryReads, chains: RowChains) {
    this.#catalogue = catalogue;
    this.#reads = reads;
    this.#chains = chains;
    this.#withRef = db
      .prepare(
        `SELECT ${earlierColumns} FROM entries e ${earlierJoins}
         WHERE e.service = ? AND e.ref = ? AND e.kind = ? AND e.id IS NOT NULL
           AND e.state IN ('created', 'updated', 'accepted', 'already-loaded', 'unchanged')
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
         WHERE e.sheet = ? AND e.row > ? AND e.ref IS NOT NULL AND e.kind <> '${updates}'
           AND e.state IN ('created', 'accepted', 'in-doubt', 'sending')
           AND EXISTS (
             SELECT 1 FROM entries o WHERE o.service = e.service AND o.ref = e.ref AND o.kind = e.kind
               AND o.id IS NOT NULL AND o.id IS NOT e.id
               AND o.state IN ('created', 'updated', 'accepted', 'already-loaded', 'unchanged'))
         ORDER BY e.row LIMIT ${rowsInPage}`,
      )
      .raw();
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
    const latest = this.#chains.latest(entry);
    return isSameRow(latest, entry) || this.#reads.entry(latest.run, latest) === null;
  }

  *inUse(run: string, sheet: string): IterableIterator<RowWithRefInUse> {
    const sheetNumber = this.#catalogue.sheetOf(run, sheet);
    if (sheetNumber === null) return;
    for (const [row, id, service, kind, ref] of pages<RefColumns>(this.#pageWithRefInUse, sheetNumber, []))
      yield { row, others: this.withRef(service, kind, ref).filter((known) => known.id !== id) };
  }
}
