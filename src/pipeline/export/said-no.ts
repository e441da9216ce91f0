/** A 2xx that says no: another value than the declared yes, and no records. */
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { asSentence, shortened } from '../../service/plain-text.ts';

const longestReason = 300;
const reasons = ['message', 'errorMessage', 'error', 'error.message', 'detail'];

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
  const yes = contract.answers['*']?.yes ?? { success: true };
  const isNo =
    yes !== '2xx' &&
    Object.entries(yes).some(([path, wanted]) => {
      const value = valueAt(path);
      return typeof value === typeof wanted && value !== wanted;
    });
  if (!isNo) return null;
  const text = reasons.map(valueAt).find((value) => typeof value === 'string' && value !== '');
  return text === undefined
    ? 'The service said no.'
    : `The service said no: ${asSentence(shortened(shown(String(text)), longestReason))}`;
}
