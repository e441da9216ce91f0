/** Sentences that have no code of their own yet. */
import { type Message, messagesOf } from './message.ts';

const asSaidText = ({ words: [text = ''] }: { words: readonly string[]; reason: readonly string[] }): string => text;

export const asSaidTexts = {
  'as-said': asSaidText,
  'as-said-before': asSaidText,
  'as-said-sent': asSaidText,
  'as-said-before-sent': asSaidText,
} as const;

const message = messagesOf<typeof asSaidTexts>();

/** @param reason  the same without anything of the row's own */
export function asSaid(text: string, reason = text, code: keyof typeof asSaidTexts = 'as-said'): Message {
  return message(code, { words: [text], reason: [reason] });
}
