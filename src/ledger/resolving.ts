/** What a person says of a row in doubt. What was said before may be taken back, until the row is sent again. */
import { DealsheetError } from '../errors.ts';
import type { Resolution } from './ledger.ts';
import { updates } from './schema.ts';
import type { Steps, Store } from './store.ts';

/** @throws DealsheetError `usage` for a row about which there is nothing to resolve */
export function* resolve(
  { id, attempt, isCreated, record, person }: Resolution,
  now: string,
  stillUnderWay: Store['stillUnderWay'],
): Steps<void> {
  const [found] = yield { sql: 'SELECT state, attempt, kind, record FROM rows WHERE id = ?1 FOR UPDATE', values: [id] };
  const [said] = yield {
    sql: 'SELECT created FROM resolutions WHERE id = ?1 AND attempt = ?2 ORDER BY number DESC LIMIT 1',
    values: [id, attempt],
  };
  const [state, last, kind, known] = found ?? [];
  const isSaid = said !== undefined && state === (said[0] === null ? 'open' : 'committed');
  if (last !== attempt || !(state === 'in-doubt' || isSaid)) throw noDoubtAnyMore();
  const isUpdate = kind === updates;
  if (isCreated) {
    yield {
      sql: `UPDATE rows SET state = 'committed', outcome = ?1, record = ?2, guard = coalesce(guard,
        (SELECT coalesce(max(l.guard), -1) + 1 FROM rows l WHERE l.content = rows.content AND l.guard IS NOT NULL)) WHERE id = ?3`,
      values: [isUpdate ? 'updated' : 'created', isUpdate ? known : record, id],
    };
  } else {
    const [[seconds] = []] = stillUnderWay === null ? [] : yield stillUnderWay(id);
    if (seconds !== undefined) throw tooEarly(Number(seconds));
    yield {
      sql: `UPDATE rows SET state = 'open', outcome = NULL, record = NULL, guard = NULL WHERE id = ?1`,
      values: [id],
    };
  }
  // What another resolution has written before has no message.
  yield {
    sql: `UPDATE appearances SET state = ?1, message = NULL
      WHERE id = ?2 AND (state = 'in-doubt' OR (message IS NULL AND state IN ('already-loaded', 'not-sent')))`,
    values: [isCreated ? 'already-loaded' : 'not-sent', id],
  };
  yield {
    sql: 'INSERT INTO resolutions (id, attempt, created, person, resolved_at) VALUES (?1, ?2, ?3, ?4, ?5)',
    values: [id, attempt, isCreated ? (record ?? '') : null, person, now],
  };
}

function noDoubtAnyMore(): DealsheetError {
  return new DealsheetError(
    'usage',
    'The row is not in doubt any more.',
    'dealsheet runs RUN lists the rows in doubt.',
  );
}

function tooEarly(seconds: number): DealsheetError {
  return new DealsheetError(
    'usage',
    `The load of this row was cut off, and its request may still arrive at the service for ${seconds} s.`,
    'Look the row up in the service after that time, then say again that it was not created.',
  );
}
