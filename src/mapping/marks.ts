/** Texts that are no values: what stands for nothing, and the mark that empties a field of a company update. */
import { distance } from 'fastest-levenshtein';

/**
 * What programs and people write where there is nothing. It counts as blank, but for free text, where it may be a name. In these
 * cases of letters alone: Nan, Nat and Nil are first names, and Null is a last one.
 */
const wordForNothing =
  /^(?:[Nn]\/[Aa]|NA|NULL|null|[([]null[)\]]|[([]NULL[)\]]|NaN|nan|NaT|nil|none|None|NONE|undefined|\\N|\((?:blank|empty)\)|[Nn]ot (?:applicable|available|provided)|[-\u2012-\u2015\u2212]{1,3})$/;
/** What words for nothing begin with, and no more characters than they have: a regular expression for each cell took 3 µs a row. */
const beginnings = ' \tnNu([\\-\u2012\u2013\u2014\u2015\u2212';
const longest = 24;

export function standsForNothing(text: string): boolean {
  return text.length <= longest && beginnings.includes(text.charAt(0)) && wordForNothing.test(text.trim());
}

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
