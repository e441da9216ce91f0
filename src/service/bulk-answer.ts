/**
 * Tells the rows of a bulk request apart by its one answer (service interface 4.11: shape not shown). A row is told of
 * only where the answer says so beyond doubt.
 */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type Answer, isObject, referenceIn, saysNo, valueAt } from './answer.ts';
import type { CallEnd } from './conversation.ts';
import { errorTextOf, itemErrorOf } from './error-message.ts';
import type { Outcome } from './outcome.ts';
import type { OutgoingRecord } from './outgoing-record.ts';
import { inDoubt, rejected, type Secrets, tellsOfAnError, withoutAnswer } from './verdict.ts';

/** Where an item says which row it is about. */
const indexNames = ['index', 'row', 'position'] as const;
/** What a row and its item may have in common. */
const echoNames = ['reference', 'externalId', 'externalReference', 'id', 'key'] as const;
/** `transactions[3].amount`, `/transactions/3/amount`, `3.amount`: the row, and the field in it. */
const rowInPath = /^(?:[^\d]*?[[./])?(\d+)(?:\]|(?=[./])|$)[./]?(.*)$/;
const firstErrorStatus = 400;

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
  contract: ContractSettings,
): BulkVerdict {
  if (end.kind === 'no-answer') return forAll(records.map((record) => withoutAnswer(end, secretsOf(record))));
  const { answer, attempts } = end;
  const doubts = (): BulkVerdict => forAll(records.map((record) => inDoubt(answer, attempts, secretsOf(record))));
  if (end.verdict === 'in-doubt') return doubts();
  const secretsOfAll: Secrets = () => records.flatMap((record) => secretsOf(record)());
  if (end.verdict === 'rejected') return forAll(refusedTogether(records, answer, attempts, secretsOfAll));
  const { body } = answer;
  if (body.kind === 'unreadable' || body.kind === 'html') return doubts();
  const value = body.kind === 'json' ? body.value : null;
  const list = listIn(value, contract);
  if (list === null) {
    if (saysNo(value, contract)) return forAll(refusedTogether(records, answer, attempts, secretsOfAll));
    if (tellsOfAnError(value)) return doubts();
    return forAll(records.map(() => accepted(null, answer, attempts, contract)));
  }
  const items = matched(records, list);
  const outcomes = records.map((record, index) => {
    const item = items[index];
    return item === undefined
      ? inDoubt(answer, attempts, secretsOf(record))
      : ofItem(item, answer, attempts, secretsOf(record), contract);
  });
  return { outcomes, isForAll: false };
}

function forAll(outcomes: readonly Outcome[]): BulkVerdict {
  return { outcomes, isForAll: true };
}

function listIn(value: unknown, contract: ContractSettings): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  for (const path of contract.answers.transactionResults) {
    const found = valueAt(value, [path]);
    if (Array.isArray(found)) return found;
  }
  return null;
}

/** The item of each row: by its number, by something that both have, or by its place in a list of the same length. */
function matched(records: readonly OutgoingRecord[], list: readonly unknown[]): readonly unknown[] {
  const byIndex = matchedByIndex(records.length, list);
  if (byIndex !== null) return byIndex;
  const byEcho = matchedByEcho(records, list);
  if (byEcho !== null) return byEcho;
  return list.length === records.length ? list : [];
}

function matchedByIndex(length: number, list: readonly unknown[]): readonly unknown[] | null {
  for (const name of indexNames) {
    const indices = list.map((item) => (isObject(item) ? item[name] : undefined));
    if (indices.length === 0 || !indices.every(isWholeNumber) || new Set(indices).size !== indices.length) continue;
    // Whether counting begins with 0 or with 1 shows only when one of the two ends is there.
    const first = indices.includes(0) ? 0 : indices.includes(length) ? 1 : null;
    if (first === null || indices.some((index) => index - first >= length)) continue;
    const items: unknown[] = new Array(length).fill(undefined);
    indices.forEach((index, place) => {
      items[index - first] = list[place];
    });
    return items;
  }
  return null;
}

function matchedByEcho(records: readonly OutgoingRecord[], list: readonly unknown[]): readonly unknown[] | null {
  for (const name of echoNames) {
    const sent = records.map(({ body }) => textOf(body[name]));
    if (sent.some((text) => text === null) || new Set(sent).size !== sent.length) continue;
    const itemByText = new Map(list.map((item) => [isObject(item) ? textOf(item[name]) : null, item]));
    if (itemByText.has(null) || itemByText.size !== list.length) continue;
    if (![...itemByText.keys()].every((text) => sent.includes(text))) continue;
    return sent.map((text) => itemByText.get(text));
  }
  return null;
}

function ofItem(
  item: unknown,
  answer: Answer,
  attempts: number,
  secrets: Secrets,
  contract: ContractSettings,
): Outcome {
  if (!isRefused(item, contract)) return accepted(item, answer, attempts, contract);
  const error = itemErrorOf(item, secrets());
  return {
    state: 'rejected',
    attempts,
    httpStatus: answer.status,
    message: error?.message ?? 'The service refused this row and gave no reason.',
    fields: error?.fields ?? [],
  };
}

function isRefused(item: unknown, contract: ContractSettings): boolean {
  if (!isObject(item)) return false;
  const { status } = item;
  return saysNo(item, contract) || tellsOfAnError(item) || (typeof status === 'number' && status >= firstErrorStatus);
}

function accepted(item: unknown, answer: Answer, attempts: number, contract: ContractSettings): Outcome {
  const found = referenceIn(item, contract);
  const reference = { ...found, id: found.id ?? (typeof item === 'string' && item !== '' ? item : null) };
  return { state: reference.id === null ? 'accepted' : 'created', attempts, httpStatus: answer.status, ...reference };
}

/** A request that was refused as a whole: the rows that the error names get their own words, the others are told why. */
function refusedTogether(
  records: readonly OutgoingRecord[],
  answer: Answer,
  attempts: number,
  secrets: Secrets,
): readonly Outcome[] {
  const whole = errorTextOf(answer.status, answer.body, secrets());
  const own = new Map<number, { path: string; message: string }[]>();
  for (const { path, message } of whole.fields) {
    const [, index, field] = rowInPath.exec(path) ?? [];
    if (index === undefined || Number(index) >= records.length) continue;
    own.set(Number(index), [...(own.get(Number(index)) ?? []), { path: field ?? '', message }]);
  }
  const others = `The service refused the whole request of ${records.length} rows, so this one is not in: ${whole.message}`;
  return records.map((_, index) => {
    const fields = own.get(index);
    const outcome = rejected(answer, attempts, secrets);
    if (outcome.state !== 'rejected') return outcome;
    if (fields === undefined)
      return { ...outcome, message: records.length === 1 ? outcome.message : others, fields: [] };
    const message = fields
      .map((field) => (field.path === '' ? field.message : `${field.path}: ${field.message}`))
      .join(' ');
    return { ...outcome, message, fields: fields.filter(({ path }) => path !== '') };
  });
}

function isWholeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
