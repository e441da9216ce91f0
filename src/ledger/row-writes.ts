/**
 * Writes logical rows, many with one statement. Its one rule: each statement checks the current state of a row itself. A committed
 * row stays committed, and the unique index over live rows has the last word on whether a row may be sent.
 */
import { type RowState, rowStates } from '../contract/row-state.ts';
import { messageOf } from '../messages/text.ts';
import type { Intent, Note, Outcome, Registration, RowId, RowPhase } from './ledger.ts';
import { storedMessage, updates } from './schema.ts';
import { aboutMany, type Statement, type Steps } from './store.ts';

export interface PlacedRow extends Registration {
  readonly sheetNumber: number;
}

interface Registered extends PlacedRow {
  readonly id: RowId;
  readonly isNew: boolean;
}

/** `?1` is the service, `?2` the run. */
const insertRows = aboutMany<PlacedRow>(
  `INSERT INTO rows (service, kind, state, outcome, attempt, attempts, content, guard, record, company, url, sheet, place, origin,
     repeats, ref)
   SELECT ?1, kind, coalesce(phase, 'open'), CASE phase WHEN 'committed' THEN 'already-loaded' ELSE phase END, 0, 0,
     content, CASE WHEN kind <> '${updates}' AND phase IS NOT NULL THEN
       (SELECT coalesce(max(l.guard), -1) FROM rows l WHERE l.content = q.content AND l.guard IS NOT NULL)
         + row_number() OVER (PARTITION BY content, phase IS NULL ORDER BY nr) END,
     record, company, url, sheet, place, ?2, repeats, ref
   FROM q ORDER BY nr RETURNING id`,
  {
    kind: ['text', ({ kind }) => kind],
    phase: ['text', ({ trusted }) => trusted?.phase ?? null],
    content: ['blob', ({ digests }) => digests[0] ?? null],
    record: ['text', ({ trusted }) => trusted?.record ?? null],
    company: ['text', ({ trusted }) => trusted?.company ?? null],
    url: ['text', ({ trusted }) => trusted?.url ?? null],
    sheet: ['int', ({ sheetNumber }) => sheetNumber],
    place: ['int', ({ row }) => row],
    repeats: ['int', ({ repeats = null }) => repeats],
    ref: ['blob', ({ ref = null }) => ref],
  },
);

const insertAppearances = aboutMany<Registered>(
  `INSERT INTO appearances (sheet, place, id, attempt, by_ref, state, message)
   SELECT q.sheet, q.place, r.id, r.attempt, q.by_ref, q.state, q.message FROM q JOIN rows r ON r.id = q.id WHERE true
   ON CONFLICT (sheet, place) DO UPDATE SET state = excluded.state, message = coalesce(excluded.message,
     CASE WHEN excluded.state IS NULL AND appearances.state IS NULL THEN appearances.message END)
     WHERE appearances.id = excluded.id`,
  {
    sheet: ['int', ({ sheetNumber }) => sheetNumber],
    place: ['int', ({ row }) => row],
    id: ['int', ({ id }) => id],
    by_ref: ['int', ({ isByRef = false }) => Number(isByRef)],
    state: ['text', ({ note }) => note?.state ?? null],
    message: ['text', ({ note }) => storedMessage(note?.message ?? null)],
  },
);

/** A committed or in-doubt row keeps the digests of what was sent, and of what it said since. Inserting in index order touches few pages. */
const addDigests = aboutMany<{ readonly row: Registered; readonly digest: string; readonly at: number }>(
  `INSERT INTO digests (digest, id, ordinal)
   SELECT q.digest, q.id, q.ordinal FROM q JOIN rows r ON r.id = q.id WHERE (q.is_new = 1 OR r.state = 'open') <> (q.is_since = 1)
   ORDER BY q.digest ON CONFLICT DO NOTHING`,
  {
    digest: ['blob', ({ digest }) => digest],
    id: ['int', ({ row }) => row.id],
    ordinal: ['int', ({ row, at }) => (row.isNew && at === 0 ? 0 : 1)],
    is_new: ['int', ({ row }) => Number(row.isNew)],
    is_since: ['int', ({ row, at }) => Number(at >= row.digests.length)],
  },
);

const setCorrects = aboutMany<Registered>(`UPDATE rows SET corrects = q.corrects FROM q WHERE rows.id = q.id`, {
  id: ['int', ({ id }) => id],
  corrects: ['int', ({ corrects = null }) => corrects],
});

const setRefs = aboutMany<Registered>(
  `UPDATE rows SET ref = q.ref FROM q WHERE rows.id = q.id AND rows.state = 'open' AND rows.ref IS DISTINCT FROM q.ref`,
  { id: ['int', ({ id }) => id], ref: ['blob', ({ ref = null }) => ref] },
);

/** New rows get ids in their order. Returns the ids of all rows. */
export function* register(placed: readonly PlacedRow[], service: number, run: number): Steps<readonly RowId[]> {
  const isUnknown = ({ id }: PlacedRow) => id === null;
  const fresh = (yield insertRows(placed.filter(isUnknown), service, run)).map(([id]) => Number(id));
  fresh.sort((one, other) => other - one);
  const rows = placed.map((row): Registered => ({ isNew: row.id === null, ...row, id: row.id ?? fresh.pop() ?? 0 }));
  const digests = rows.flatMap((row) =>
    [...row.digests, ...(row.since ?? [])].map((digest, at) => ({ row, digest, at })),
  );
  yield [
    insertAppearances(rows),
    setCorrects(rows.filter(({ corrects }) => corrects != null)),
    setRefs(rows.filter(({ isNew, ref }) => !isNew && ref !== undefined)),
    addDigests(digests),
  ];
  return rows.map(({ id }) => id);
}

export interface Intended extends Intent {
  readonly sheetNumber: number;
}

const placeColumns = {
  id: ['int', ({ id }) => id],
  sheet: ['int', ({ sheetNumber }) => sheetNumber],
  place: ['int', ({ row }) => row],
} satisfies Parameters<typeof aboutMany<Intended>>[1];
const intentColumns = {
  ...placeColumns,
  content: ['blob', ({ content }) => content],
  fields: ['blob', ({ fields }) => fields],
  equals: ['int', ({ equals }) => equals],
} satisfies Parameters<typeof aboutMany<Intended>>[1];

/** The asked rows, with how many earlier ones of their write have the same content. */
const withEarlier = ', n AS (SELECT q.*, row_number() OVER (PARTITION BY content ORDER BY nr) - 1 AS earlier FROM q)';
const live = 'FROM rows l WHERE l.content = n.content AND l.guard IS NOT NULL';
/** `?1` is the service, `?2` the fence of the load: while no other load has taken the service. */
export const heldBy = 'SELECT 1 FROM leases WHERE service = ?1 AND fence = ?2';
/** An update in doubt may be sent again, because sending it twice has the same effect as sending it once. */
const maySend = (
  row: string,
) => `EXISTS (${heldBy}) AND (CASE ${row}.kind WHEN '${updates}' THEN ${row}.state IN ('open', 'in-doubt')
  ELSE ${row}.state = 'open' AND (SELECT count(*) ${live}) + n.earlier <= n.equals END)`;
/** Before a row is sent from another place, keeps the outcome of its last attempt in the results of the run that sent it. */
const keepEarlierOutcomes = aboutMany<Intended>(
  `${withEarlier} UPDATE appearances SET state = coalesce(r.outcome, 'not-sent'), message = r.message
   FROM n JOIN rows r ON r.id = n.id
   WHERE appearances.state IS NULL AND appearances.sheet = r.sheet AND appearances.place = r.place
     AND r.attempt > 0 AND (r.sheet, r.place) <> (n.sheet, n.place) AND ${maySend('r')}`,
  intentColumns,
);
const startAttempts = aboutMany<Intended>(
  `${withEarlier} UPDATE rows SET state = 'sending', outcome = NULL, attempt = rows.attempt + 1, attempts = 0, content = n.content,
     fields = n.fields, guard = CASE WHEN rows.kind <> '${updates}' THEN (SELECT coalesce(max(l.guard), -1) ${live}) + 1 + n.earlier END,
     message = NULL, sheet = n.sheet, place = n.place
   FROM n WHERE rows.id = n.id AND ${maySend('rows')} RETURNING rows.id, rows.attempt`,
  intentColumns,
);
const setAttempts = aboutMany<Intended>(
  `UPDATE appearances SET attempt = r.attempt, state = NULL,
     message = CASE WHEN appearances.state IS NULL THEN appearances.message END FROM q JOIN rows r ON r.id = q.id
   WHERE r.state = 'sending' AND r.sheet = q.sheet AND r.place = q.place AND appearances.sheet = q.sheet
     AND appearances.place = q.place AND appearances.id = q.id AND appearances.attempt < r.attempt`,
  placeColumns,
);
const addSentDigests = aboutMany<Intended>(
  `INSERT INTO digests (digest, id, ordinal) SELECT q.content, q.id, 1 FROM q JOIN rows r ON r.id = q.id
   WHERE r.state = 'sending' AND r.content = q.content ON CONFLICT DO NOTHING`,
  intentColumns,
);

/** Locks the rows so that none changes between the check and the write. */
const lockRows = aboutMany<Intended>(
  'SELECT id FROM rows WHERE id IN (SELECT id FROM q) ORDER BY id FOR UPDATE',
  intentColumns,
);

/** Statements in their order, and the one of them that reads what was written. */
interface Writes {
  readonly main: Statement;
  readonly all: readonly Statement[];
}

export function intend(rows: readonly Intended[], service: number, fence: number): Writes {
  const main = startAttempts(rows, service, fence);
  const common = [main, setAttempts(rows)];
  if (rows.every(({ isFirst }) => isFirst)) return { main, all: common };
  return { main, all: [lockRows(rows), keepEarlierOutcomes(rows, service, fence), ...common, addSentDigests(rows)] };
}

export interface AttemptOutcome extends Outcome {
  readonly id: RowId;
  /** The attempt of the outcome. If the row was sent again since, nothing is written. */
  readonly attempt: number;
}

const phaseAfter = (state: RowState): RowPhase =>
  rowStates[state].isIn ? 'committed' : state === 'in-doubt' ? 'in-doubt' : 'open';
const idGivenTwice = (record: string | null) =>
  record === null ? null : storedMessage(messageOf('id-given-twice', { id: record }));

/** Writes outcomes and reads back the record of each row. If another row already has the record, this row gets none and is in doubt. */
const writeOutcomes = aboutMany<AttemptOutcome>(
  `, n AS MATERIALIZED (
     SELECT q.*, q.record IS NOT NULL AND r.kind <> '${updates}' AND (
       row_number() OVER (PARTITION BY r.kind, q.record ORDER BY nr) > 1 OR EXISTS (
         SELECT 1 FROM rows o WHERE o.service = r.service AND o.record = q.record AND o.kind = r.kind AND o.id <> r.id)) AS is_taken
     FROM q JOIN rows r ON r.id = q.id)
   UPDATE rows SET state = CASE WHEN is_taken THEN 'in-doubt' ELSE next END,
     outcome = CASE WHEN is_taken THEN 'in-doubt' ELSE n.outcome END, attempts = rows.attempts + n.attempts,
     record = CASE WHEN NOT is_taken THEN n.record END, company = CASE WHEN NOT is_taken THEN n.company END,
     url = CASE WHEN NOT is_taken THEN n.url END, message = CASE WHEN is_taken THEN doubt ELSE n.message END
   FROM n WHERE rows.id = n.id AND rows.attempt = n.attempt AND rows.state IN ('sending', 'in-doubt')
   RETURNING rows.id, rows.record`,
  {
    id: ['int', ({ id }) => id],
    attempt: ['int', ({ attempt }) => attempt],
    next: ['text', ({ state }) => phaseAfter(state)],
    outcome: ['text', ({ state }) => state],
    attempts: ['int', ({ attempts }) => attempts],
    record: ['text', ({ record }) => record],
    company: ['text', ({ company }) => company],
    url: ['text', ({ url }) => url],
    message: ['text', ({ message }) => storedMessage(message)],
    doubt: ['text', ({ record }) => idGivenTwice(record)],
  },
);

const clearGuards = aboutMany<AttemptOutcome>(
  `UPDATE rows SET guard = NULL FROM q WHERE rows.id = q.id AND rows.attempt = q.attempt AND rows.state = 'open'`,
  { id: ['int', ({ id }) => id], attempt: ['int', ({ attempt }) => attempt] },
);

/** Guards are cleared in a statement of their own: setting the column rewrites its index for each row. */
export function recordOutcomes(rows: readonly AttemptOutcome[]): Writes {
  const main = writeOutcomes(rows);
  return { main, all: [main, clearGuards(rows.filter(({ state }) => phaseAfter(state) === 'open'))] };
}

export interface Noted extends Note {
  readonly sheetNumber: number;
}

export const setNotes = aboutMany<Noted>(
  `UPDATE appearances SET state = q.state, message = q.message FROM q
   WHERE appearances.sheet = q.sheet AND appearances.place = q.place`,
  {
    sheet: ['int', ({ sheetNumber }) => sheetNumber],
    place: ['int', ({ row }) => row],
    state: ['text', ({ state }) => state],
    message: ['text', ({ message }) => storedMessage(message)],
  },
);
