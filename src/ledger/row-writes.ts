/**
 * Writes logical rows, within a transaction that is open. Its one rule: a row goes from state to state only by the ways that are
 * written here; what is committed stays so, and the unique index over live rows has the last word on whether one may be sent.
 */

import type { RowState } from '../contract/row-state.ts';
import type { Database, SqlValue, Statement } from '../disk/database.ts';
import { DealsheetError } from '../errors.ts';
import { serviceMessage } from '../messages/service.ts';
import type { Believed, Intent, Note, Outcome, Registration, Resolution, RowId, Standing } from './ledger.ts';
import type { BegunRun } from './run-records.ts';
import { storedMessage, updates } from './schema.ts';

export const committed: readonly RowState[] = ['created', 'updated', 'accepted'];

/** An update that is in doubt may go out again: it says the same a second time. */
export const maySend = `(state = 'open' OR (state = 'in-doubt' AND kind = '${updates}'))`;

type SheetNumber = (name: string) => number;

export class RowWrites {
  readonly #statements;

  constructor(db: Database) {
    this.#statements = {
      add: db.prepare(
        `INSERT INTO rows (service, kind, state, attempt, attempts, content, sheet, place, origin, repeats, has_ref)
         VALUES (?, ?, 'open', 0, 0, ?, ?, ?, ?, ?, ?)`,
      ),
      state: db.prepare('SELECT state FROM rows WHERE id = ?').raw(),
      maySend: db.prepare(`SELECT ${maySend}, kind FROM rows WHERE id = ?`).raw(),
      digest: db.prepare('INSERT OR IGNORE INTO digests (digest, id, ordinal) VALUES (?, ?, ?)'),
      appear: db.prepare(
        `INSERT INTO appearances (sheet, place, id, attempt, by_ref, state, message)
         SELECT ?, ?, id, attempt, ?, ?, ? FROM rows WHERE id = ?
         ON CONFLICT DO UPDATE SET state = excluded.state, message = excluded.message WHERE id = excluded.id`,
      ),
      live: db.prepare('SELECT count(*), max(guard) FROM rows WHERE content = ? AND guard IS NOT NULL').raw(),
      leaveBehind: db.prepare(
        `UPDATE appearances SET (state, http_status, message) =
           (SELECT coalesce(r.outcome, 'not-sent'), r.http_status, r.message FROM rows r WHERE r.id = appearances.id)
         WHERE state IS NULL AND (sheet, place) = (SELECT sheet, place FROM rows WHERE id = ?)`,
      ),
      send: db.prepare(
        `UPDATE rows SET state = 'sending', outcome = NULL, attempt = attempt + 1, attempts = 0, content = ?, fields = ?, guard = ?,
           http_status = NULL, message = NULL, sheet = ?, place = ? WHERE id = ? AND ${maySend}`,
      ),
      appearSent: db.prepare(
        `UPDATE appearances SET attempt = (SELECT attempt FROM rows WHERE id = appearances.id), state = NULL, message = NULL
         WHERE sheet = ? AND place = ? AND id = ?`,
      ),
      settle: db.prepare(
        `UPDATE rows SET state = ?1, guard = CASE WHEN ?2 THEN guard END, outcome = ?3, attempts = attempts + ?4,
           http_status = ?5, record = ?6, company = ?7, url = ?8, message = ?9
         WHERE id = ?10 AND (state IN ('sending', 'in-doubt') OR (state = 'open' AND outcome = 'rejected' AND NOT ?2))`,
      ),
      taken: db
        .prepare(
          `SELECT 1 FROM rows o JOIN rows r ON r.id = ?1 WHERE o.service = r.service AND o.record = ?2 AND o.kind = r.kind
             AND o.id <> r.id AND r.kind <> '${updates}' LIMIT 1`,
        )
        .raw(),
      believe: db.prepare(
        `UPDATE rows SET state = ?, outcome = ?, record = ?, company = ?, url = ?, guard = CASE WHEN kind <> '${updates}' THEN
           (SELECT coalesce(max(l.guard), -1) + 1 FROM rows l WHERE l.content = rows.content) END WHERE id = ?`,
      ),
      note: db.prepare('UPDATE appearances SET state = ?, message = ? WHERE sheet = ? AND place = ?'),
      takeBack: db.prepare(
        `UPDATE rows SET state = 'open', outcome = 'not-sent', guard = NULL WHERE id = ? AND state = 'sending' AND kind <> '${updates}'`,
      ),
    } satisfies Record<string, Statement>;
  }

  register({ service, run }: BegunRun, sheetOf: SheetNumber, rows: readonly Registration[]): readonly RowId[] {
    const { add, state, digest, appear } = this.#statements;
    return rows.map(
      ({
        sheet,
        row,
        kind,
        id: known,
        digests,
        note,
        isByRef = false,
        repeats = null,
        hasRef = false,
        believed = null,
      }) => {
        const sheetNumber = sheetOf(sheet);
        const [first = null] = digests;
        const id =
          known ??
          Number(add.run([service, kind, first, sheetNumber, row, run, repeats, Number(hasRef)]).lastInsertRowid);
        // What a row says that is in, or may be, is not what went out for it.
        const isOpen = known === null || (state.get([id]) as [Standing] | undefined)?.[0] === 'open';
        if (believed !== null && known === null) this.#believe(id, believed);
        if (isOpen) digests.forEach((one, at) => void digest.run([one, id, known === null && at === 0 ? 0 : 1]));
        appear.run([sheetNumber, row, Number(isByRef), note?.state ?? null, storedMessage(note?.message ?? null), id]);
        return id;
      },
    );
  }

  #believe(id: RowId, { standing, record, company, url }: Believed): void {
    const outcome: RowState = standing === 'committed' ? 'already-loaded' : 'in-doubt';
    this.#statements.believe.run([standing, outcome, record, company, url, id]);
  }

  /** Writes that rows are about to be sent: all of them, or none. Gives those that must not be. */
  intend(sheetOf: SheetNumber, intents: readonly Intent[]): readonly Intent[] {
    const inThisCall = new Map<string, number>();
    const refused = intents.filter((intent) => {
      const content = intent.content.toString('hex');
      const before = inThisCall.get(content) ?? 0;
      inThisCall.set(content, before + 1);
      return !this.#mayBeSent(intent, before);
    });
    if (refused.length === 0) for (const intent of intents) this.#send(intent, sheetOf(intent.sheet));
    return refused;
  }

  #mayBeSent({ id, content, equals }: Intent, before: number): boolean {
    const [may, kind] = (this.#statements.maySend.get([id]) as [number, string] | undefined) ?? [0, ''];
    if (may === 0) return false;
    const [live] = this.#statements.live.get([content]) as [number, number | null];
    return kind === updates || live + before <= equals;
  }

  #send({ id, content, fields, row }: Intent, sheet: number): void {
    const { maySend, live, leaveBehind, send, appearSent, digest } = this.#statements;
    const [, kind] = maySend.get([id]) as [number, string];
    const [, highest] = live.get([content]) as [number, number | null];
    leaveBehind.run([id]);
    const guard = kind === updates ? null : (highest ?? -1) + 1;
    if (send.run([content, fields, guard, sheet, row, id]).changes !== 1)
      throw new Error(`The intent of row ${id} was not written.`);
    appearSent.run([sheet, row, id]);
    digest.run([content, id, 1]);
  }

  takeBack(intents: readonly Intent[]): void {
    for (const { id } of intents) this.#statements.takeBack.run([id]);
  }

  /**
   * Writes all outcomes that can be, for what came back must not be lost. Gives the rows that were not under way, and those whose
   * record another row has.
   */
  settle(outcomes: readonly (Outcome & { readonly id: RowId })[]) {
    const isTaken = ({ id, record }: (typeof outcomes)[number]) =>
      record !== null && this.#statements.taken.get([id, record]) !== undefined;
    const taken = outcomes.filter(isTaken).map(({ id }) => id);
    const strays = outcomes.filter((one) => !this.#settleOne(one.id, taken.includes(one.id) ? givenTwice(one) : one));
    return { taken, strays: strays.map(({ id }) => id) };
  }

  #settleOne(id: RowId, { state, attempts, httpStatus, record, company, url, message }: Outcome): boolean {
    const next: Standing = committed.includes(state) ? 'committed' : state === 'in-doubt' ? 'in-doubt' : 'open';
    const isLive = next === 'open' ? 0 : 1;
    const values = [next, isLive, state, attempts, httpStatus, record, company, url, storedMessage(message), id];
    return this.#statements.settle.run(values).changes === 1;
  }

  note(sheetOf: SheetNumber, notes: readonly Note[]): void {
    for (const { sheet, row, state, message } of notes)
      this.#statements.note.run([state, storedMessage(message), sheetOf(sheet), row]);
  }
}

/** What a person says of a row, in every ledger, by values in the order of their numbers. */
export const resolving = {
  find: 'SELECT state, attempt, kind, record FROM rows WHERE id = ?1',
  said: 'SELECT created FROM resolutions WHERE id = ?1 AND attempt = ?2 ORDER BY number DESC LIMIT 1',
  created: `UPDATE rows SET state = 'committed', outcome = ?1, record = ?2, guard = coalesce(guard,
      (SELECT coalesce(max(l.guard), -1) + 1 FROM rows l WHERE l.content = rows.content)) WHERE id = ?3`,
  notCreated: `UPDATE rows SET state = 'open', outcome = NULL, record = NULL, guard = NULL WHERE id = ?1`,
  // What another resolution has written before has no message.
  met: `UPDATE appearances SET state = ?1, message = NULL
    WHERE id = ?2 AND (state = 'in-doubt' OR (message IS NULL AND state IN ('already-loaded', 'not-sent')))`,
  write: 'INSERT INTO resolutions (id, attempt, created, person, resolved_at) VALUES (?1, ?2, ?3, ?4, ?5)',
} as const;

/** What is written of a row to which the service gave the record of another row. */
export function givenTwice<Given extends Outcome>(outcome: Given): Given {
  const message = serviceMessage('id-given-twice', { id: outcome.record ?? '' });
  return { ...outcome, state: 'in-doubt', record: null, company: null, url: null, message };
}

export class Resolutions {
  readonly #find: Statement;
  readonly #said: Statement;
  readonly #created: Statement;
  readonly #notCreated: Statement;
  readonly #met: Statement;
  readonly #write: Statement;

  constructor(db: Database) {
    this.#find = db.prepare(resolving.find).raw();
    this.#said = db.prepare(resolving.said).raw();
    this.#created = db.prepare(resolving.created);
    this.#notCreated = db.prepare(resolving.notCreated);
    this.#met = db.prepare(resolving.met);
    this.#write = db.prepare(resolving.write);
  }

  /** `false` for a row about which there is nothing to resolve. What a person said before may be taken back, until it is sent again. */
  resolve({ id, attempt, isCreated, record: given, person }: Resolution, now: string): boolean {
    const found = this.#find.get([id]) as SqlValue[] | undefined;
    const said = this.#said.get([id, attempt]) as SqlValue[] | undefined;
    if (found === undefined || !mayBeResolved(found, said, attempt)) return false;
    const [, , kind, record = null] = found;
    if (isCreated) this.#created.run([kind === updates ? 'updated' : 'created', kind === updates ? record : given, id]);
    else this.#notCreated.run([id]);
    this.#met.run([isCreated ? 'already-loaded' : 'not-sent', id]);
    this.#write.run([id, attempt, isCreated ? (given ?? '') : null, person, now]);
    return true;
  }
}

/**
 * @param found  what {@link resolving.find} reads
 * @param said  what {@link resolving.said} reads
 */
export function mayBeResolved(found: readonly unknown[] = [], said: readonly unknown[] | undefined, attempt: number) {
  const [state, last] = found;
  if (last !== attempt) return false;
  return state === 'in-doubt' || (said !== undefined && state === (said[0] === null ? 'open' : 'committed'));
}

export function notUnderWay(rows: readonly RowId[]): Error {
  return new Error(`No outcome was written for rows that are not under way: ${rows}.`);
}

export function noDoubtAnyMore(): DealsheetError {
  return new DealsheetError(
    'usage',
    'The row is not in doubt any more.',
    'dealsheet runs RUN lists the rows in doubt.',
  );
}
