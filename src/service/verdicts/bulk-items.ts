/**
 * What an item of a bulk answer says of its row, by itself: the other items and the answer around it have no say here.
 * Its one rule: a yes and a no at once are neither.
 */
import { type Answer, identifier, idUnderAnyName, isObject, referenceIn } from '../answers/answer.ts';
import { reasonGivenIn } from '../answers/error-message.ts';
import { type Sign, standingAgainst } from '../answers/signs.ts';
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord, Secret } from '../records/outgoing-record.ts';
import { aboutItem } from '../records/question.ts';
import type { CallSettings } from '../sending/calls.ts';
import { secretsIn } from '../text/masking.ts';
import { althoughGiven, contradictionOf, hasEmptyId, inDoubt, reasonIn, type Secrets, shownEnding } from './verdict.ts';

export type BulkSettings = Pick<CallSettings, 'contract' | 'signs'>;

/** What an item says of its row, before it is held against the other items and the whole. */
export interface Told {
  readonly outcome: Outcome;
  /** Whether it says yes in a word, and does not only give an id. */
  readonly saysYes: boolean;
  /** Whether it says that the row is taken, if no more. */
  readonly isUnderWay: boolean;
}

export class BulkItems {
  readonly #answer: Answer;
  readonly #attempts: number;
  readonly #secretsOf: (record: OutgoingRecord) => Secrets;
  readonly #secretsOfAll: Secrets;
  readonly #settings: BulkSettings;
  #knownReason: { readonly text: string | null } | null = null;
  #knownOthers: readonly Secret[] | null = null;

  /**
   * @param secretsOf  what must not be repeated of each row
   * @param secretsOfAll  what must not be repeated of any of them
   */
  constructor(
    answer: Answer,
    attempts: number,
    secretsOf: (record: OutgoingRecord) => Secrets,
    secretsOfAll: Secrets,
    settings: BulkSettings,
  ) {
    this.#answer = answer;
    this.#attempts = attempts;
    this.#secretsOf = secretsOf;
    this.#secretsOfAll = secretsOfAll;
    this.#settings = settings;
  }

  of(item: unknown, record: OutgoingRecord): Told {
    if (item === undefined) return this.open(record, ', but it does not say beyond doubt what became of this row');
    if (item === null || Array.isArray(item))
      return this.open(record, ', but where it should tell of this row it is empty');
    const { signs: reader, contract } = this.#settings;
    const id = this.#newIdIn(item, record);
    const anyId = this.anyIdIn(item, record);
    const signs = reader.of(item, aboutItem(record, id === null ? 'everything' : 'nothing'));
    const { saysNo, saysYes, tellsOfSome, leavesOpen } = signs;
    const against = standingAgainst(signs, id);
    const mayBeIn = anyId !== null || tellsOfSome || leavesOpen || (saysYes && !saysNo);
    if (against.some(({ isNo }) => isNo) && !mayBeIn) {
      return { outcome: this.#refused(item, record), saysYes: false, isUnderWay: false };
    }
    if (against.length > 0) return this.open(record, contradictionOf(against, anyId));
    if (signs.saysUnknown && anyId === null && !saysYes && !signs.isUnderWay)
      return this.open(record, ', but what it says of this row is no plain yes');
    if (isText(item) && id === null && !saysYes) return this.open(record, ', but what it gives for this row is a text');
    if (hasEmptyId(item, { contract }) && !saysYes)
      return this.open(record, ', but what it gives for this row is no id');
    return { outcome: this.accepted(item), saysYes, isUnderWay: signs.isUnderWay };
  }

  /** An id that the row sent itself is no sign of a record. */
  #newIdIn(item: unknown, { body }: OutgoingRecord): string | null {
    const { id } = this.#referenceIn(item);
    return id === String(body.id) ? null : id;
  }

  /** An id under any of the names for that, also those that are not told as its id. */
  anyIdIn(item: unknown, record: OutgoingRecord): string | null {
    return this.#newIdIn(item, record) ?? idUnderAnyName(item, record.body);
  }

  /** @param why  see {@link inDoubt} */
  open(record: OutgoingRecord, why: string): Told {
    return { outcome: this.doubt(record, why), saysYes: false, isUnderWay: false };
  }

  /** @param why  see {@link inDoubt} */
  doubt(record: OutgoingRecord, why?: string): Outcome {
    const secrets = () => [...this.#secretsOf(record)(), ...this.#othersTold];
    return inDoubt(this.#answer, this.#attempts, secrets, why, this.#said);
  }

  /** @param why  see {@link inDoubt} */
  doubtAboutAll(why?: string): Outcome {
    return inDoubt(this.#answer, this.#attempts, this.#secretsOfAll, why, this.#said);
  }

  /** Why no row is in for certain, as it may be shown of each: it may tell of any row, and is looked through once for all of them. */
  contradictionForAll(against: readonly Sign[]): string {
    return shownEnding(contradictionOf(against, null), this.#secretsOfAll);
  }

  /** An item of a list of refused rows: their record may be in where it gives an id, or where its status leaves that open. */
  refusedByList(item: unknown, record: OutgoingRecord, why: string): Outcome {
    const id = this.anyIdIn(item, record);
    const { leavesOpen } = this.#settings.signs.of(item, aboutItem(record, 'nothing'));
    return id === null && !leavesOpen ? this.#refused(item, record) : this.doubt(record, why + althoughGiven(id));
  }

  #refused(item: unknown, record: OutgoingRecord): Outcome {
    const error = reasonGivenIn(item, this.#secretsOf(record)(), this.#othersTold);
    return {
      state: 'rejected',
      attempts: this.#attempts,
      httpStatus: this.#answer.status,
      message: error?.message ?? 'The service refused this row and gave no reason.',
      fields: error?.fields ?? [],
    };
  }

  accepted(item: unknown): Outcome {
    const reference = this.#referenceIn(item);
    const state = reference.id === null ? 'accepted' : 'created';
    return { state, attempts: this.#attempts, httpStatus: this.#answer.status, ...reference };
  }

  /** A text in place of an item is the id of its row, unless it is a word, or several. */
  #referenceIn(item: unknown): ReturnType<typeof referenceIn> {
    const { contract, signs } = this.#settings;
    if (typeof item !== 'string') return referenceIn(item, contract);
    // An id of letters may have a word in its midst: `xyKo`.
    const saysYes = signs.wordOf(item) === 'yes';
    const isWord = isText(item) || (!/\d/.test(item) && (saysYes || signs.wordOf(item.toLowerCase()) !== null));
    return { id: isWord ? null : identifier(item), companyId: null, url: null };
  }

  /**
   * Whether an item says that its row was made, in an answer that refuses: by a yes, or by an id with nothing against it. An
   * error may have an id, too, but it gives a reason.
   */
  saysMade(item: unknown, record: OutgoingRecord): boolean {
    const { saysYes, against, inWords } = this.#settings.signs.of(item, aboutItem(record, 'nothing'));
    if (against.length > 0) return false;
    if (this.anyIdIn(item, record) === null) return saysYes && !isOnlyChecked(item);
    return saysYes || (inWords.length === 0 && reasonGivenIn(item, []) === null);
  }

  /** What the answer may repeat of any row, also in what it says of another: looked for once, in all of it. */
  get #othersTold(): readonly Secret[] {
    const { body } = this.#answer;
    this.#knownOthers ??= body.kind === 'json' ? secretsIn(textIn(body.value), this.#secretsOfAll()) : [];
    return this.#knownOthers;
  }

  /** What the answer gives as a reason: it may be a value of any row, and is looked through once for all of them. */
  get #said(): string | null {
    this.#knownReason ??= { text: reasonIn(this.#answer.body, this.#secretsOfAll) };
    return this.#knownReason.text;
  }
}

/** All names, texts and numbers, those that stand beside one another in their order. */
function textIn(value: unknown): string {
  const texts: string[] = [];
  const held = [value];
  // The list grows while it is gone through: an answer may be nested deeper than calls can be.
  for (const one of held) {
    if (typeof one === 'string' || typeof one === 'number') texts.push(String(one));
    else if (typeof one === 'object' && one !== null)
      for (const [name, part] of Object.entries(one)) {
        texts.push(name);
        held.push(part);
      }
  }
  return texts.join(' ');
}

/** Words between blanks, which no id has. */
function isText(item: unknown): boolean {
  return typeof item === 'string' && /\S\s+\S/.test(item);
}

/** `{ "valid": true }`: a service that takes all rows or none may say it of those that are not to blame. */
function isOnlyChecked(item: unknown): boolean {
  if (typeof item === 'string') return checked.test(item);
  return (
    isObject(item) && Object.entries(item).some(([name, held]) => checked.test(name) || checked.test(String(held)))
  );
}

const checked = /^(?:is)?valid/i;
