/**
 * What an answer says beside its list of balances: that something went wrong, or that the list is not whole. Its one rule:
 * a list that may not be whole is never written as if it were. The interface shows none of it (4.12).
 */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import { plainText, shortened } from '../../service/plain-text.ts';
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
  const errors = new Set(contract.balances.errors.map(plainName));
  const incomplete = new Set(contract.balances.incomplete.map(plainName));
  const asked = new Set(query.map(([, value]) => value.toLowerCase()));
  const notices: string[] = [];
  for (const [name, value] of membersOf(around)) {
    const told = shortened(plainText(shown(tell(name, value))), longestTold);
    if (errors.has(plainName(name)) && !isNothing(value)) throw wentWrong(told);
    if (incomplete.has(plainName(name)) && isLast && (value === true || value === 'true')) throw notWhole(told);
    if (typeof value === 'string' && asked.has(value.toLowerCase())) continue;
    if (isLast && mayCount.test(name) && wholeNumberIn(value) > recordsSoFar)
      notices.push(`${said(told)}, and gave ${recordsSoFar}: if that is their number, some are missing.`);
  }
  return notices;
}

/** Names are compared without case and punctuation. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function isNothing(value: AroundValue): boolean {
  if (value instanceof ExactNumber) return Number(value.digits) === 0;
  if (value instanceof ListFound) return value.length === 0;
  return value instanceof Map ? (value as Around).size === 0 : value === null || value === false || value === '';
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

function tell(name: string, value: AroundValue): string {
  if (value instanceof ListFound || value instanceof Map) return `"${name}" is not empty`;
  return value instanceof ExactNumber ? `"${name}" is ${value.digits}` : `"${name}" is ${JSON.stringify(value)}`;
}

function wentWrong(told: string): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `${said(told)}: an export could be incomplete.`,
    `Try again. If the balances are all there in spite of it, take the name out in the profile: "contract": { "balances": { "errors": […] } }. ${asBefore}`,
  );
}

function notWhole(told: string): DealsheetError {
  return new DealsheetError(
    'output-failed',
    `${said(told)}, and not how to ask for the others: an export would be incomplete.`,
    `Try again, or ${askForAll}. When the balances are all there in spite of it, take the name out in the profile: "contract": { "balances": { "incomplete": […] } }. ${asBefore}`,
  );
}
