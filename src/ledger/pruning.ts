/**
 * Forgets old runs. Its one rule: a run with a row in doubt, or one that is not ended, is never forgotten. A row is forgotten with
 * the last run that it stood in: loaded again, it would be sent again.
 */
import { statesIn } from './row-reads.ts';

/** The runs that are forgotten: ended ones that began before the one value. */
const old = `SELECT number FROM runs WHERE state = 'ended' AND started_at < ?1 AND NOT EXISTS (
  SELECT 1 FROM sheets s JOIN appearances a ON a.sheet = s.number JOIN rows r ON r.id = a.id
  WHERE s.run = runs.number AND r.state IN ('in-doubt', 'sending'))`;

const isForgotten = (table: string) => `NOT EXISTS (SELECT 1 FROM appearances a WHERE a.id = ${table}.id)`;

/** Of a row that stays although the run that sent it goes. */
const lostItsPlace = 'NOT EXISTS (SELECT 1 FROM appearances a WHERE (a.sheet, a.place) = (rows.sheet, rows.place))';

export const deleteRows = `DELETE FROM rows WHERE ${isForgotten('rows')}`;
export const deleteRuns = `DELETE FROM runs WHERE number IN (${old})`;

/** The statements in their order, within one transaction; those of `old` take its value. */
export const pruning: readonly { readonly sql: string; readonly ofRuns: boolean }[] = [
  { sql: `DELETE FROM appearances WHERE sheet IN (SELECT number FROM sheets WHERE run IN (${old}))`, ofRuns: true },
  { sql: `DELETE FROM digests WHERE ${isForgotten('digests')}`, ofRuns: false },
  { sql: `DELETE FROM resolutions WHERE ${isForgotten('resolutions')}`, ofRuns: false },
  { sql: deleteRows, ofRuns: false },
  // The run by which it is in can be named no more.
  {
    sql: `UPDATE appearances SET state = 'already-loaded', http_status = NULL, message = NULL
      WHERE coalesce(state, 'not-sent') NOT IN (${statesIn})
        AND id IN (SELECT id FROM rows WHERE state = 'committed' AND ${lostItsPlace})`,
    ofRuns: false,
  },
  {
    sql: `UPDATE rows SET (sheet, place) =
        (SELECT a.sheet, a.place FROM appearances a WHERE a.id = rows.id ORDER BY a.sheet DESC LIMIT 1)
      WHERE ${lostItsPlace}`,
    ofRuns: false,
  },
  {
    sql: `UPDATE rows SET origin = (SELECT s.run FROM appearances a JOIN sheets s ON s.number = a.sheet WHERE a.id = rows.id
        ORDER BY a.sheet LIMIT 1) WHERE origin IN (${old})`,
    ofRuns: true,
  },
  { sql: `DELETE FROM sheets WHERE run IN (${old})`, ofRuns: true },
  { sql: deleteRuns, ofRuns: true },
];
