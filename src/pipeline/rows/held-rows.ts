/**
 * A results sheet as the next input: what its own columns say of each row. A row that is in, or may be, is held back, and
 * where sheet and ledger disagree, the safer word counts.
 */
import { oneOf, type RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { type RowState, rowStates } from '../../contract/row-state.ts';
import { isKnownIn, isUnknown } from '../../ledger/entry-state.ts';
import { type Entry, isSameRow, type Ledger, type RunRow } from '../../ledger/ledger.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { isRewritten } from '../../mapping/spreadsheet-rewriting.ts';
import { type Message, withAlso } from '../../messages/message.ts';
import { rowMessage } from '../../messages/rows.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { unknownRow, unknownRun } from './held-row-sentences.ts';
import { type OwnColumns, ownColumnsOf } from './own-columns.ts';
import { toSettle } from './row-note.ts';
import { keyOf, lostKey, placeOf } from './row-place.ts';
import { faultOfAnswer, notCreatedMark, type TypedId } from './typed-ids.ts';

/** A row that stays as it is. */
export interface HeldRow {
  readonly state: 'already-loaded' | 'unchanged' | 'in-doubt';
  readonly id: string | null;
  readonly companyId: string | null;
  readonly url: string | null;
  readonly message: Message;
  /** Of a row that says what its export said: when that was, where it is known; else `null`. */
  readonly exportedAt: string | null;
  /** A doubt that the person settled in the ID cell: written into the ledger when the load begins. */
  readonly settles: { readonly row: RunRow; readonly created: string } | null;
}

/** A row as it stood in the last run of this service that it was in. */
export interface EarlierRow {
  readonly row: RunRow;
  /** What made it itself then, or `null` when it has no entry. */
  readonly fingerprint: Buffer | null;
  /** The same of what a results sheet shows of it; `null` too when it had nothing to hide. */
  readonly shown: Buffer | null;
}

/** What the own columns of a row say: it is held, it goes out, or the sheet contradicts itself. */
export type Standing =
  | { readonly kind: 'free'; readonly earlier: EarlierRow | null }
  | { readonly kind: 'held'; readonly row: HeldRow; readonly earlier: EarlierRow | null }
  /** In doubt before, and the person says that the service does not have it. */
  | { readonly kind: 'not-created'; readonly earlier: EarlierRow }
  | {
      readonly kind: 'contradiction';
      readonly message: Message;
      /** What stands in the ID cell: it stays there, or the row would be sent with the next sheet. */
      readonly id: string | null;
      readonly earlier: EarlierRow | null;
    };

/** What made the row itself in its earlier run, or `null` when that is not known. */
export function earlierFingerprintOf(standing: Standing): Buffer | null {
  return standing.earlier?.fingerprint ?? null;
}

export interface HeldRowsOptions {
  /** Believe the statuses of a run that the ledger does not know. */
  readonly trustResults: boolean;
  /** Take no notice of the statuses of a run that the ledger does not know. */
  readonly again: boolean;
}

/** Of a row of which nothing is known. */
export const free: Standing = { kind: 'free', earlier: null };

/** What the ledger has of a row that a results sheet names. */
interface KnownOfRow {
  readonly entry: Entry | null;
  readonly isRunKnown: boolean;
}

/** What is asked of a ledger here. */
type KnownRuns = Pick<Ledger, 'run' | 'entry' | 'latest' | 'liveEntry' | 'wasTaken'>;

/** Where no ledger is at hand, a results sheet is taken at its word: a check sends nothing. */
export function heldRowsByTheirWord(): HeldRows {
  return new HeldRows(noLedger, '', { trustResults: true, again: false });
}

const noLedger: KnownRuns = {
  run: () => null,
  entry: () => null,
  latest: (row) => row,
  liveEntry: () => null,
  wasTaken: () => false,
};

export class HeldRows {
  readonly #ledger: KnownRuns;
  readonly #service: string;
  readonly #options: HeldRowsOptions;
  readonly #serviceOfRun = new Map<string, string | null>();
  /** The row that first carried each key, and one that carries it too. */
  readonly #keys = new Map<string, string>();
  readonly #copies = new Map<string, string>();
  readonly #typedIds = new Map<string, TypedId>();
  /** The services of the runs by which rows say that they are in. */
  readonly #runs = new Map<string, string>();

  constructor(ledger: KnownRuns, service: string, options: HeldRowsOptions) {
    this.#ledger = ledger;
    this.#service = service;
    this.#options = options;
  }

  /** Whether rows carry one key: those that were looked at before this was known are to be looked at again. */
  get hasCopies(): boolean {
    return this.#copies.size > 0;
  }

  /** The ids that were typed for rows in doubt, of the rows that were looked at. */
  get typedIds(): readonly TypedId[] {
    return [...this.#typedIds.values()];
  }

  /** The runs by which rows say that they are in, of the rows that were looked at. */
  get runsOfSheet(): ReadonlySet<string> {
    return new Set(this.#runs.keys());
  }

  /** Those of other services. */
  get runsElsewhere(): ReadonlySet<string> {
    return new Set([...this.#runs].flatMap(([run, service]) => (service === this.#service ? [] : [run])));
  }

  /** @throws DealsheetError `usage` when the run is unknown here, and the person has not said what that means */
  standingOf(checked: CheckedRow, row: SheetRow): Standing {
    const own = ownColumnsOf(row);
    if (own.key === null)
      return own.saysSomething || hasLostKey(own)
        ? contradiction(own, rowMessage('key-lost', { id: own.id }), null)
        : free;
    const place = placeOf(checked);
    const twin = this.#twinOf(keyOf(own.key), place);
    return twin === null
      ? this.#standingOfKeyed(own, own.key, place, checked)
      : contradiction(own, rowMessage('key-twice', { key: keyOf(own.key), twin }), {
          row: own.key,
          fingerprint: null,
          shown: null,
        });
  }

  /** Another row with the same key, or `null`. */
  #twinOf(key: string, place: string): string | null {
    const first = this.#keys.get(key);
    if (first === undefined) this.#keys.set(key, place);
    else if (first !== place) this.#copies.set(key, place);
    return first === undefined || first === place ? (this.#copies.get(key) ?? null) : first;
  }

  #standingOfKeyed(own: OwnColumns, key: RunRow, place: string, checked: CheckedRow): Standing {
    const service = this.#knownService(key.run);
    if (service !== null && own.saysSomething) this.#runs.set(key.run, service);
    if (service === null ? !this.#options.trustResults : service !== this.#service) return free;
    const row = this.#ledger.latest(key);
    const entry = service === null ? null : this.#ledger.entry(row.run, row);
    if (entry !== null && entry.kind !== checked.kind.name)
      return contradiction(own, ofAnotherKind(entry.kind, key), { row, fingerprint: null, shown: null });
    // Nothing of it was sent with that run: what was changed in it since is sent with this one. One to which the run did not
    // come has no entry.
    const wasAsExported = entry === null ? own.wasAsExported : isNotedAsExported(entry);
    if (wasAsExported && (entry ?? own).id === checked.pathId)
      return { kind: 'free', earlier: { row, fingerprint: null, shown: null } };
    if (service !== null && entry === null) this.#refuseUnknownRow(own, key, place);
    const earlier = { row, fingerprint: entry?.fingerprint ?? null, shown: entry?.shown ?? null };
    const isInDoubt = entry === null ? own.state === 'in-doubt' && this.#isDoubtOpen(key, row) : isUnknown(entry.state);
    return isInDoubt
      ? this.#standingOfDoubt(own, key, earlier, place, checked)
      : this.#standingOfSettled(own, key, earlier, { entry, isRunKnown: service !== null });
  }

  /** A row that is not in doubt is in, or goes out. */
  #standingOfSettled(own: OwnColumns, key: RunRow, earlier: EarlierRow, { entry, isRunKnown }: KnownOfRow): Standing {
    const { row } = earlier;
    const isTyped = own.answer?.kind === 'id' || own.answer?.kind === 'rounded';
    // A load asks the ledger of a row whose Status cell was emptied; without one, its id tells that it is in.
    const isToldById = this.#ledger === noLedger && own.state === null && isTyped;
    const saysIn = isInBy(own.state) || isToldById;
    const entryState = entry === null || entry.state === 'sending' ? null : entry.state;
    // It came back with the cells of another row, whose record is in: what it says itself has not gone in with any run.
    const stoodForAnother = !saysIn && isKnownIn(entryState) && !this.#ledger.wasTaken(key);
    if ((!saysIn && !isInBy(entryState)) || stoodForAnother) {
      if (own.id !== null && isTyped)
        return contradiction(own, rowMessage('id-of-row-not-in', { typed: own.id, isRunKnown }), earlier);
      return { kind: 'free', earlier: stoodForAnother ? { ...earlier, fingerprint: null } : earlier };
    }
    if (entryState !== null && !isInBy(entryState))
      return contradiction(own, rowMessage('not-in-any-more', { id: own.id, run: row.run }), earlier);
    const { id, companyId, url } = entry ?? own;
    // Words that were typed for a doubt are no id of the record that the row became when it was sent again.
    const isAnId = saysIn || isSameRow(row, key) || isTyped;
    if (isAnId && own.id !== null && id !== null && own.id !== id.trim() && !isRewritten(own.id, id.trim())) {
      return contradiction(own, rowMessage('ids-differ', { typed: own.id, known: id }), earlier);
    }
    const message = this.#sinceWhen(row, entry);
    return {
      kind: 'held',
      row: { state: 'already-loaded', id, companyId, url, message, exportedAt: null, settles: null },
      earlier,
    };
  }

  /** A run that it only came back with did not bring it in; of an update it is not kept which one did. */
  #sinceWhen(row: RunRow, entry: Entry | null): Message {
    if (entry === null || !isKnownIn(entry.state)) return rowMessage('in-since', { run: row.run });
    const since = this.#ledger.liveEntry(this.#service, entry.fingerprint);
    return since === null
      ? rowMessage('in-since-before', { run: row.run })
      : rowMessage('in-since', { run: since.run });
  }

  /** The key of a row that was in with it, or may have been, has an entry, in that run or in a later one. */
  #refuseUnknownRow({ state, id }: OwnColumns, key: RunRow, place: string): void {
    const claims = state !== null && (rowStates[state].isIn || state === 'in-doubt');
    const { trustResults, again } = this.#options;
    if (claims && !trustResults && !again && this.#ledger.entry(key.run, key) === null)
      throw unknownRow(place, id, key);
  }

  #standingOfDoubt(own: OwnColumns, key: RunRow, earlier: EarlierRow, place: string, checked: CheckedRow): Standing {
    const { row } = earlier;
    const { companyId, url, answer } = own;
    if (answer?.kind === 'not-created') {
      if (this.#isDoubtOpen(key, row)) return { kind: 'not-created', earlier };
      const message = withAlso(
        rowMessage('in-doubt-since', { run: row.run }),
        rowMessage('answer-to-other-run', { mark: notCreatedMark, run: key.run, command: toSettle(row) }),
      );
      return {
        kind: 'held',
        row: { state: 'in-doubt', id: null, companyId, url, message, exportedAt: null, settles: null },
        earlier,
      };
    }
    if (answer?.kind === 'id') {
      const { id } = answer;
      this.#typedIds.set(place, { place, kind: checked.kind.name, id, row: checked });
      const message = rowMessage('answered-in-sheet', { run: row.run });
      const settles = { row, created: id };
      return {
        kind: 'held',
        row: { state: 'already-loaded', id, companyId, url, message, exportedAt: null, settles },
        earlier,
      };
    }
    const whatToDo = rowMessage('answer-in-id-cell', { mark: notCreatedMark });
    const typed = rowMessage('id-cell-not-understood', {
      typed: own.id ?? '',
      fault: answer === null ? '' : faultOfAnswer(answer),
    });
    const since = rowMessage('in-doubt-since', { run: row.run });
    const message = withAlso(since, answer === null ? whatToDo : withAlso(typed, whatToDo));
    return {
      kind: 'held',
      row: { state: 'in-doubt', id: null, companyId, url, message, exportedAt: null, settles: null },
      earlier,
    };
  }

  /** What an older sheet says of a doubt counts while that one is open: the row may have been settled or sent again since. */
  #isDoubtOpen(key: RunRow, latest: RunRow): boolean {
    if (isSameRow(key, latest)) return true;
    const entry = this.#ledger.entry(key.run, key);
    return entry !== null && isUnknown(entry.state);
  }

  #knownService(run: string): string | null {
    const known = this.#serviceOfRun.get(run);
    if (known !== undefined) return known;
    const service = this.#ledger.run(run)?.service ?? null;
    if (service === null && !this.#options.trustResults && !this.#options.again) throw unknownRun(run);
    this.#serviceOfRun.set(run, service);
    return service;
  }
}

function isInBy(state: RowState | null): boolean {
  return state !== null && rowStates[state].isIn;
}

function isNotedAsExported({ state }: Entry): boolean {
  return state === 'unchanged';
}

function contradiction({ id }: OwnColumns, message: Message, earlier: EarlierRow | null): Standing {
  return { kind: 'contradiction', message, id, earlier };
}

function hasLostKey({ keyText }: OwnColumns): boolean {
  return keyText === lostKey;
}

function ofAnotherKind(kind: RecordKindName, key: RunRow): Message {
  return rowMessage('key-of-another-kind', { key: keyOf(key), record: oneOf(recordKind(kind)), kind });
}
