/**
 * What an answer says beside its list of balances: that something went wrong, or that the list is not whole. Its one rule:
 * a list that may not be whole is never written as if it were. The interface shows none of it (4.12).
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import { isNoStatus, isNothing } from '../../service/answers/values-of-answer.ts';
import { AnswerWords, isNo, plainName, type Word } from '../../service/answers/words-of-answer.ts';
import { plainText, shortened } from '../../service/text/plain-text.ts';
import { ExactNumber } from './exact-json.ts';
import type { Query } from './next-page.ts';
import { asBefore, askForAll } from './read-fault.ts';
import { type Around, type AroundValue, ListFound } from './record-list.ts';

export interface AnswerAround {
  readonly around: Around;
  /** What was asked: a filter that comes back tells nothing. */
  readonly query: Query;
  /** Whether no further page is asked for: each of the others is a part. */
  readonly isLast: boolean;
  /** Records on all pages so far. */
  readonly recordsSoFar: number;
  readonly contract: ContractSettings;
  /** The text of an answer as it may be shown. */
  readonly shown: (text: string) => string;
}

const longestTold = 200;
/** May be the number of all records, or an amount; names that leave no doubt are looked at with the pages. */
const mayCount = /^(?:total|count)$/i;

/**
 * @returns what a person should know, as whole sentences
 * @throws DealsheetError `output-failed` when the answer says that something went wrong, or that the list is not whole
 */
export function newsBeside({ around, query, isLast, recordsSoFar, contract, shown }: AnswerAround): readonly string[] {
  const words = new AnswerWords(contract.answers.signs, false);
  const errors = new Set(contract.balances.errors.map(plainName));
  const incomplete = new Set(contract.balances.incomplete.map(plainName));
  const asked = new Set(query.map(([, value]) => value.toLowerCase()));
  const notices: string[] = [];
  for (const [name, value] of membersOf(around)) {
    const told = shortened(plainText(shown(tell(name, value))), longestTold);
    const { group } = words.nameOf(name);
    if (errors.has(plainName(name)) && !isNothing(plain(value))) throw wentWrong(told, 'errors');
    if (incomplete.has(plainName(name)) && isLast && (value === true || value === 'true')) throw notWhole(told);
    if (isLast && mayCount.test(name) && wholeNumberIn(value) > recordsSoFar)
      notices.push(`${said(told)}, and gave ${recordsSoFar}: if that is their number, some are missing.`);
    if (typeof value === 'string' && asked.has(value.toLowerCase())) continue;
    const word = group === 'statuses' || group === 'flags' ? wordOf(value, words) : null;
    if (word === 'no') throw wentWrong(told, null);
    const isTrouble = (group === 'refused' || group === 'errors') && !isNothing(plain(value));
    const isMessage = group === 'messages' && typeof value === 'string' && isNo(words.wordOf(value));
    if (word === 'unclear' || isTrouble || isMessage)
      notices.push(`${said(told)}: look whether all of them are there.`);
  }
  return notices;
}

function said(told: string): string {
  return `The service says beside its balances that ${told}`;
}

/** Without a fraction: an amount in cents is no number of records. */
function wholeNumberIn(value: AroundValue): number {
  return value instanceof ExactNumber && /^\d{1,9}$/.test(value.digits) ? Number(value.digits) : 0;
}

/** What stands beside the records, and in an object about them. */
function membersOf(around: Around): readonly (readonly [string, AroundValue])[] {
  const about = around.get('meta');
  return [...around, ...(about instanceof Map ? (about as Around) : [])];
}

function wordOf(value: AroundValue, words: AnswerWords): Word {
  if (value === false) return 'no';
  if (value instanceof ExactNumber) return isNoStatus(Number(value.digits)) ? 'no' : null;
  return typeof value === 'string' ? words.wordOf(value) : null;
}

/** A list by its length alone: what was in it is not held. */
function plain(value: AroundValue): unknown {
  if (value instanceof ExactNumber) return Number(value.digits);
  if (value instanceof ListFound) return value.length;
  return value instanceof Map ? [...(value as Around).values()].map(plain) : value;
}

function tell(name: string, value: AroundValue): string {
  if (value instanceof ListFound || value instanceof Map) return `"${name}" is not empty`;
  return value instanceof ExactNumber ? `"${name}" is ${value.digits}` : `"${name}" is ${JSON.stringify(value)}`;
}

function wentWrong(told: string, setting: 'errors' | null): DealsheetError {
  const otherwise =
    setting === null
      ? 'When it stays so, tell those who run the service.'
      : 'When the balances are all there in spite of it, take the name out in the profile: "contract": { "balances": { "errors": […] } }.';
  return new DealsheetError(
    'output-failed',
    `${said(told)}: an export could be incomplete.`,
    `Try again. ${otherwise} ${asBefore}`,
  );
}

function notWhole(told: string): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `${said(told)}, and not how to ask for the others: an export would be incomplete.`,
    `Try again, or ${askForAll}. When the balances are all there in spite of it, take the name out in the profile: "contract": { "balances": { "incomplete": […] } }. ${asBefore}`,
  );
}
