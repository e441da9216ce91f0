/**
 * Forgets old runs. Its one rule: a run with a row in doubt, or one that is not ended, is never forgotten. A row is forgotten with
 * the last run that it stood in: loaded again, it would be sent again.
 */
import { statesIn } from './row-reads.ts';
import type { Statement, Steps } from './store.ts';

/** The runs that are forgotten: ended ones that began before the one value. */
const old = `SELECT number FROM runs WHERE state = 'ended' AND started_at < ?1 AND NOT EXISTS (
  SELECT 1 FROM sheets s JOIN appearances a ON a.sheet = s.number JOIN rows r ON r.id = a.id
  WHERE s.run = runs.number AND r.state IN ('in-doubt', 'sending'))`;

const isForgotten = (table: string) => `NOT EXISTS (SELECT 1 FROM appearances a WHERE a.id = ${table}.id)`;

/** Of a row that stays although the run that sent it goes. */
const lostItsPlace = 'NOT EXISTS (SELECT 1 FROM appearances a WHERE (a.sheet, a.place) = (rows.sheet, rows.place))';

/** @param keepAlone  see {@link Store.keepAlone}: a load would enter a row again in the moment in which it is forgotten */
export function* prune(
  before: string,
  keepAlone: Statement | null,
): Steps<{ readonly runs: number; readonly rows: number }> {
  const values = [before];
  if (keepAlone !== null) yield keepAlone;
  yield { sql: `DELETE FROM appearances WHERE sheet IN (SELECT number FROM sheets WHERE run IN (${old}))`, values };
  yield { sql: `DELETE FROM digests WHERE ${isForgotten('digests')}` };
  yield { sql: `DELETE FROM resolutions WHERE ${isForgotten('resolutions')}` };
  const rows = yield { sql: `DELETE FROM rows WHERE ${isForgotten('rows')} RETURNING 1` };
  // The run by which it is in can be named no more.
  yield {
    sql: `UPDATE appearances SET state = 'already-loaded', http_status = NULL, message = NULL
      WHERE coalesce(state, 'not-sent') NOT IN (${statesIn})
        AND id IN (SELECT id FROM rows WHERE state = 'committed' AND ${lostItsPlace})`,
  };
  yield {
    sql: `UPDATE rows SET (sheet, place) =
        (SELECT a.sheet, a.place FROM appearances a WHERE a.id = rows.id ORDER BY a.sheet DESC LIMIT 1)
      WHERE ${lostItsPlace}`,
  };
  yield {
    sql: `UPDATE rows SET origin = (SELECT s.run FROM appearances a JOIN sheets s ON s.number = a.sheet WHERE a.id = rows.id
        ORDER BY a.sheet LIMIT 1) WHERE origin IN (${old})`,
    values,
  };
  yield { sql: `DELETE FROM sheets WHERE run IN (${old})`, values };
  const runs = yield { sql: `DELETE FROM runs WHERE number IN (${old}) RETURNING 1`, values };
  return { runs: runs.length, rows: rows.length };
}
