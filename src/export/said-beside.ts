/** What an answer says beside its records: no, that something went wrong, or that its list is not whole. */
import type { AnswerRules, Said } from '../contract/answer-rules.ts';
import { firstAt, plainName } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { asSentence, plainText, shortened } from '../service/plain-text.ts';
import { type Around, type AroundValue, ListFound } from './answer-outline.ts';
import { ExactNumber } from './exact-json.ts';
import { balanceFault } from './read-fault.ts';

const longestReason = 300;
const longestTold = 200;
const reasons = ['message', 'errorMessage', 'error', 'error.message', 'detail'];

/**
 * Whether a 2xx says no: what is declared as one, or another value than the declared yes.
 *
 * @param shown  the text of an answer as it may be shown
 * @returns the reason, which may be blank, or `null` when the answer says no such thing
 */
export function noSaidBy(
  answer: unknown,
  { yes, no }: Pick<AnswerRules, 'yes' | 'no'>,
  shown: (text: string) => string,
): string | null {
  const saidAt = (path: string) => {
    const held = firstAt(answer, [path]);
    return held instanceof ExactNumber ? Number(held.digits) : held;
  };
  const isOther = ([path, values]: [string, Said[string]]) =>
    [values].flat().some((value) => typeof value === typeof saidAt(path)) &&
    ![values].flat().some((value) => value === saidAt(path));
  const isNo =
    (yes !== '2xx' && Object.entries(yes).some(isOther)) ||
    no.some((each) =>
      typeof each === 'string'
        ? !isNothing(firstAt(answer, [each]) ?? null)
        : Object.entries(each).some(([path, values]) => [values].flat().some((value) => value === saidAt(path))),
    );
  if (!isNo) return null;
  const text = reasons
    .map((path) => firstAt(answer, [path]))
    .find((value) => typeof value === 'string' && value !== '');
  return asSentence(shortened(shown(String(text ?? '')), longestReason));
}

/**
 * @param isLast  whether no further page is asked for: each of the others is a part
 * @throws DealsheetError `output-failed` when something went wrong, or the list is not whole
 */
export function needWhole(
  around: Around,
  isLast: boolean,
  { balances }: ContractSettings,
  shown: (text: string) => string,
): void {
  const errors = new Set(balances.errors.map(plainName));
  const incomplete = new Set(balances.incomplete.map(plainName));
  const about = around.get('meta');
  for (const [name, value] of [...around, ...(about instanceof Map ? (about as Around) : [])]) {
    const tell = () => ({ told: shortened(plainText(shown(toldOf(name, value))), longestTold) });
    if (errors.has(plainName(name)) && !isNothing(value)) throw balanceFault('went-wrong', tell());
    const isPart = incomplete.has(plainName(name)) && (value === true || value === 'true');
    if (isPart && isLast) throw balanceFault('not-whole', tell());
  }
}

function isNothing(value: unknown): boolean {
  if (value instanceof ExactNumber) return Number(value.digits) === 0;
  if (value instanceof ListFound || Array.isArray(value)) return value.length === 0;
  return value instanceof Map ? (value as Around).size === 0 : value === null || value === false || value === '';
}

function toldOf(name: string, value: AroundValue): string {
  if (value instanceof ListFound || value instanceof Map) return `"${name}" is not empty`;
  return value instanceof ExactNumber ? `"${name}" is ${value.digits}` : `"${name}" is ${JSON.stringify(value)}`;
}
