/**
 * What is decided on the rows of a load before it: counted for a person, and digested, so that it can be told later whether
 * anything else is decided then. Its one rule: nothing of what a row says stands in it; the digests are keyed.
 */

import { createHash, type Hash } from 'node:crypto';
import { isKnownIn } from '../../ledger/entry-state.ts';
import type { EarlierEntry, Ledger, RowPosition } from '../../ledger/ledger.ts';
import type { Decision } from '../decisions/decision.ts';
import { type Limit, Turns } from '../options/turns.ts';
import { keyOf } from '../rows/row-place.ts';
import type { JudgedRow } from '../survey/judged-row.ts';

/** The valid rows of a sheet by what is done with them. */
export interface PlannedCounts {
  readonly toSend: number;
  /** Those to send whose equals are in. */
  readonly onceMore: number;
  readonly alreadyLoaded: number;
  readonly inDoubt: number;
  /** Their parents are not in, and do not go in with this load. */
  readonly waiting: number;
  /** Left for another load: by a limit, or for the errors of other rows. */
  readonly heldBack: number;
}

export interface PlannedRows extends PlannedCounts {
  /** Fields that the rows to send empty with `<clear>`. */
  readonly clearedFields: number;
  /** A keyed digest of what is done with each row, in hexadecimal. */
  readonly steps: string;
  /** A keyed digest of what each row is made of, its file and the ids that it names included, in hexadecimal. */
  readonly contents: string;
}

export interface PlannedLoad {
  readonly service: string;
  readonly again: boolean;
  readonly limit: Limit;
}

export class PlannedDecisions {
  readonly #ledger: Ledger;
  readonly #load: PlannedLoad;
  readonly #sheets = new Map<string, SheetTally>();
  readonly #turns: Turns;

  constructor(ledger: Ledger, load: PlannedLoad) {
    this.#ledger = ledger;
    this.#load = load;
    this.#turns = new Turns(load.limit);
  }

  /** Whether the turn of a row does not come; it is to be asked once for each row, in the order of loading. */
  holdsBack(row: JudgedRow): boolean {
    if (this.#turns.comes(row)) return false;
    this.#sheetOf(row).add(row, row.isValid ? stepWithoutTurn(row) : 'leave', null);
    return true;
  }

  add(row: JudgedRow, decision: Decision): void {
    const equal = decision.step === 'send' ? this.#equalOf(row, decision.fingerprint) : null;
    // A row that is wrong is counted as that alone, also when it is in as it was corrected elsewhere.
    this.#sheetOf(row).add(row, row.isValid ? stepOf(decision, equal) : 'leave', contentOf(decision, equal));
    if (decision.step === 'send') this.#sheetOf(row).clearedFields += row.clears;
  }

  rowsOf(sheet: string): PlannedRows {
    const { counts, clearedFields, steps, contents } = this.#sheets.get(sheet) ?? new SheetTally();
    const keyed = (name: string, hash: Hash) =>
      this.#ledger.fingerprint(`${name} of a plan\n${sheet}\n${hash.copy().digest('hex')}`).toString('hex');
    return { ...counts, clearedFields, steps: keyed('steps', steps), contents: keyed('contents', contents) };
  }

  /** Of a row that goes out although an equal one is in: that one. */
  #equalOf(row: JudgedRow, fingerprint: Buffer): EarlierEntry | null {
    if (!this.#load.again || row.kind.sending.isUpdate) return null;
    return this.#ledger.liveEntry(this.#load.service, fingerprint);
  }

  #sheetOf({ sheet }: JudgedRow): SheetTally {
    const known = this.#sheets.get(sheet);
    if (known !== undefined) return known;
    const tally = new SheetTally();
    this.#sheets.set(sheet, tally);
    return tally;
  }
}

class SheetTally {
  readonly counts = { toSend: 0, onceMore: 0, alreadyLoaded: 0, inDoubt: 0, waiting: 0, heldBack: 0 };
  clearedFields = 0;
  readonly steps = createHash('sha256');
  readonly contents = createHash('sha256');

  add({ row }: RowPosition, step: keyof PlannedCounts | 'leave', content: object | null): void {
    if (step !== 'leave') this.counts[step] += 1;
    if (step === 'onceMore') this.counts.toSend += 1;
    this.steps.update(`${row} ${step}\n`);
    this.contents.update(`${row} ${JSON.stringify(content)}\n`);
  }
}

/** A row that stays as it is does so whether or not its turn comes. */
function stepWithoutTurn({ standing }: JudgedRow): keyof PlannedCounts {
  if (standing.kind !== 'held') return 'heldBack';
  return standing.row.settles === null && isKnownIn(standing.row.state) ? 'alreadyLoaded' : 'inDoubt';
}

function stepOf(decision: Decision, equal: EarlierEntry | null): keyof PlannedCounts | 'leave' {
  if (decision.step === 'leave') return 'leave';
  if (decision.step === 'send') return equal === null ? 'toSend' : 'onceMore';
  const { state } = decision.note;
  if (state === 'in-doubt') return 'inDoubt';
  if (state === 'waiting') return 'waiting';
  return isKnownIn(state) ? 'alreadyLoaded' : 'heldBack';
}

/** What is digested of a row beside its step. */
function contentOf(decision: Decision, equal: EarlierEntry | null): object | null {
  if (decision.step === 'leave') return null;
  const { settles } = decision;
  const fingerprint = decision.fingerprint.toString('hex');
  if (decision.step === 'send') {
    return { fingerprint, settles, equal: equal === null ? null : keyOf(equal) };
  }
  const { id, companyId } = decision.note;
  return { fingerprint, settles, id, companyId };
}
