/** The text that empties a field of a company update, and texts that were meant to be it. */
import { distance } from 'fastest-levenshtein';

/** Whether a text is the mark, whatever its case and the blanks in it. */
export function isClearMark(text: string): boolean {
  return text.includes('<') && /^\s*<\s*clear\s*>\s*$/i.test(text);
}

/** Longer texts speak of the mark rather than that they are meant as one. */
const longestNear = 40;
const mostSlips = 2;

/** `<clear`, `<clear>.`, `<cleared>`, `<claer>`: nobody means such a text as a value. */
export function isNearClearMark(text: string): boolean {
  if (text.length > longestNear || !/[<>]/.test(text)) return false;
  if (/<[^\p{L}\p{N}]*clear|(?<!\p{L})clear[^\p{L}\p{N}]*>/iu.test(text)) return true;
  const word = /^[^\p{L}\p{N}]*(\p{L}+)[^\p{L}\p{N}]*$/u.exec(text)?.[1] ?? '';
  return word.length + mostSlips > 'clear'.length && distance(word.toLowerCase(), 'clear') <= mostSlips;
}
