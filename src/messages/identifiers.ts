/** What is said of ids, EIN, SSN and ZIP: digits that are text. Each text goes on from the field and the value. */
import { messagesOf } from './message.ts';

export const identifierTexts = {
  'too-many-digits': () =>
    'has more digits than a number can carry exactly (15): a spreadsheet may have rounded it. Check it and write it with fewer digits, or format the column as text and put the whole digits in again.',
  'perhaps-rounded': () =>
    'has nothing but zeros behind its fifteenth digit, as a number has that a spreadsheet has rounded. Check it: it is sent as it is.',
  'ends-like-amount': () =>
    'ends like an amount: a program has taken it for a number. Write it without the decimals, and see that no zero in front of it is gone.',
  'id-in-scientific-form': () =>
    'is written in scientific form, in which a spreadsheet drops digits. Format the column as text, put the whole number in again, and export the file again.',
  'made-scientific': () =>
    'is a number in scientific form: a spreadsheet takes 12E4 for 120000. Format the column as text, and put what was typed in again.',
  'zero-lost': ({ example: [example] }: { example: readonly string[] }) =>
    `has one digit too few: a spreadsheet has dropped the zero in front. Format the column as text and put the zero back, as in ${example}.`,
  'last-digits-alone': () =>
    'is masked by the program that wrote it: the last digits alone are there. Put the whole number in, or empty the cell.',
  'dash-for-hyphen': () => 'is read with a hyphen in place of its dash.',

  'ssn-for-ein': () => 'is written like an SSN. An EIN is written 12-3456789.',
  'not-an-ein': () => 'is no EIN. An EIN has nine digits, such as 12-3456789.',
  'ein-prefix-unknown': () => 'begins with a number that no EIN begins with.',
  'not-an-ssn': () => 'is no SSN. An SSN has nine digits, such as 123-45-6789.',
  'ssn-never-issued': () => 'is a number that is never issued as an SSN.',
  'not-a-zip': () => 'does not look like a ZIP code: they have five digits, or nine.',
} as const;

export const identifierMessage = messagesOf<typeof identifierTexts>();
