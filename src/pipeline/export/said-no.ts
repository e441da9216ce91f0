/** A 2xx that says no: its documented flag is false (2.6), and it gives no records. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { asSentence, shortened } from '../../service/text/plain-text.ts';

const longestReason = 300;
const reasons = ['message', 'error', 'error.message', 'detail'];

/**
 * @param valueAt  gives what stands at a path of the answer
 * @param shown  the text of an answer as it may be shown
 * @returns the sentence that tells of the no, or `null` when the answer says none
 */
export function noSaidBy(
  valueAt: (path: string) => unknown,
  contract: ContractSettings,
  shown: (text: string) => string,
): string | null {
  const said = contract.answers.success.map(valueAt);
  if (!said.some((value) => value === false || value === 'false')) return null;
  const text = reasons.map(valueAt).find((value) => typeof value === 'string' && value !== '');
  return text === undefined
    ? 'The service said no.'
    : `The service said no: ${asSentence(shortened(shown(String(text)), longestReason))}`;
}
