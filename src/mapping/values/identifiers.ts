/** Reads ids, EIN, SSN, ZIP codes and phones: digits that are text. Reports digits that a spreadsheet destroyed, never guesses. */
import { createRequire } from 'node:module';
import type { Message } from '../../messages/message.ts';
import { digitsOf } from '../../messages/plain-text.ts';
import { messageOf } from '../../messages/text.ts';
import { excelDigits, roundToExcel } from '../../tables/excel-limits.ts';
import {
  changed,
  type FilledCell,
  fault,
  hasLetterOrDigit,
  isAddress,
  type Reading,
  shownText,
  textOfCell,
  value,
  wordsOfFormats,
} from '../reading.ts';
import { writtenNumber } from './amounts.ts';

/** One function of the validator library. Its types describe the ECMAScript build, but the package has this one. */
const isTaxID: (text: string, locale: 'en-US') => boolean = createRequire(import.meta.url)('validator/lib/isTaxID');

/** How programs write whole numbers if their column also has blanks. */
const asDecimal = /^\d{4,}\.0+$/;
/** `1.2E+15`. Excel writes the sign of the power, so `12E4` is an id. */
const scientific = /^[+-]?\d+(?:[.,]\d+e[+-]?|e[+-])\d+$/i;
const nineDigits = 9;

export function readIdentifier(cell: FilledCell): Reading {
  const text = shownText(cell).trim();
  const lost = lostDigits(cell, text) ?? (hidesDigits(cell) ? messageOf('made-of-text') : null);
  if (lost !== null) return fault(lost);
  if (!hasLetterOrDigit(text)) return fault(messageOf('marks-alone'));
  if (typeof cell === 'string' && looksRounded.test(text)) return changed(text, messageOf('perhaps-rounded'));
  return isAddress(text) ? changed(text, messageOf('address-for-id')) : textOfCell(cell, text);
}

/** `1235` for 1234567 in thousands: another id would be sent, perhaps that of another deal. */
function hidesDigits(cell: FilledCell): boolean {
  const isNumber = typeof cell !== 'string' && cell.kind === 'number';
  return isNumber && !digitsOf(cell.shown).includes(digitsOf(`${roundToExcel(cell.value)}`));
}

/** An id this long ends in zeros after the fifteenth digit by chance at most once in a hundred. */
const looksRounded = /^\d{15}0{2,}$/;

/** What EIN and SSN share: nine digits, perhaps with marks between them. */
interface NineDigits {
  readonly example: string;
  readonly dashed: RegExp;
  readonly faults: { readonly other: Message; readonly none: Message };
  /** The note on digits that were never issued. They are sent. */
  readonly note: (digits: string) => Message | null;
}

const ein: NineDigits = {
  example: '01-2345678',
  dashed: /^\d{2}-\d{7}$/,
  faults: { other: messageOf('ssn-for-ein'), none: messageOf('not-an-ein') },
  note: (digits) => (einPrefixes.has(digits.slice(0, 2)) ? null : messageOf('ein-prefix-unknown')),
};

const ssn: NineDigits = {
  example: '012-34-5678',
  dashed: /^\d{3}-\d{2}-\d{4}$/,
  faults: { other: messageOf('ein-for-ssn'), none: messageOf('not-an-ssn') },
  note: (digits) => (neverIssued(digits) ? messageOf('ssn-never-issued') : null),
};

export function readEin(cell: FilledCell): Reading {
  return readNineDigits(cell, ein, ssn);
}

export function readSsn(cell: FilledCell): Reading {
  return readNineDigits(cell, ssn, ein);
}

function readNineDigits(cell: FilledCell, { example, dashed, faults, note }: NineDigits, other: NineDigits): Reading {
  const written = withoutWords(cell);
  // Word processors write these dashes for a hyphen.
  const text = written.replace(/[\u2010-\u2015]/g, '-');
  const lost = lostDigits(cell, text) ?? (/^\d{8}$/.test(text) ? messageOf('zero-lost', { example: [example] }) : null);
  if (lost !== null) return fault(lost);
  if (maskedElsewhere.test(text)) return fault(messageOf('last-digits-alone'));
  if (other.dashed.test(text)) return fault(faults.other);
  const digits = digitsOf(text);
  if (digits.length !== nineDigits || !/^[\d -]+$/.test(text)) return fault(faults.none);
  const hasOtherMarks = digits !== text && !dashed.test(text.replaceAll(' ', '-'));
  const otherMarks = hasOtherMarks ? messageOf('marks-elsewhere', { example: [example] }) : null;
  const why = note(digits) ?? otherMarks ?? (text === written ? null : messageOf('dash-for-hyphen'));
  return why === null ? value(text) : changed(text, why);
}

/** The digits of a cell whose format adds words: `EIN 12-3456789`, `NY 12180`. */
export function withoutWords(cell: FilledCell): string {
  const text = shownText(cell);
  if (typeof cell === 'string' || cell.kind !== 'number') return text.trim();
  const digits = text.replace(wordsOfFormats, '').trim();
  // A format of words only, such as "none", shows no digits.
  return digits === '' ? text.trim() : digits;
}

/** `XXX-XX-9999`, `**-***6789`: how other systems mask them. */
const maskedElsewhere = /^[x*\u2022#][x*\u2022# -]*\d{1,6}$/i;

/** Computed once, because the library rebuilds its list on each call: 3 µs of a row's load. */
const einPrefixes: ReadonlySet<string> = new Set(
  Array.from({ length: 100 }, (_, number) => `${number}`.padStart(2, '0')).filter((prefix) =>
    isTaxID(`${prefix}-0000000`, 'en-US'),
  ),
);

/** Reads a ZIP code of five or nine digits. A code with letters is of another country and stays as it is. */
export function readZip(cell: FilledCell): Reading {
  const text = withoutWords(cell);
  const lost = lostDigits(cell, text);
  if (lost !== null) return fault(lost);
  if (/\p{L}/u.test(text) && hasDigit.test(text)) return value(text);
  if (/^\d{5}(?:[ -]*\d{4})?$/.test(text)) return value(text);
  // In the Northeast one zero leads, in Puerto Rico two.
  if (/^\d{3,4}(?:\d{4})?$/.test(digitsOf(text))) return fault(messageOf('zero-lost', { example: ['07030'] }));
  return changed(text, messageOf('not-a-zip'));
}

const hasDigit = /\p{Nd}/u;

/** A number with its area code. In other countries it can be shorter, so such a number only gets a note. Its letters may mean digits. */
const fewestOfPhone = 10;

export function readPhone(cell: FilledCell): Reading {
  const text = shownText(cell).trim();
  const lost = lostDigits(cell, text);
  if (lost !== null) return fault(lost);
  if (!hasDigit.test(text)) return changed(text, messageOf('not-a-phone'));
  const digits = digitsOf(text).length;
  if (digits >= 2 * fewestOfPhone) return changed(text, messageOf('two-phones'));
  const isShort = digits < fewestOfPhone && !/^\+|\p{L}/u.test(text);
  return isShort ? changed(text, messageOf('short-phone')) : value(text);
}

/** The fault for digits that a spreadsheet rounded or shortened beyond repair, or `null`. */
export function lostDigits(cell: FilledCell, text: string): Message | null {
  const isNumber = typeof cell !== 'string' && cell.kind === 'number';
  if (isNumber && hasRoundedDigits(cell.stored)) return messageOf('too-many-digits');
  if (isNumber && Math.abs(cell.value) >= 10 ** excelDigits) return messageOf('too-many-digits');
  if (isNumber && cell.inOtherForm === true) return messageOf('made-of-text');
  if (asDecimal.test(text)) return messageOf('ends-like-amount');
  return !isNumber && scientific.test(text) ? messageOf('id-in-scientific-form') : null;
}

function hasRoundedDigits(stored: string): boolean {
  const digits = digitsOf(stored.split(/e/i)[0] ?? '').replace(/^0+/, '');
  return digits.length > excelDigits && writtenNumber(stored.replace(/^\+/, '')) === null;
}

/** Area 000, 666 and 900 and above, group 00 and serial 0000 are never issued (SSA, RM 10201.035). */
function neverIssued(digits: string): boolean {
  const area = digits.slice(0, 3);
  return area === '000' || area === '666' || area >= '900' || digits.slice(3, 5) === '00' || digits.endsWith('0000');
}
