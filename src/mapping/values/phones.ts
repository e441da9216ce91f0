/** Phone numbers stay as typed. Without + a number is of the contract's country. */
import { createRequire } from 'node:module';
import type { CountryCode } from 'libphonenumber-js';
import { type FilledCell, fault, type Reading, shownText, value } from '../reading.ts';
import { lostDigits } from './identifiers.ts';

const require = createRequire(import.meta.url);

export function readPhone(cell: FilledCell): Reading {
  const text = shownText(cell).trim();
  const lost = lostDigits(cell, text);
  return lost === null ? value(text) : fault(lost);
}

/** The number in E.164 (`+15185550142`), or `null` when it cannot be told. */
export function internationalPhone(text: string, country: string): string | null {
  const library: typeof import('libphonenumber-js') = require('libphonenumber-js');
  return library.parsePhoneNumberFromString(text, country as CountryCode)?.number ?? null;
}
