/**
 * Settles doubts by hand. Its one rule: what a person says of a record holds for every entry that is in doubt about that
 * record, in whatever run; and that it was said is written down.
 */
import type Database from 'libsql';
import type { RecordKindName } from '../contract/record-kind.ts';
import { DealsheetError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import type { Resolution, RowPosition } from './ledger.ts';

type DoubtColumns = [sheet: number, row: number, guard: number | null, kind: RecordKindName];
type TargetColumns = [state: string, kind: RecordKindName, fingerprint: Buffer];

export const settledAsCreated = 'Settled by hand: the service has it.';
export const settledAsNotCreated = 'Settled by hand: the service does not have it.';

export class Doubts {
  readonly #catalogue: Catalogue;
  readonly #target: Database.Statement;
  readonly #equals: Database.Statement;
  readonly #settleIn: Database.Statement;
  readonly #settleOut: Database.Statement;
  readonly #note: Database.Statement;

  constructor(db: Database.Database, catalogue: Catalogue) {
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
    this.#note = db.prepare(
      'INSERT INTO resolutions (run, sheet, row, resolution, id, resolved_at) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /**
   * Within a transaction that is open.
   * @throws DealsheetError `usage` when the row is not in doubt
   */
  resolve(run: string, { sheet, row }: RowPosition, resolution: Resolution, now: string): void {
    const numbers = this.#catalogue.run(run);
    const sheetNumber = numbers === null ? null : this.#catalogue.sheet(numbers.run, sheet);
    const target =
      sheetNumber === null ? undefined : (this.#target.get([sheetNumber, row]) as TargetColumns | undefined);
    if (numbers === null || sheetNumber === null || target?.[0] !== 'in-doubt') throw notInDoubt(run, { sheet, row });
    const [, kind, fingerprint] = target;
    const id = resolution === 'not-created' ? null : resolution.created;
    for (const doubt of this.#sameRecord(numbers.service, fingerprint, kind, sheetNumber, row)) this.#settle(doubt, id);
    this.#note.run([run, sheet, row, id === null ? 'not-created' : 'created', id, now]);
  }

  #settle([sheet, row, guard, kind]: DoubtColumns, id: string | null): void {
    if (id === null) this.#settleOut.run([settledAsNotCreated, sheet, row]);
    else this.#settleIn.run([stateOnceIn(kind, guard), id, settledAsCreated, sheet, row]);
  }

  /** An update is only ever in doubt about itself: the same values may be sent any number of times. */
  #sameRecord(service: number, fingerprint: Buffer, kind: RecordKindName, sheet: number, row: number): DoubtColumns[] {
    if (kind === 'company-updates') return [[sheet, row, null, kind]];
    return this.#equals.all([service, fingerprint]) as DoubtColumns[];
  }
}

/** The entry that carries the guard is the row that was sent; the others noted its doubt when they met it. */
export function stateOnceIn(kind: RecordKindName, guard: number | null): string {
  if (kind === 'company-updates') return 'updated';
  return guard === null ? 'already-loaded' : 'created';
}

function notInDoubt(run: string, { sheet, row }: RowPosition): DealsheetError {
  return new DealsheetError(
    'usage',
    `${sheet} row ${row} is not in doubt in the run ${run}.`,
    `dealsheet runs ${run} lists its rows in doubt.`,
  );
}
