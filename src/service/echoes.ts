/**
 * What a message repeats of its row: a note with the status Declined is "saved (Declined)", and not declined. A word that could
 * be the service's own counts as such: "Note creation failed" says no, whatever stands in the row.
 */
import { isObject } from './answer.ts';

/** So many words in a row are nobody's by chance. */
const wordsOfSentence = 3;
const brackets = ['()', '[]', '""', "''", '“”', '«»', '``'] as const;

/** @param sent  what was sent for the row, or `null` for many rows */
export function withoutEchoes(message: string, sent: Readonly<Record<string, unknown>> | null): string {
  if (sent === null) return message;
  return textsIn(sent).reduce((rest, text) => withoutEcho(rest, text.trim()), message);
}

function withoutEcho(message: string, text: string): string {
  const words = text.split(/\s+/).length;
  if (words > 1 && message.trim() === text) return '';
  const isSentence = words >= wordsOfSentence;
  const echoes = isSentence ? [text] : brackets.map(([open, close]) => `${open}${text}${close}`);
  return text === '' ? message : echoes.reduce((rest, echo) => rest.replaceAll(echo, ' '), message);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
