/**
 * What a person changes in the ledger: resolving rows in doubt, and pruning runs. Its one rule: a run that has a row in doubt, or
 * has not ended, is never pruned; nor is one by which updates that stay have their order, or rows their Idempotency-Key.
 */
import { planMessage } from '../messages/plan.ts';
import { errorOf } from '../messages/text.ts';
import type { Resolution } from './ledger.ts';
import { statesIn } from './row-reads.ts';
import { storedMessage, updates } from './schema.ts';
import type { Statement, Steps, Store } from './store.ts';

const notCreated = storedMessage(planMessage('resolved-not-created'));

/**
 * An earlier resolution can be changed until the row is sent again.
 * @throws DealsheetError `usage` for a row that has nothing to resolve
 */
export function* resolve(said: Resolution, now: string, stillUnderWay: Store['stillUnderWay']): Steps<void> {
  const { id, attempt, isCreated, record, person } = said;
  const [found] = yield { sql: 'SELECT state, attempt, kind, record FROM rows WHERE id = ?1 FOR UPDATE', values: [id] };
  const [before] = yield {
    sql: 'SELECT created FROM resolutions WHERE id = ?1 AND attempt = ?2 ORDER BY number DESC LIMIT 1',
    values: [id, attempt],
  };
  const [state, last, kind, known] = found ?? [];
  const isSaid = before !== undefined && state === (before[0] === null ? 'open' : 'committed');
  if (last !== attempt || !(state === 'in-doubt' || isSaid)) throw errorOf('not-in-doubt');
  const isUpdate = kind === updates;
  if (isCreated) {
    yield {
      sql: `UPDATE rows SET state = 'committed', outcome = ?1, record = ?2, message = NULL, guard = coalesce(guard,
        (SELECT coalesce(max(l.guard), -1) + 1 FROM rows l WHERE l.content = rows.content AND l.guard IS NOT NULL)) WHERE id = ?3`,
      values: [isUpdate ? 'updated' : 'created', isUpdate ? known : record, id],
    };
  } else {
    const [[seconds] = []] = stillUnderWay === null ? [] : yield stillUnderWay(id);
    if (seconds !== undefined) throw errorOf('request-on-its-way', { seconds: Number(seconds) });
    yield {
      sql: `UPDATE rows SET state = 'open', outcome = NULL, record = NULL, message = ?2, guard = NULL WHERE id = ?1`,
      values: [id, notCreated],
    };
  }
  // A state written by an earlier resolution has its message, or none.
  yield {
    sql: `UPDATE appearances SET state = ?1, message = ?2 WHERE id = ?3 AND (
      state = 'in-doubt' OR (coalesce(message, ?4) = ?4 AND state IN ('already-loaded', 'not-sent')))`,
    values: [...(isCreated ? ['already-loaded', null] : ['not-sent', notCreated]), id, notCreated],
  };
  yield {
    sql: 'INSERT INTO resolutions (id, attempt, created, person, resolved_at) VALUES (?1, ?2, ?3, ?4, ?5)',
    values: [id, attempt, isCreated ? (record ?? '') : null, person, now],
  };
}

/** Ended, begun before `?1`, and without a row in doubt. */
const settledRuns = `SELECT number FROM runs WHERE state = 'ended' AND started_at < ?1 AND NOT EXISTS (
  SELECT 1 FROM sheets s JOIN appearances a ON a.sheet = s.number JOIN rows r ON r.id = a.id
  WHERE s.run = runs.number AND r.state IN ('in-doubt', 'sending'))`;

/** Each settled run that was the last to send an update, with each other run in which that row appeared. */
const sharedUpdates = `SELECT DISTINCT s.run, o.run FROM sheets s JOIN appearances a ON a.sheet = s.number
  JOIN rows r ON r.id = a.id AND r.sheet = a.sheet AND r.place = a.place
  JOIN appearances b ON b.id = r.id JOIN sheets o ON o.number = b.sheet
  WHERE s.run IN (${settledRuns}) AND r.kind = '${updates}' AND o.run <> s.run`;

/** Each settled run that first had a row which was sent and may be sent again, with each other run in which it appeared. */
const sharedKeys = `SELECT DISTINCT r.origin, o.run FROM rows r
  JOIN appearances b ON b.id = r.id JOIN sheets o ON o.number = b.sheet
  WHERE r.origin IN (${settledRuns}) AND r.attempt > 0 AND o.run <> r.origin
    AND (r.state = 'open' OR EXISTS (SELECT 1 FROM resolutions x WHERE x.id = r.id))`;

/**
 * The place where an update was sent tells which one of its company is the latest, and the first run of a row is part of its
 * Idempotency-Key. The run stays as long as the row.
 */
function* runsToPrune(values: readonly string[]): Steps<string> {
  const settled = yield { sql: settledRuns, values };
  const shared = [...(yield { sql: sharedUpdates, values }), ...(yield { sql: sharedKeys, values })];
  const old = new Set(settled.map(([run]) => run));
  for (let count = -1; count !== old.size; ) {
    count = old.size;
    for (const [needed, other] of shared) if (!old.has(other)) old.delete(needed);
  }
  return [0, ...old].join();
}

const isForgotten = (table: string) => `NOT EXISTS (SELECT 1 FROM appearances a WHERE a.id = ${table}.id)`;

/** Whether the run that sent a remaining row was pruned. */
const lostItsPlace = 'NOT EXISTS (SELECT 1 FROM appearances a WHERE (a.sheet, a.place) = (rows.sheet, rows.place))';

/**
 * A row is deleted with the last run it appeared in. If it is imported again, it is sent again.
 * @param keepAlone  see {@link Store.keepAlone}: otherwise a load could register a row while it is being deleted
 */
export function* prune(
  before: string,
  keepAlone: Statement | null,
): Steps<{ readonly runs: number; readonly rows: number }> {
  const values = [before];
  if (keepAlone !== null) yield keepAlone;
  const old = yield* runsToPrune(values);
  yield { sql: `DELETE FROM appearances WHERE sheet IN (SELECT number FROM sheets WHERE run IN (${old}))` };
  yield { sql: `DELETE FROM digests WHERE ${isForgotten('digests')}` };
  yield { sql: `DELETE FROM resolutions WHERE ${isForgotten('resolutions')}` };
  const rows = yield { sql: `DELETE FROM rows WHERE ${isForgotten('rows')} RETURNING 1` };
  // The run that committed the row no longer exists to be named.
  yield {
    sql: `UPDATE appearances SET state = 'already-loaded', message = NULL
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
  };
  yield { sql: `DELETE FROM sheets WHERE run IN (${old})` };
  const runs = yield { sql: `DELETE FROM runs WHERE number IN (${old}) RETURNING 1` };
  return { runs: runs.length, rows: rows.length };
}
