/**
 * Tells the rows of a bulk request apart by its one answer (service interface 4.11: shape not shown). A row is told of
 * only where the answer says so beyond doubt, and only while what it says of the rows together comes out even.
 */
import { type Answer, isObject, valueAt } from '../answers/answer.ts';
import { type Sign, type Signs, standingAgainst } from '../answers/signs.ts';
import { tellsNothing } from '../answers/values-of-answer.ts';
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { aboutRows } from '../records/question.ts';
import type { CallEnd } from '../sending/call-end.ts';
import { plainText } from '../text/plain-text.ts';
import { BulkItems, type BulkSettings, type Told } from './bulk-items.ts';
import { deepestEnvelope, givesIdsOfRows, unevenList } from './bulk-lists.ts';
import { itemsOfRows } from './bulk-rows.ts';
import { secretsOfRows, withoutOwnNumbers } from './numbers-of-rows.ts';
import { refusedTogether } from './refused-together.ts';
import { RowsByName } from './rows-by-name.ts';
import {
  afterEarlierTries,
  althoughGiven,
  contradictionOf,
  earlierDoubtOf,
  type Secrets,
  withoutAnswer,
} from './verdict.ts';

export interface BulkVerdict {
  /** One for each row, in their order. */
  readonly outcomes: readonly Outcome[];
  /** Whether the service judged the request as one, and not its rows. */
  readonly isForAll: boolean;
}

/** @param secretsOf  what must not be repeated of each row; see {@link Secrets} */
export function bulkVerdictOf(
  records: readonly OutgoingRecord[],
  end: CallEnd,
  secretsOf: (record: OutgoingRecord) => Secrets,
  settings: BulkSettings,
): BulkVerdict {
  if (end.kind === 'no-answer') return forAll(records.map((record) => withoutAnswer(end, secretsOf(record))));
  const secretsOfAll = secretsOfRows(records, secretsOf);
  const { outcomes, isForAll } = new BulkReading(records, end, secretsOf, secretsOfAll, settings).of(end.verdict);
  const earlier = earlierDoubtOf(end, secretsOfAll);
  const settled = outcomes.map((outcome, row) => {
    const record = records[row];
    const known = afterEarlierTries(outcome, earlier);
    return record === undefined ? known : withoutOwnNumbers(known, secretsOf(record));
  });
  return { outcomes: settled, isForAll };
}

type AnswerEnd = Extract<CallEnd, { kind: 'answer' }>;

class BulkReading {
  readonly #records: readonly OutgoingRecord[];
  readonly #answer: Answer;
  readonly #attempts: number;
  readonly #secretsOfAll: Secrets;
  readonly #settings: BulkSettings;
  readonly #items: BulkItems;
  readonly #byName: RowsByName;

  constructor(
    records: readonly OutgoingRecord[],
    { answer, attempts }: Pick<AnswerEnd, 'answer' | 'attempts'>,
    secretsOf: (record: OutgoingRecord) => Secrets,
    secretsOfAll: Secrets,
    settings: BulkSettings,
  ) {
    this.#records = records;
    this.#answer = answer;
    this.#attempts = attempts;
    this.#secretsOfAll = secretsOfAll;
    this.#settings = settings;
    this.#byName = new RowsByName(records, settings.contract, settings.signs);
    this.#items = new BulkItems(answer, attempts, secretsOf, secretsOfAll, settings);
  }

  /** What the answer says by itself, whatever came of earlier tries. */
  of(verdict: AnswerEnd['verdict']): BulkVerdict {
    if (verdict === 'rejected') return this.#refusalOfSome() ?? this.#refusalOfAll();
    return verdict === 'in-doubt' ? this.#doubts() : this.#success();
  }

  #success(): BulkVerdict {
    const { body } = this.#answer;
    if (body.kind === 'unreadable' || body.kind === 'html') return this.#doubts();
    const list = this.#listIn(body.kind === 'json' ? body.value : null, 0);
    const signs = this.#settings.signs.ofBody(body, aboutRows(this.#records.length, list));
    return list === null ? this.#withoutList(signs) : this.#withList(list, signs);
  }

  /**
   * A status that refuses beside words of rows that were made: those that are refused by themselves are, and the others are in
   * doubt. `null` when nothing tells of rows that were made.
   */
  #refusalOfSome(): BulkVerdict | null {
    const { body } = this.#answer;
    if (body.kind !== 'json') return null;
    const list = this.#listIn(body.value, 0);
    const items = list === null ? [] : itemsOfRows(this.#records, list, this.#settings);
    const signs = this.#settings.signs.ofBody(body, aboutRows(this.#records.length, list));
    // Which row an item is about does not matter here: ids in a shorter list are ids of some of them.
    const someAreMade = this.#records.some((record, row) => this.#items.saysMade(items[row] ?? list?.[row], record));
    const isMade = someAreMade || signs.tellsOfMade || this.#saysMadeOfAll(signs);
    if (!isMade) return null;
    const outcomes = this.#records.map((record, row) => {
      const { outcome } = this.#items.of(items[row], record);
      return outcome.state === 'rejected' ? outcome : this.#items.doubt(record);
    });
    return { outcomes, isForAll: false };
  }

  /** By the documented yes, by one beside the id of the only row, or by new ids in a list of rows. */
  #saysMadeOfAll({ saysYes }: Signs): boolean {
    const { body } = this.#answer;
    const { contract, signs } = this.#settings;
    if (body.kind !== 'json') return false;
    const isDocumented = valueAt(body.value, contract.answers.success) === true;
    return (
      isDocumented || (saysYes && this.#givesIdOfOne()) || givesIdsOfRows(body.value, this.#records, contract, signs)
    );
  }

  #refusalOfAll(): BulkVerdict {
    return forAll(refusedTogether(this.#records, this.#answer, this.#attempts, this.#secretsOfAll));
  }

  /** @param why  see {@link inDoubt} */
  #doubts(why?: string): BulkVerdict {
    const outcome = this.#items.doubtAboutAll(why);
    return forAll(this.#records.map(() => outcome));
  }

  #withoutList(signs: Signs): BulkVerdict {
    const { saysNo, tellsOfSome } = signs;
    const against = standingAgainst(signs, null);
    if (saysNo && !tellsOfSome && !this.#givesIdOfOne()) return this.#refusalOfAll();
    if (against.length > 0) return this.#withRefusals(signs) ?? this.#doubts(contradictionOf(against, null));
    const uneven = this.#unevenList();
    if (uneven !== null) return this.#doubts(uneven);
    return forAll(this.#records.map(() => this.#items.accepted(null)));
  }

  /** Whether the answer is one to a single row, with an id that may be its. */
  #givesIdOfOne(): boolean {
    const { body } = this.#answer;
    const [only, ...others] = this.#records;
    if (only === undefined || others.length > 0 || body.kind !== 'json') return false;
    return this.#items.anyIdIn(body.value, only) !== null;
  }

  /** The end of "The service answered 200"; see {@link inDoubt}. */
  #unevenList(): string | null {
    const { body } = this.#answer;
    const { contract, signs } = this.#settings;
    if (body.kind !== 'json') return null;
    const list = unevenList(body.value, this.#records, contract, signs);
    // It is cut only once it is masked: half a secret is none that is found.
    if (list !== null)
      return `, but the list "${nameShown(list.name)}" in it ${list.said}, and ${this.#records.length} rows were sent`;
    const byName = this.#byName.doubtfulIn(body.value);
    if (byName === null) return null;
    const place =
      byName === ''
        ? 'what it says by the names of rows'
        : `what it says by the names of rows in "${nameShown(byName)}"`;
    return `, but ${place} is no plain yes to each`;
  }

  /** A list of the refused rows alone says yes to the others, when the answer does so too. */
  #withRefusals({ saysNo, saysYes, against, refusals }: Signs): BulkVerdict | null {
    const [only] = refusals;
    if (saysNo || only === undefined || refusals.length > 1) return null;
    const refused = only.filter((item) => !tellsNothing([item], this.#settings.contract));
    // Where none is in, as many refusals as rows are theirs.
    const areAllOut = against.some(({ mostAccepted }) => mostAccepted === 0);
    const items = itemsOfRows(this.#records, refused, this.#settings, areAllOut);
    const out = items.filter((item) => item !== undefined).length;
    const rowsIn = this.#records.length - out;
    if (out !== refused.length || against.some((sign) => !addsUp(sign, rowsIn, out))) return null;
    if (!saysYes && !against.some(({ mostAccepted }) => mostAccepted === rowsIn)) return null;
    const why = this.#items.contradictionForAll(against);
    const outcomes = this.#records.map((record, row) => {
      const item = items[row];
      return item === undefined ? this.#items.accepted(null) : this.#items.refusedByList(item, record, why);
    });
    return { outcomes, isForAll: false };
  }

  #withList(list: readonly unknown[], { against }: Signs): BulkVerdict {
    const items = itemsOfRows(this.#records, list, this.#settings);
    const told = this.#evenly(
      items,
      this.#records.map((record, row) => this.#items.of(items[row], record)),
    );
    const rowsIn = told.filter(({ outcome }) => isIn(outcome)).length;
    const out = told.length - rowsIn;
    const unexplained = against.filter((sign) => !addsUp(sign, rowsIn, out));
    const unnumbered = against.filter(
      ({ leastRefused, mostAccepted }) => leastRefused === null && mostAccepted === null,
    );
    // A no to the whole that is not told in numbers leaves in only what says yes for itself.
    const standing = unexplained.length > 0 ? unexplained : unnumbered;
    const why = standing.length === 0 ? '' : this.#items.contradictionForAll(standing);
    const outcomes = told.map(({ outcome, saysYes }, row) => {
      const record = this.#records[row];
      const isSure = standing.length === 0 || (saysYes && unexplained.length === 0);
      if (record === undefined || !isIn(outcome) || isSure) return outcome;
      return this.#items.doubt(record, why + althoughGiven('id' in outcome ? outcome.id : null));
    });
    return { outcomes, isForAll: false };
  }

  /** Where others get ids, or a yes, a row that gets neither is not in by silence; nor is a text an id where others are words. */
  #evenly(items: readonly unknown[], told: readonly Told[]): readonly Told[] {
    const givesId = this.#records.map((record, row) => this.#items.anyIdIn(items[row], record) !== null);
    const saysYes = told.some((one) => one.saysYes);
    const areWords = told.some((one, row) => one.saysYes && !givesId[row] && typeof items[row] === 'string');
    return told.map((one, row) => {
      const record = this.#records[row];
      if (record === undefined || !isIn(one.outcome) || one.saysYes) return one;
      if (typeof items[row] === 'string' ? areWords : saysYes && !one.isUnderWay && !givesId[row])
        return this.#items.open(record, ', but it says yes to other rows of the request, and not to this one');
      if (givesId[row] || !givesId.includes(true)) return one;
      return this.#items.open(record, ', but it gives ids for other rows of the request, and none for this one');
    });
  }

  /** The list of the rows: the answer itself, or where the contract says, in it or in an object around it. */
  #listIn(value: unknown, depth: number): readonly unknown[] | null {
    const whole = this.#byName.listOf(value);
    if (whole !== null) return whole;
    if (!isObject(value) || depth > deepestEnvelope) return null;
    const { contract, signs } = this.#settings;
    for (const path of contract.answers.transactionResults) {
      const found = this.#byName.listOf(valueAt(value, [path]));
      if (found !== null) return found;
    }
    for (const [name, held] of Object.entries(value)) {
      const found = !Array.isArray(held) && signs.isAround(name) ? this.#listIn(held, depth + 1) : null;
      if (found !== null) return found;
    }
    return null;
  }
}

function nameShown(name: string): string {
  return plainText(name).replaceAll('"', "'");
}

/** Whether what is said of the rows together is what is said of them one by one. */
function addsUp({ leastRefused, mostAccepted }: Sign, rowsIn: number, out: number): boolean {
  if (leastRefused === null && mostAccepted === null) return out > 0;
  return (leastRefused ?? 0) <= out && (mostAccepted ?? rowsIn) >= rowsIn;
}

function isIn(outcome: Outcome): boolean {
  return outcome.state === 'created' || outcome.state === 'accepted';
}

function forAll(outcomes: readonly Outcome[]): BulkVerdict {
  return { outcomes, isForAll: true };
}
