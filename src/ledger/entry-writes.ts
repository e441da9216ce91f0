/**
 * Writes entries, within a transaction that is open.
 * Its one rule: an entry goes from state to state only by the ways that are written here; what is in stays in, and the
 * unique index over live entries has the last word on whether a row may be sent.
 */
import type { Database, Statement } from '../disk/database.ts';
import type { Catalogue, RunNumbers } from './catalogue.ts';
import type { EntryReads } from './entry-reads.ts';
import { isIn, wentIn } from './entry-state.ts';
import { isUpdate, updates } from './guarding.ts';
import { type IntentRefusal, IntentRefused } from './intent-refused.ts';
import type { EarlierEntry, Intent, KnownRow, RowPosition, Settlement } from './ledger.ts';
import { isUniqueViolation } from './ledger-errors.ts';
import { storedMessage } from './stored-message.ts';

/** Whether an entry may be sent: it is not on its way, not in, and not in doubt, unless it is an update (the same values). */
const mayBeSent = `(state IN ('not-sent', 'waiting', 'failed', 'rejected', 'already-loaded', 'unchanged')
  OR (state = 'in-doubt' AND kind = '${updates}'))`;

/** Whether an entry was not sent by its own run; a doubt without a guard is that of an earlier run, noted here. */
const wasNotSent = `(state IN ('not-sent', 'waiting', 'failed', 'rejected', 'already-loaded', 'unchanged')
  OR (state = 'in-doubt' AND guard IS NULL AND kind <> '${updates}'))`;

const notKept = 'Not sent: the ledger could not be written.';

/** The guard of the first live entry of a fingerprint. */
const firstGuard = 0;

export class EntryWrites {
  readonly #catalogue: Catalogue;
  readonly #reads: EntryReads;
  readonly #intend: Statement;
  readonly #takeBack: Statement;
  readonly #settleLive: Statement;
  readonly #settle: Statement;
  readonly #record: Statement;
  readonly #isSendable: Statement;
  readonly #highestGuard: Statement;
  readonly #noteRepeat: Statement;
  readonly #noteSuccessor: Statement;

  constructor(db: Database, catalogue: Catalogue, reads: EntryReads) {
    this.#catalogue = catalogue;
    this.#reads = reads;
    this.#intend = db.prepare(
      `INSERT INTO entries (sheet, row, service, kind, fingerprint, shown, ref, guard, state, earlier_attempts, attempts)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'sending', 0, 0)
       ON CONFLICT (sheet, row) DO UPDATE SET
         kind = excluded.kind, fingerprint = excluded.fingerprint, shown = excluded.shown, ref = excluded.ref,
         guard = excluded.guard,
         state = 'sending', earlier_attempts = attempts,
         http_status = NULL, id = NULL, company_id = NULL, url = NULL, message = NULL
       WHERE ${mayBeSent}`,
    );
    this.#takeBack = db.prepare(
      `UPDATE entries SET state = 'not-sent', guard = NULL, message = ?
       WHERE sheet = ? AND row = ? AND state = 'sending' AND kind <> '${updates}'`,
    );
    const outcome = 'attempts = earlier_attempts + ?, http_status = ?, id = ?, company_id = ?, url = ?, message = ?';
    this.#settleLive = db.prepare(
      `UPDATE entries SET state = ?, ${outcome} WHERE sheet = ? AND row = ? AND state IN ('sending', 'in-doubt')`,
    );
    this.#settle = db.prepare(
      `UPDATE entries SET state = ?, guard = NULL, ${outcome}
       WHERE sheet = ? AND row = ? AND state IN ('sending', 'in-doubt', 'rejected', 'failed', 'not-sent')`,
    );
    this.#record = db.prepare(
      `INSERT INTO entries (sheet, row, service, kind, fingerprint, shown, ref, state, earlier_attempts, attempts, http_status,
         id, company_id, url, message)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (sheet, row) DO UPDATE SET
         kind = excluded.kind, fingerprint = excluded.fingerprint, shown = excluded.shown, ref = excluded.ref,
         state = excluded.state,
         attempts = attempts + excluded.attempts, http_status = excluded.http_status,
         id = excluded.id, company_id = excluded.company_id, url = excluded.url, message = excluded.message
       WHERE ${wasNotSent}`,
    );
    this.#isSendable = db.prepare(`SELECT ${mayBeSent} FROM entries WHERE sheet = ? AND row = ?`).raw();
    this.#noteSuccessor = db.prepare(
      `INSERT INTO successors (sheet, row, next_sheet, next_row) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET next_sheet = excluded.next_sheet, next_row = excluded.next_row`,
    );
    this.#noteRepeat = db.prepare(
      `INSERT INTO repeats (service, fingerprint, occurrences) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET occurrences = max(occurrences, excluded.occurrences)`,
    );
    this.#highestGuard = db
      .prepare('SELECT max(guard) FROM entries WHERE service = ? AND fingerprint = ? AND guard IS NOT NULL')
      .raw();
  }

  /** Writes that rows are about to be sent: all of them, or none when one of them must not be. */
  intend(run: RunNumbers, intents: readonly Intent[], again: boolean): Error | null {
    const [only] = intents;
    if (intents.length === 1 && only !== undefined && !again && this.#insert(run, only, firstGuard)) return null;
    return this.#intendWithCare(run, intents, again);
  }

  /**
   * Writes that rows which were intended were not sent after all. An update stays as it is: an earlier sending of it may have
   * been applied, and a resume repeats it anyway.
   */
  takeBack({ run }: RunNumbers, intents: readonly Intent[]): void {
    for (const { sheet, row } of intents) this.#takeBack.run([notKept, this.#catalogue.ensureSheet(run, sheet), row]);
  }

  /** Writes outcomes: all that can be, for what came back must not be lost. Names the rows that are not under way. */
  settle(run: RunNumbers, settlements: readonly Settlement[]): Error | null {
    const strays = settlements.filter((settlement) => !this.#settleOne(run, settlement));
    return strays.length === 0
      ? null
      : new Error(`No outcome was written for rows that are not under way: ${placesOf(strays)}.`);
  }

  /** Writes what became of rows that were not sent. Names those that were: their entries stay. */
  record(run: RunNumbers, entries: readonly (KnownRow & Settlement)[]): Error | null {
    const strays = entries.filter((entry) => !this.#recordOne(run, entry));
    return strays.length === 0
      ? null
      : new Error(`Rows that were sent cannot be noted as not sent: ${placesOf(strays)}.`);
  }

  comeBack({ run }: RunNumbers, rows: readonly Pick<KnownRow, 'sheet' | 'row' | 'supersedes'>[]): null {
    for (const row of rows) this.#follow(this.#catalogue.ensureSheet(run, row.sheet), row);
    return null;
  }

  /** `false` when the entry of this row, or a live one of the same fingerprint, is in the way. */
  #insert({ run, service }: RunNumbers, intent: Intent, guard: number): boolean {
    const { sheet, row, kind, fingerprint, shown, ref, repeats } = intent;
    const sheetNumber = this.#catalogue.ensureSheet(run, sheet);
    try {
      const guarded = isUpdate(kind) ? null : guard;
      if (this.#intend.run([sheetNumber, row, service, kind, fingerprint, shown, ref, guarded]).changes !== 1)
        return false;
      if (repeats !== null) this.#noteRepeat.run([service, repeats.fingerprint, repeats.occurrence]);
      this.#follow(sheetNumber, intent);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  #intendWithCare(run: RunNumbers, intents: readonly Intent[], again: boolean): Error | null {
    const refusals: IntentRefusal[] = [];
    const guards: number[] = [];
    const inThisCall = new Map<string, Intent>();
    for (const intent of intents) {
      const { sheet, row, kind, fingerprint } = intent;
      const digest = fingerprint.toString('hex');
      const twin = isUpdate(kind) ? undefined : inThisCall.get(digest);
      if (twin !== undefined)
        return new Error(`Two rows of one call have the same fingerprint: ${placesOf([twin, intent])}.`);
      inThisCall.set(digest, intent);
      const entry = this.#inTheWay(run, intent, again);
      if (entry !== null) refusals.push({ position: { sheet, row }, entry });
      else guards.push(this.#nextGuard(run.service, fingerprint));
    }
    if (refusals.length > 0) return new IntentRefused(refusals);
    intents.forEach((intent, index) => {
      if (this.#insert(run, intent, guards[index] ?? firstGuard)) return;
      throw new Error(`The entry of ${placesOf([intent])} could not be written.`);
    });
    return null;
  }

  #inTheWay({ run, service }: RunNumbers, intent: Intent, again: boolean): EarlierEntry | null {
    const sheet = this.#catalogue.ensureSheet(run, intent.sheet);
    const own = this.#isSendable.get([sheet, intent.row]) as [number] | undefined;
    if (own !== undefined && own[0] === 0) return this.#reads.at(sheet, intent.row);
    if (isUpdate(intent.kind)) return null;
    const live = this.#reads.live(service, intent.fingerprint);
    return live !== null && again && isIn(live.state) ? null : live;
  }

  /** Guards of a fingerprint count up without a gap, and only the highest may belong to an entry that is not settled. */
  #nextGuard(service: number, fingerprint: Buffer): number {
    const [highest] = this.#highestGuard.get([service, fingerprint]) as [number | null];
    return highest === null ? firstGuard : highest + 1;
  }

  /** A row that is taken up again in its own run, by a resume, does not come after itself. */
  #follow(sheet: number, { row, supersedes }: Pick<KnownRow, 'row' | 'supersedes'>): void {
    const earlierRun = supersedes === null ? null : this.#catalogue.run(supersedes.run);
    if (supersedes === null || earlierRun === null) return;
    const earlierSheet = this.#catalogue.ensureSheet(earlierRun.run, supersedes.sheet);
    if (earlierSheet === sheet && supersedes.row === row) return;
    this.#noteSuccessor.run([earlierSheet, supersedes.row, sheet, row]);
  }

  #settleOne({ run }: RunNumbers, settlement: Settlement): boolean {
    const { sheet, row, state, attempts, httpStatus, id, companyId, url, message } = settlement;
    const sheetNumber = this.#catalogue.sheet(run, sheet);
    if (sheetNumber === null) return false;
    const isLive = wentIn(state) || state === 'in-doubt';
    const statement = isLive ? this.#settleLive : this.#settle;
    const texts = [storable(id), storable(companyId), storable(url), storable(storedMessage(message))];
    return statement.run([state, attempts, httpStatus, ...texts, sheetNumber, row]).changes === 1;
  }

  #recordOne({ run, service }: RunNumbers, entry: KnownRow & Settlement): boolean {
    const { sheet, row, kind, fingerprint, shown, ref, state, attempts, httpStatus, id, companyId, url, message } =
      entry;
    if (wentIn(state)) return false;
    const sheetNumber = this.#catalogue.ensureSheet(run, sheet);
    const texts = [storable(id), storable(companyId), storable(url), storable(storedMessage(message))];
    const values = [sheetNumber, row, service, kind, fingerprint, shown, ref, state, attempts, httpStatus, ...texts];
    if (this.#record.run(values).changes !== 1) return false;
    this.#follow(sheetNumber, entry);
    return true;
  }
}

/** The database's driver ends a text at its first NUL; a service may well send one. */
function storable(text: string | null): string | null {
  return text?.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

function placesOf(positions: readonly RowPosition[]): string {
  return positions.map(({ sheet, row }) => `${sheet} row ${row}`).join(', ');
}
