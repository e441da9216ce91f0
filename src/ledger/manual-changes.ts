/**
 * What a person changes in the ledger: resolving rows in doubt, and pruning runs. Its one rule: a run that has a row in doubt, or
 * has not ended, is never pruned; nor is one that has a row in common with a run that stays.
 */
import { errorOf, messageOf } from '../messages/text.ts';
import { type LogicalRow, type Resolution, takesAnswer } from './ledger.ts';
import { storedMessage, updates } from './schema.ts';
import type { Steps, Store } from './store.ts';

const notCreated = storedMessage(messageOf('resolved-not-created'));

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
  const stood = { phase: state, record: known } as Pick<LogicalRow, 'phase' | 'record'>;
  if (last !== attempt || !(isSaid || takesAnswer(stood, isCreated))) throw errorOf('not-in-doubt');
  const isUpdate = kind === updates;
  // The company of an update stays, unless a person named it.
  const isKept = isUpdate && known !== null && known !== before?.[0];
  if (isCreated) {
    yield {
      sql: `UPDATE rows SET state = 'committed', outcome = ?1, record = ?2, message = NULL, guard = coalesce(guard,
        (SELECT coalesce(max(l.guard), -1) + 1 FROM rows l WHERE l.content = rows.content AND l.guard IS NOT NULL)) WHERE id = ?3`,
      values: [isUpdate ? 'updated' : 'created', isKept ? known : record, id],
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

/** Ended, begun before `?1`, without a row in doubt, and in a service into which no load is running that may have read them. */
const settledRuns = `SELECT number FROM runs WHERE state = 'ended' AND started_at < ?1
  AND service NOT IN (SELECT service FROM runs WHERE state = 'running') AND NOT EXISTS (
  SELECT 1 FROM sheets s JOIN appearances a ON a.sheet = s.number JOIN rows r ON r.id = a.id
  WHERE s.run = runs.number AND r.state IN ('in-doubt', 'sending'))`;

/** A run that has a row in common with one that stays, stays as well: the row needs its places and its first run. */
function* runsToPrune(before: string): Steps<string> {
  let old = (yield { sql: settledRuns, values: [before] }).map(([run]) => Number(run));
  for (;;) {
    const all = [0, ...old].join();
    const stood = 'FROM appearances a JOIN sheets s ON s.number = a.sheet WHERE s.run';
    const sql = `SELECT DISTINCT s.run ${stood} IN (${all}) AND a.id IN (SELECT a.id ${stood} NOT IN (${all}))`;
    const shared = new Set((yield { sql }).map(([run]) => Number(run)));
    if (shared.size === 0) return all;
    old = old.filter((run) => !shared.has(run));
  }
}

const isForgotten = (table: string) => `NOT EXISTS (SELECT 1 FROM appearances a WHERE a.id = ${table}.id)`;

/** A row is deleted with the runs it appeared in. If it is imported again, it is sent again. */
export function* prune(before: string): Steps<{ readonly runs: number; readonly rows: number }> {
  // Otherwise a load could register a row while it is being deleted.
  yield { sql: 'LOCK TABLE appearances, rows IN SHARE ROW EXCLUSIVE MODE' };
  const old = yield* runsToPrune(before);
  yield { sql: `DELETE FROM appearances WHERE sheet IN (SELECT number FROM sheets WHERE run IN (${old}))` };
  yield { sql: `DELETE FROM digests WHERE ${isForgotten('digests')}` };
  yield { sql: `DELETE FROM resolutions WHERE ${isForgotten('resolutions')}` };
  const rows = yield { sql: `DELETE FROM rows WHERE ${isForgotten('rows')} RETURNING 1` };
  yield { sql: `DELETE FROM sheets WHERE run IN (${old})` };
  const runs = yield { sql: `DELETE FROM runs WHERE number IN (${old}) RETURNING 1` };
  return { runs: runs.length, rows: rows.length };
}
