/**
 * What programs and people write where there is nothing. Whether it counts as blank is for a person to say: a dash may be a zero,
 * and the letters may be a name.
 */
import { valueMessage } from '../messages/values.ts';
import { fault, noted, type Reading } from './reading.ts';

/** In these cases of letters alone: Nan, Nat and Nil are first names, and Null is a last one. */
const wordForNothing =
  /^(?:[Nn]\/[Aa]|NA|NULL|null|[([]null[)\]]|[([]NULL[)\]]|NaN|nan|NaT|nil|none|None|NONE|undefined|\\N|\((?:blank|empty)\)|[Nn]ot (?:applicable|available|provided)|[-\u2012-\u2015\u2212]{1,3})$/;
/** What words for nothing begin with, and no more characters than they have: a regular expression for each cell took 3 µs a row. */
const beginnings = ' \tnNu([\\-\u2012\u2013\u2014\u2015\u2212';
const longest = 24;
const dashes = /^[-\u2012-\u2015\u2212]+$/;

export function standsForNothing(text: string): boolean {
  return text.length <= longest && beginnings.includes(text.charAt(0)) && wordForNothing.test(text.trim());
}

/** Whether a word for nothing is a dash, which among amounts may as well be a zero. */
export function isDash(text: string): boolean {
  return dashes.test(text.trim());
}

/** The reading of a text, with the ways out where it is a word for nothing: a fault, or a text like any other. */
export function withWaysOut(reading: Reading, text: string): Reading {
  if (!standsForNothing(text)) return reading;
  const waysOut = valueMessage('word-for-nothing', { isTaken: reading.ok });
  return reading.ok ? noted(reading, waysOut) : fault(...reading.faults, waysOut);
}
