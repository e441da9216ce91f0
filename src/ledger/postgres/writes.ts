/**
 * Writes logical rows of a team's ledger, many with one statement. Its one rule: each statement asks by itself whether it may still
 * be done, for another machine may have done something since the last one.
 */
import type { RowState } from '../../contract/row-state.ts';
import type { Message } from '../../messages/message.ts';
import type { Intent, Outcome, Registration, RowId, Standing } from '../ledger.ts';
import { committed, maySend } from '../row-writes.ts';
import { storedMessage, updates } from '../schema.ts';
import { rowsIn } from './rows.ts';

export interface Registered extends Registration {
  readonly sheetNumber: number;
}

const registered = rowsIn<Registered>(
  {
    sheet: ['int', ({ sheetNumber }) => sheetNumber],
    place: ['int', ({ row }) => row],
    kind: ['text', ({ kind }) => kind],
    known: ['int', ({ id }) => id],
    content: ['bytea', ({ digests }) => digests[0] ?? null],
    repeats: ['int', ({ repeats = null }) => repeats],
    has_ref: ['int', ({ hasRef = false }) => Number(hasRef)],
    by_ref: ['int', ({ isByRef = false }) => Number(isByRef)],
    state: ['text', ({ note }) => note?.state ?? null],
    message: ['text', ({ note }) => storedMessage(note?.message ?? null)],
    standing: ['text', ({ id, believed }) => (id === null ? (believed?.standing ?? null) : null)],
    record: ['text', ({ believed }) => believed?.record ?? null],
    company: ['text', ({ believed }) => believed?.company ?? null],
    url: ['text', ({ believed }) => believed?.url ?? null],
  },
  3,
);
const said = rowsIn<{ readonly entry: number; readonly digest: Buffer; readonly isFirst: boolean }>(
  {
    entry: ['int', ({ entry }) => entry],
    digest: ['bytea', ({ digest }) => digest],
    first: ['bool', ({ isFirst }) => isFirst],
  },
  17,
);

/** By the numbers of the service and the run; gives the ids of the rows in their order. */
export const register = `
  WITH q AS (SELECT * FROM ${registered.sql}),
  fresh AS (
    INSERT INTO rows (service, kind, state, outcome, attempt, attempts, content, guard, record, company, url, sheet, place, origin,
      repeats, has_ref)
    SELECT ?1, kind, coalesce(standing, 'open'), CASE standing WHEN 'committed' THEN 'already-loaded' ELSE standing END, 0, 0,
      content, CASE WHEN kind <> '${updates}' AND standing IS NOT NULL THEN
        (SELECT coalesce(max(l.guard), -1) FROM rows l WHERE l.content = q.content)
          + row_number() OVER (PARTITION BY content, standing IS NULL ORDER BY nr) END,
      record, company, url, sheet, place, ?2, repeats, has_ref
    FROM q WHERE known IS NULL ORDER BY nr RETURNING id, sheet, place),
  met AS (
    SELECT q.nr, q.sheet, q.place, q.by_ref, q.state, q.message, q.known IS NULL AS is_new, coalesce(f.id, r.id) AS id,
      coalesce(r.attempt, 0) AS attempt, f.id IS NOT NULL OR r.state = 'open' AS is_open
    FROM q LEFT JOIN fresh f ON q.known IS NULL AND f.sheet = q.sheet AND f.place = q.place LEFT JOIN rows r ON r.id = q.known),
  said AS (
    INSERT INTO digests (digest, id, ordinal)
    SELECT q.digest, met.id, CASE WHEN met.is_new AND q.first THEN 0 ELSE 1 END FROM ${said.sql}
    JOIN met ON met.nr = q.entry WHERE met.is_open ORDER BY q.nr ON CONFLICT DO NOTHING),
  stood AS (
    INSERT INTO appearances (sheet, place, id, attempt, by_ref, state, message)
    SELECT sheet, place, id, attempt, by_ref, state, message FROM met WHERE id IS NOT NULL
    ON CONFLICT (sheet, place) DO UPDATE SET state = excluded.state, message = excluded.message
      WHERE appearances.id = excluded.id)
  SELECT coalesce(met.id, q.known) FROM met JOIN q USING (nr) ORDER BY nr`;

export function valuesOfRegister(service: number, run: number, rows: readonly Registered[]): readonly unknown[] {
  const digests = rows.flatMap((row, at) =>
    row.digests.map((digest, nr) => ({ entry: at + 1, digest, isFirst: nr === 0 })),
  );
  return [service, run, ...registered.values(rows), ...said.values(digests)];
}

export interface Intended extends Intent {
  /** The number of its call: of one call all are written, or none. */
  readonly call: number;
  readonly sheetNumber: number;
  /** How many before it in its call say the same. */
  readonly before: number;
}

const intended = rowsIn<Intended>(
  {
    call: ['int', ({ call }) => call],
    id: ['int', ({ id }) => id],
    sheet: ['int', ({ sheetNumber }) => sheetNumber],
    place: ['int', ({ row }) => row],
    content: ['bytea', ({ content }) => content],
    fields: ['bytea', ({ fields }) => fields],
    equals: ['int', ({ equals }) => equals],
    earlier: ['int', ({ before }) => before],
  },
  3,
);

/**
 * By the service and its fence. Gives for each intent, in their order, whether the lease is held, whether the row may be sent, and
 * the attempt as which it was written.
 */
export const intend = `
  WITH lease AS (SELECT 1 FROM leases WHERE service = ?1 AND fence = ?2 FOR KEY SHARE),
  q AS (SELECT * FROM ${intended.sql}),
  locked AS (SELECT id, kind, state FROM rows WHERE id IN (SELECT id FROM q) ORDER BY id FOR UPDATE),
  judged AS (
    SELECT q.*, r.kind, live.top, EXISTS (SELECT 1 FROM lease) AS is_held,
      r.id IS NOT NULL AND ${maySend} AND (r.kind = '${updates}' OR live.count + q.earlier <= q.equals) AS may
    FROM q LEFT JOIN locked r ON r.id = q.id
    CROSS JOIN LATERAL (SELECT count(*), max(guard) AS top FROM rows l WHERE l.content = q.content AND guard IS NOT NULL) live),
  good AS (SELECT * FROM judged WHERE is_held AND call NOT IN (SELECT call FROM judged WHERE NOT may)),
  left_behind AS (
    UPDATE appearances a SET state = coalesce(r.outcome, 'not-sent'), http_status = r.http_status, message = r.message
    FROM good JOIN rows r ON r.id = good.id
    WHERE a.state IS NULL AND a.sheet = r.sheet AND a.place = r.place AND (r.sheet, r.place) <> (good.sheet, good.place)),
  sent AS (
    UPDATE rows r SET state = 'sending', outcome = NULL, attempt = r.attempt + 1, attempts = 0, content = good.content,
      fields = good.fields, guard = CASE WHEN r.kind <> '${updates}' THEN coalesce(good.top, -1) + 1 + good.earlier END,
      http_status = NULL, message = NULL, sheet = good.sheet, place = good.place
    FROM good WHERE r.id = good.id RETURNING r.id, r.sheet, r.place, r.attempt, r.content),
  stands AS (
    UPDATE appearances a SET attempt = sent.attempt, state = NULL, message = NULL
    FROM sent WHERE a.sheet = sent.sheet AND a.place = sent.place AND a.id = sent.id),
  said AS (INSERT INTO digests (digest, id, ordinal) SELECT content, id, 1 FROM sent ON CONFLICT DO NOTHING)
  SELECT judged.is_held, judged.may, sent.attempt FROM judged LEFT JOIN sent USING (id) ORDER BY judged.nr`;

export const valuesOfIntend = intended.values;

export interface Settled extends Outcome {
  readonly id: RowId;
  /** What is written in place of it where another row has its record. */
  readonly doubt: Message | null;
  /** The attempt of which it tells: of a row that went out once more since, nothing is written. */
  readonly attempt: number;
}

const standingAfter = (state: RowState): Standing =>
  committed.includes(state) ? 'committed' : state === 'in-doubt' ? 'in-doubt' : 'open';

const settled = rowsIn<Settled>({
  id: ['int', ({ id }) => id],
  attempt: ['int', ({ attempt }) => attempt],
  next: ['text', ({ state }) => standingAfter(state)],
  outcome: ['text', ({ state }) => state],
  attempts: ['int', ({ attempts }) => attempts],
  http_status: ['int', ({ httpStatus }) => httpStatus],
  record: ['text', ({ record }) => record],
  company: ['text', ({ company }) => company],
  url: ['text', ({ url }) => url],
  message: ['text', ({ message }) => storedMessage(message)],
  doubt: ['text', ({ doubt }) => storedMessage(doubt)],
});

/** Gives the ids of the rows that were under way, and whether another row has their record. */
export const settle = `
  WITH q AS (
    SELECT q.*, EXISTS (SELECT 1 FROM rows o JOIN rows r ON r.id = q.id WHERE o.service = r.service AND o.record = q.record
      AND o.kind = r.kind AND o.id <> r.id AND r.kind <> '${updates}') AS is_taken FROM ${settled.sql})
  UPDATE rows r SET state = CASE WHEN is_taken THEN 'in-doubt' ELSE q.next END,
    guard = CASE WHEN q.next <> 'open' THEN r.guard END, outcome = CASE WHEN is_taken THEN 'in-doubt' ELSE q.outcome END,
    attempts = r.attempts + q.attempts, http_status = q.http_status, record = CASE WHEN NOT is_taken THEN q.record END,
    company = CASE WHEN NOT is_taken THEN q.company END, url = CASE WHEN NOT is_taken THEN q.url END,
    message = CASE WHEN is_taken THEN q.doubt ELSE q.message END
  FROM q WHERE r.id = q.id AND r.attempt = q.attempt
    AND (r.state IN ('sending', 'in-doubt') OR (r.state = 'open' AND r.outcome = 'rejected' AND q.next = 'open'))
  RETURNING r.id, is_taken`;

export const valuesOfSettle = settled.values;

export interface Noted {
  readonly sheetNumber: number;
  readonly row: number;
  readonly state: RowState;
  readonly message: string | null;
}

const noted = rowsIn<Noted>({
  sheet: ['int', ({ sheetNumber }) => sheetNumber],
  place: ['int', ({ row }) => row],
  state: ['text', ({ state }) => state],
  message: ['text', ({ message }) => message],
});

export const note = `UPDATE appearances a SET state = q.state, message = q.message FROM ${noted.sql}
  WHERE a.sheet = q.sheet AND a.place = q.place`;

export const valuesOfNote = noted.values;
