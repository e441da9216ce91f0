/**
 * Forgets old runs. Its one rule: a run with a row in doubt, or one that is not ended, is never forgotten. A row is forgotten with
 * the last run that it stood in: loaded again, it would be sent again.
 */
import type { Database } from '../disk/database.ts';
import { statesIn } from './row-reads.ts';

const old = `SELECT number FROM runs WHERE state = 'ended' AND started_at < ? AND NOT EXISTS (
  SELECT 1 FROM sheets s JOIN appearances a ON a.sheet = s.number JOIN rows r ON r.id = a.id
  WHERE s.run = runs.number AND r.state IN ('in-doubt', 'sending'))`;

/** Of a row that stays although the run that sent it goes. */
const lostItsPlace = 'NOT EXISTS (SELECT 1 FROM appearances a WHERE (a.sheet, a.place) = (rows.sheet, rows.place))';

/** Within a transaction that is open. */
export function prune(db: Database, before: string): { readonly runs: number; readonly rows: number } {
  const runs = (db.prepare(old).raw().all([before]) as [number][]).map(([run]) => run);
  const sheets = 'SELECT number FROM sheets WHERE run = ?';
  for (const run of runs) db.prepare(`DELETE FROM appearances WHERE sheet IN (${sheets})`).run([run]);
  const forgotten = 'id NOT IN (SELECT id FROM appearances)';
  db.exec(`DELETE FROM digests WHERE ${forgotten}; DELETE FROM resolutions WHERE ${forgotten}`);
  const { changes } = db.prepare(`DELETE FROM rows WHERE ${forgotten}`).run();
  // The run by which it is in can be named no more.
  db.exec(
    `UPDATE appearances SET (state, http_status, message) = ('already-loaded', NULL, NULL)
     WHERE coalesce(state, 'not-sent') NOT IN (${statesIn})
       AND id IN (SELECT id FROM rows WHERE state = 'committed' AND ${lostItsPlace})`,
  );
  db.exec(
    `UPDATE rows SET (sheet, place) = (SELECT a.sheet, a.place FROM appearances a WHERE a.id = rows.id ORDER BY a.sheet DESC LIMIT 1)
     WHERE ${lostItsPlace}`,
  );
  for (const run of runs) {
    db.prepare('DELETE FROM sheets WHERE run = ?').run([run]);
    db.prepare('DELETE FROM runs WHERE number = ?').run([run]);
  }
  db.exec(
    `UPDATE rows SET origin = (SELECT s.run FROM appearances a JOIN sheets s ON s.number = a.sheet WHERE a.id = rows.id
       ORDER BY a.sheet LIMIT 1) WHERE origin NOT IN (SELECT number FROM runs)`,
  );
  return { runs: runs.length, rows: changes };
}
