/** Writes down what a person has said of a row, and when: by these words a mistaken one is found, and settled anew. */
import type { Database, Statement } from '../disk/database.ts';
import type { RowPosition } from './ledger.ts';

export class ResolutionNotes {
  readonly #add: Statement;

  constructor(db: Database) {
    this.#add = db.prepare(
      'INSERT INTO resolutions (run, sheet, row, resolution, id, resolved_at) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** @param id  that of the record, or `null` when the service does not have it */
  add(run: string, { sheet, row }: RowPosition, id: string | null, now: string): void {
    this.#add.run([run, sheet, row, id === null ? 'not-created' : 'created', id, now]);
  }
}
