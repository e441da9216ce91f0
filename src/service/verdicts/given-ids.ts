/**
 * The ids that the service has given to the rows of a run. Its one rule: one record is not two rows, so an id that is
 * given a second time leaves a doubt about the row that it came for, and so does the id of another row's company.
 */
import type { RecordKind, RecordKindName } from '../../contract/record-kind.ts';
import { valueAt } from '../answers/answer.ts';
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { masked } from '../text/masking.ts';
import { shortened } from '../text/plain-text.ts';
import { lookItUp, type Secrets } from './verdict.ts';

const initialSlots = 1 << 10;
const fullShare = 0.8;
/** Doubled, the slots of a million ids were the highest of a load's memory at the moment when they grew. */
const growth = 1.25;
const longestId = 80;

export class GivenIds {
  /** Numbers are told apart by their kinds: a service may count deals and companies each from 1. */
  readonly #numbersOfKind = new Map<RecordKindName, Digests>();
  readonly #otherIds = new Digests();
  /** Companies that rows of the run have updated. */
  readonly #updated = new Digests();

  /** Notes an id that a row of the run got before. */
  add(kind: RecordKindName, id: string): void {
    this.#digestsOf(kind, id).add(id);
  }

  /**
   * Notes the ids of new records, and gives the outcomes back: that of a row whose id was given before, or is given twice
   * among them, is in doubt. An id that is that of the row's own parent is taken for no id of the row.
   */
  settled(
    kind: RecordKind,
    records: readonly OutgoingRecord[],
    outcomes: readonly Outcome[],
    secretsOf: (record: OutgoingRecord) => Secrets,
  ): readonly Outcome[] {
    if (kind.sending === 'update') return outcomes;
    const twice = idsGivenTwice(outcomes);
    return outcomes.map((outcome, row) => {
      const record = records[row];
      if (outcome.state !== 'created' || outcome.id === null || record === undefined) return outcome;
      const { id, attempts, httpStatus } = outcome;
      const isParents = kind.references.some(({ fills }) => String(valueAt(record.body, [fills])) === id);
      if (isParents && !kind.answersWithId) return { ...outcome, state: 'accepted', id: null };
      const isNew = this.#digestsOf(kind.name, id).add(id);
      if (isNew && !twice.has(id)) return outcome;
      const message = `The service gave the id ${shownId(id, record, secretsOf)} to this row and to another one of this run: one record cannot be both.`;
      return { state: 'in-doubt', attempts, httpStatus, message: `${message} ${lookItUp}` };
    });
  }

  /**
   * Notes the company of an update, and gives the outcome back: where the answer gives the id of the company of another row, it
   * is the answer to that one, and what became of this row is not known.
   * @param given  the id in the answer, or `null` when there is none
   */
  settledUpdate(
    record: OutgoingRecord,
    outcome: Outcome,
    given: string | null,
    secretsOf: (record: OutgoingRecord) => Secrets,
  ): Outcome {
    const { pathId } = record;
    if (pathId === null || outcome.state !== 'updated') return outcome;
    const { attempts, httpStatus } = outcome;
    this.#updated.add(pathId);
    if (given === null || given === pathId || !this.#isOfAnotherCompany(given)) return outcome;
    const message = `The service answered with the id ${shownId(given, record, secretsOf)}, which is that of the company of another row of this run.`;
    return { state: 'in-doubt', attempts, httpStatus, message: `${message} ${lookItUp}` };
  }

  #isOfAnotherCompany(id: string): boolean {
    return this.#updated.has(id) || this.#digestsOf('companies', id).has(id);
  }

  #digestsOf(kind: RecordKindName, id: string): Digests {
    if (!onlyDigits.test(id)) return this.#otherIds;
    const known = this.#numbersOfKind.get(kind);
    if (known !== undefined) return known;
    const digests = new Digests();
    this.#numbersOfKind.set(kind, digests);
    return digests;
  }
}

const onlyDigits = /^\d+$/;

function shownId(id: string, record: OutgoingRecord, secretsOf: (record: OutgoingRecord) => Secrets): string {
  return shortened(masked(id, secretsOf(record)()), longestId);
}

function idsGivenTwice(outcomes: readonly Outcome[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  if (outcomes.length === 1) return twice;
  for (const outcome of outcomes) {
    if (outcome.state !== 'created' || outcome.id === null) continue;
    if (seen.has(outcome.id)) twice.add(outcome.id);
    seen.add(outcome.id);
  }
  return twice;
}

/**
 * A set of texts by digests of 53 bits, 8 bytes a slot: a Set of a million ids would need some 80 MB. Two ids of one
 * digest, one chance in 18,000 among a million, leave a doubt, and never a false yes.
 */
class Digests {
  #slots = new Float64Array(initialSlots);
  #used = 0;

  /** `false` when it was there before. */
  add(text: string): boolean {
    if (this.#used > this.#slots.length * fullShare) this.#grow();
    return this.#put(digestOf(text));
  }

  has(text: string): boolean {
    const digest = digestOf(text);
    return this.#slots[this.#slotOf(digest)] === digest;
  }

  #put(digest: number): boolean {
    const slot = this.#slotOf(digest);
    if (this.#slots[slot] === digest) return false;
    this.#slots[slot] = digest;
    this.#used += 1;
    return true;
  }

  /** Where a digest stands, or the empty slot for it. */
  #slotOf(digest: number): number {
    const { length } = this.#slots;
    let slot = (digest >>> 0) % length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== digest) slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(Math.floor(before.length * growth));
    this.#used = 0;
    for (const digest of before) if (digest !== 0) this.#put(digest);
  }
}

/** Two hashes (the multiplications of MurmurHash) in one number, of which 0 is kept for an empty slot. */
function digestOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    low = Math.imul(low ^ unit, 0xc2b2ae35);
    high ^= high >>> 16;
    low ^= low >>> 13;
  }
  return ((high >>> 0) % highBits) * lowBits + (low >>> 0) || 1;
}

/** A number holds 53 bits exactly. */
const lowBits = 2 ** 32;
const highBits = 2 ** 21;
