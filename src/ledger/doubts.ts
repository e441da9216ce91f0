/**
 * Settles doubts by hand. Its one rule: what a person says of a record holds for every entry that is in doubt about that
 * record, in whatever run; and that it was said is written down.
 */

import type { RecordKindName } from '../contract/record-kind.ts';
import type { Database, Statement } from '../disk/database.ts';
import { DealsheetError } from '../errors.ts';
import { commandText } from '../messages/commands.ts';
import { rowMessage } from '../messages/rows.ts';
import type { Catalogue } from './catalogue.ts';
import { isUpdate } from './guarding.ts';
import type { RowPosition, SettledRow } from './ledger.ts';
import { ResolutionNotes } from './resolution-notes.ts';
import { storedMessage } from './stored-message.ts';

type DoubtColumns = [sheet: number, row: number, guard: number | null, kind: RecordKindName];
type TargetColumns = [state: string, kind: RecordKindName, fingerprint: Buffer];

export class Doubts {
  readonly #catalogue: Catalogue;
  readonly #target: Statement;
  readonly #equals: Statement;
  readonly #settleIn: Statement;
  readonly #settleOut: Statement;
  readonly #notes: ResolutionNotes;

  constructor(db: Database, catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#target = db.prepare('SELECT state, kind, fingerprint FROM entries WHERE sheet = ? AND row = ?').raw();
    this.#equals = db
      .prepare(
        `SELECT sheet, row, guard, kind FROM entries WHERE service = ? AND fingerprint = ? AND state = 'in-doubt'`,
      )
      .raw();
    this.#settleIn = db.prepare('UPDATE entries SET state = ?, id = ?, message = ? WHERE sheet = ? AND row = ?');
    this.#settleOut = db.prepare(
      "UPDATE entries SET state = 'not-sent', guard = NULL, message = ? WHERE sheet = ? AND row = ?",
    );
    this.#notes = new ResolutionNotes(db);
  }

  /**
   * Within a transaction that is open.
   * @throws DealsheetError `usage` when one of the rows is not in doubt
   */
  resolve(run: string, rows: readonly SettledRow[], now: string): void {
    const targets = rows.map((row) => ({ ...row, ...this.#targetOf(run, row.position) }));
    const idOfRecord = new Map<string, string | null>();
    for (const { position, resolution, service, sheet, kind, fingerprint } of targets) {
      const id = resolution === 'not-created' ? null : resolution.created;
      const doubts = this.#sameRecord(service, fingerprint, kind, sheet, position.row);
      // A row before it may have been about the same record: what was said of that holds for both.
      const record = fingerprint.toString('hex');
      if (doubts.length === 0 && idOfRecord.get(record) !== id) throw notInDoubt(run, position);
      idOfRecord.set(record, id);
      for (const doubt of doubts) this.#settle(doubt, id);
      this.#notes.add(run, position, id, now);
    }
  }

  #targetOf(run: string, position: RowPosition) {
    const numbers = this.#catalogue.run(run);
    const sheet = numbers === null ? null : this.#catalogue.sheet(numbers.run, position.sheet);
    const found = sheet === null ? undefined : (this.#target.get([sheet, position.row]) as TargetColumns | undefined);
    if (numbers === null || sheet === null || found?.[0] !== 'in-doubt') throw notInDoubt(run, position);
    const [, kind, fingerprint] = found;
    return { service: numbers.service, sheet, kind, fingerprint };
  }

  #settle([sheet, row, guard, kind]: DoubtColumns, id: string | null): void {
    if (id === null) this.#settleOut.run([resolvedNotCreated, sheet, row]);
    else this.#settleIn.run([stateOnceIn(kind, guard), id, resolvedCreated, sheet, row]);
  }

  /** An update is only ever in doubt about itself: the same values may be sent any number of times. */
  #sameRecord(service: number, fingerprint: Buffer, kind: RecordKindName, sheet: number, row: number): DoubtColumns[] {
    if (isUpdate(kind)) return [[sheet, row, null, kind]];
    return this.#equals.all([service, fingerprint]) as DoubtColumns[];
  }
}

/** The entry that carries the guard is the row that was sent; the others noted its doubt when they met it. */
export function stateOnceIn(kind: RecordKindName, guard: number | null): string {
  if (isUpdate(kind)) return 'updated';
  return guard === null ? 'already-loaded' : 'created';
}

function notInDoubt(run: string, { sheet, row }: RowPosition): DealsheetError {
  return new DealsheetError('usage', `${sheet} row ${row} is not in doubt in the run ${run}.`, listsDoubts(run));
}

export function listsDoubts(run: string): string {
  return `${commandText('runs', run)} lists its rows in doubt.`;
}

const resolvedCreated = storedMessage(rowMessage('resolved-created'));
const resolvedNotCreated = storedMessage(rowMessage('resolved-not-created'));
