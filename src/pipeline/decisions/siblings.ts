/**
 * Rows of one source are different rows, however equal they are: the record of one is not that of another, also when they
 * come back in different results sheets.
 */
import type { Ledger, RunRecord, RunRow } from '../../ledger/ledger.ts';
import { csvSheetName } from '../../sheets/csv/csv-source.ts';
import { placeOf } from '../rows/row-place.ts';

/** A row by its place in the source that it first came with. */
export interface SourceRow {
  /** SHA-256 of the source, in hexadecimal. */
  readonly source: string;
  /** The place in it, whatever the name of the file was. */
  readonly place: string;
}

type FindRun = (run: string) => Pick<RunRecord, 'sourceDigest' | 'sourceName'> | null;

export class Siblings {
  readonly #ledger: Pick<Ledger, 'first'>;
  readonly #recordOf: FindRun;

  /** @param recordOf  a run of the ledger, or `null` when it is forgotten */
  constructor(ledger: Pick<Ledger, 'first'>, recordOf: FindRun) {
    this.#ledger = ledger;
    this.#recordOf = recordOf;
  }

  /** `null` when nothing is known of where the row came from. */
  sourceRowOf(row: RunRow): SourceRow | null {
    const first = this.#ledger.first(row);
    const run = this.#recordOf(first.run);
    if (run === null) return null;
    // The one sheet of a CSV file has the file's name, and a file may be renamed.
    const sheet = first.sheet === csvSheetName(run.sourceName) ? '' : first.sheet;
    return { source: run.sourceDigest, place: placeOf({ sheet, row: first.row }) };
  }

  /** Whether a row that is in is another row of the source that this one came with. */
  isSibling(row: SourceRow | null, live: RunRow): boolean {
    if (row === null) return false;
    const other = this.sourceRowOf(live);
    return other !== null && other.source === row.source && other.place !== row.place;
  }
}
