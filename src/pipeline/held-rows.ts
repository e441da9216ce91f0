/**
 * A results sheet as the next input: what its own columns say of each row. A row that is in, or may be, is held back, and
 * where sheet and ledger disagree, the safer word counts.
 */
import { type RowState, rowStates } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import type { Ledger, RowPosition } from '../ledger/ledger.ts';
import { shownText } from '../mapping/reading.ts';
import type { SheetRow } from '../sheets/cell.ts';
import { resultColumns } from '../workbooks/results.ts';

/** A row that stays as it is. */
export interface HeldRow {
  readonly state: 'already-loaded' | 'in-doubt';
  readonly id: string | null;
  readonly companyId: string | null;
  readonly url: string | null;
  readonly message: string;
  /** What makes the row itself, as the ledger knows it, or `null` when it does not. */
  readonly fingerprint: Buffer | null;
  /** A doubt that the person settled in the ID cell: written into the ledger when the load begins. */
  readonly settles: { readonly run: string; readonly position: RowPosition; readonly created: string } | null;
}

/** What the own columns of a row say: it is held, it goes out, or the sheet contradicts itself. */
export type Standing =
  /** `fingerprint` is that of its entry in an earlier run, if it has one. */
  | { readonly kind: 'free'; readonly fingerprint: Buffer | null }
  | { readonly kind: 'held'; readonly row: HeldRow }
  /** In doubt before, and the person says that the service does not have it. */
  | {
      readonly kind: 'not-created';
      readonly run: string;
      readonly position: RowPosition;
      readonly fingerprint: Buffer | null;
    }
  | { readonly kind: 'contradiction'; readonly message: string };

/** What made the row itself in its earlier run, or `null` when that is not known. */
export function earlierFingerprintOf(standing: Standing): Buffer | null {
  if (standing.kind === 'contradiction') return null;
  return standing.kind === 'held' ? standing.row.fingerprint : standing.fingerprint;
}

export interface HeldRowsOptions {
  /** Believe the statuses of a run that the ledger does not know. */
  readonly trustResults: boolean;
  /** Take no notice of the statuses of a run that the ledger does not know. */
  readonly again: boolean;
}

/** What a person types into the ID cell of a row in doubt that the service does not have. */
export const notCreatedMark = 'not created';
/** Of a row of which nothing is known. */
export const free: Standing = { kind: 'free', fingerprint: null };

/** What is asked of a ledger here. */
type KnownRuns = Pick<Ledger, 'run' | 'entry'>;

/** Where no ledger is at hand, a results sheet is taken at its word: a check sends nothing. */
export function heldRowsByTheirWord(): HeldRows {
  return new HeldRows({ run: () => null, entry: () => null }, '', { trustResults: true, again: false });
}

export class HeldRows {
  readonly #ledger: KnownRuns;
  readonly #service: string;
  readonly #options: HeldRowsOptions;
  readonly #serviceOfRun = new Map<string, string | null>();
  /** The row that first carried each key. */
  readonly #keys = new Map<string, string>();

  constructor(ledger: KnownRuns, service: string, options: HeldRowsOptions) {
    this.#ledger = ledger;
    this.#service = service;
    this.#options = options;
  }

  /** @throws DealsheetError `usage` when the run is unknown here, and the person has not said what that means */
  standingOf(sheet: string, row: SheetRow): Standing {
    const own = ownColumnsOf(row);
    if (own.run === null || own.position === null) return free;
    const place = `${sheet}!${row.number}`;
    const first = this.#keys.get(own.key);
    if (first === undefined) this.#keys.set(own.key, place);
    else if (first !== place) {
      const message = `The row carries the key ${own.key}, and so does ${first}: it is a copy. Empty the first six cells of a new row.`;
      return { kind: 'contradiction', message };
    }
    return this.#standingOfKeyed(own, own.run, own.position);
  }

  #standingOfKeyed(own: OwnColumns, run: string, position: RowPosition): Standing {
    const service = this.#knownService(run);
    if (service === null ? !this.#options.trustResults : service !== this.#service) return free;
    const entry = service === null ? null : this.#ledger.entry(run, position);
    const inDoubt = entry === null ? own.state === 'in-doubt' : entry.state === 'in-doubt' || entry.state === 'sending';
    const fingerprint = entry?.fingerprint ?? null;
    if (inDoubt) return standingOfDoubt(own, run, position, fingerprint);
    const isIn = (state: RowState | null) => state !== null && rowStates[state].isIn;
    const entryState = entry === null || entry.state === 'sending' ? null : entry.state;
    if (!isIn(own.state) && !isIn(entryState) && own.state !== 'in-doubt') return { kind: 'free', fingerprint };
    if (own.state === 'in-doubt' && entryState !== null && !isIn(entryState)) return { kind: 'free', fingerprint };
    const { id, companyId, url } = entry ?? own;
    const message = `In since the run ${run}.`;
    return { kind: 'held', row: { state: 'already-loaded', id, companyId, url, message, fingerprint, settles: null } };
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

export interface OwnColumns {
  readonly state: RowState | null;
  readonly id: string | null;
  readonly companyId: string | null;
  readonly url: string | null;
  readonly key: string;
  readonly run: string | null;
  readonly position: RowPosition | null;
}

/** Whether these are the headers of a results sheet: our columns are known by their places. */
export function areResultHeaders(headers: readonly (string | null)[]): boolean {
  return resultColumns.every((name, index) => headers[index] === name);
}

export function ownColumnsOf(row: SheetRow): OwnColumns {
  const [status, id, companyId, url, , key] = resultColumns.map((_, index) => textOf(row.cells[index] ?? null));
  const match = /^(.+?)#(.+)!(\d+)$/.exec(key ?? '');
  return {
    state: stateOfStatus(status ?? null),
    id: id ?? null,
    companyId: companyId ?? null,
    url: url ?? null,
    key: key ?? '',
    run: match?.[1] ?? null,
    position: match === null ? null : { sheet: match[2] ?? '', row: Number(match[3]) },
  };
}

/** What a person typed into a cell, or `null`. */
export function textOf(cell: SheetRow['cells'][number]): string | null {
  const text = cell === null ? '' : shownText(cell).trim();
  return text === '' ? null : text;
}

function stateOfStatus(status: string | null): RowState | null {
  const found = Object.entries(rowStates).find(([, words]) => words.status === status);
  return found === undefined ? null : (found[0] as RowState);
}

function standingOfDoubt(own: OwnColumns, run: string, position: RowPosition, fingerprint: Buffer | null): Standing {
  if (own.id?.toLowerCase() === notCreatedMark) return { kind: 'not-created', run, position, fingerprint };
  const { companyId, url } = own;
  if (own.id !== null) {
    const settles = { run, position, created: own.id };
    const message = `In doubt in the run ${run}, and settled by the id in this sheet.`;
    return {
      kind: 'held',
      row: { state: 'already-loaded', id: own.id, companyId, url, message, fingerprint, settles },
    };
  }
  const message = `In doubt since the run ${run}. Look it up in the service, then type its id, or "${notCreatedMark}", into the ID cell and import the sheet again.`;
  return { kind: 'held', row: { state: 'in-doubt', id: null, companyId, url, message, fingerprint, settles: null } };
}

function unknownRun(run: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `The file is a results sheet of the run ${run}, which this ledger does not know: whether its rows are in cannot be told here.`,
    'Give --trust-results to believe its statuses, or --again to load all of its rows. Nothing was sent.',
  );
}
