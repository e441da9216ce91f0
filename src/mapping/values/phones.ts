/** Phone numbers stay as typed; an implausible one is told. Without + a number is of the contract's country. */
import { createRequire } from 'node:module';
import type { CountryCode } from 'libphonenumber-js';
import { valueMessage } from '../../messages/values.ts';
import { changed, type FilledCell, fault, type Reading, shownText, value } from '../reading.ts';
import { lostDigits } from './identifiers.ts';

/**
 * The usual North American number: an area code and an exchange that begin with 2 to 9. libphonenumber costs some 40 µs a
 * number, this 0.1 µs, so it is asked only about the rest.
 */
const northAmerican = /^(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-]?)[2-9]\d{2}[ .-]?\d{4}$/;
const require = createRequire(import.meta.url);

export function phoneReader(country: string): (cell: FilledCell) => Reading {
  return (cell) => {
    const text = shownText(cell).trim();
    if (country === 'US' && northAmerican.test(text)) return value(text);
    const lost = lostDigits(cell, text);
    if (lost !== null) return fault(lost);
    return isPlausible(text, country) ? value(text) : changed(text, valueMessage('not-a-phone'));
  };
}

/** The number in E.164 (`+15185550142`), or `null` when it cannot be told. */
export function internationalPhone(text: string, country: string): string | null {
  return library().parsePhoneNumberFromString(text, country as CountryCode)?.number ?? null;
}

function isPlausible(text: string, country: string): boolean {
  return (
    library()
      .parsePhoneNumberFromString(text, country as CountryCode)
      ?.isPossible() === true
  );
}

function library(): typeof import('libphonenumber-js') {
  return require('libphonenumber-js');
}
