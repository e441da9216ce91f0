/** Reads logical rows of a team's ledger: each question is one statement, however many rows it is about. */
import type { SqlValue } from '../../disk/database.ts';
import type { Candidate, LogicalRow, Place } from '../ledger.ts';
import { areTwo, atPlace, rowAndPlace, rowOf, rowTables, rowTablesOf, serviceNamed } from '../row-reads.ts';
import type { Row } from './connections.ts';
import { rowsIn } from './rows.ts';

const digestsAsked = rowsIn<Buffer>({ digest: ['bytea', (digest) => digest] }, 2);
const placesAsked = rowsIn<Place>({
  run: ['text', ({ run }) => run],
  sheet: ['text', ({ sheet }) => sheet],
  place: ['int', ({ row }) => row],
});
const pairsAsked = rowsIn<readonly [number, number]>({
  one: ['int', ([one]) => one],
  other: ['int', ([, other]) => other],
});

export const reading = {
  byDigest: `SELECT ${rowAndPlace}, d.ordinal, d.digest FROM ${digestsAsked.sql} JOIN digests d ON d.digest = q.digest
    JOIN ${rowTablesOf('d.id')} WHERE r.service = ${serviceNamed} ORDER BY r.id`,
  byId: `SELECT ${rowAndPlace} FROM ${rowTables} WHERE r.id = ANY (?1::int[])`,
  byPlace: `WITH q AS (SELECT * FROM ${placesAsked.sql}) SELECT ${atPlace.replace('\n  FROM q', ', q.nr::int FROM q')}`,
  byRecord: `SELECT ${rowAndPlace} FROM ${rowTables}
    WHERE r.service = ${serviceNamed} AND r.record = ANY (?2::text[]) AND r.kind = ?3 ORDER BY r.id`,
  pairs: `SELECT ${areTwo('q.one', 'q.other')} FROM ${pairsAsked.sql} ORDER BY q.nr`,
} as const;

export const valuesOf = { digests: digestsAsked.values, places: placesAsked.values, pairs: pairsAsked.values };

export function readRow(row: Row): LogicalRow {
  return rowOf(row as SqlValue[]);
}

export function candidatesIn(rows: readonly Row[]): ReadonlyMap<string, readonly Candidate[]> {
  const found = new Map<string, Candidate[]>();
  for (const row of rows) {
    const digest = (row.at(-1) as Buffer).toString('hex');
    const of = found.get(digest) ?? [];
    of.push({ row: readRow(row), isFirst: row.at(-2) === 0 });
    found.set(digest, of);
  }
  return found;
}
