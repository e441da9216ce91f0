/** What is said of ids, EIN, SSN and ZIP: digits that are text. Each text goes on from the field and the value. */
import { messagesOf } from './message.ts';

export const identifierTexts = {
  'too-many-digits': () =>
    'has more digits than a number can carry exactly (15): a spreadsheet may have rounded it. Check it and write it with fewer digits, or format the column as text and put the whole digits in again.',
  'perhaps-rounded': () =>
    'has only zeros after its fifteenth digit, as if a spreadsheet had rounded it. Check it: it is sent as it is.',
  'ends-like-amount': () =>
    'ends like an amount: a program has treated it as a number. Enter it without the decimals, and check that no leading zero is missing.',
  'id-in-scientific-form': () =>
    'is written in scientific form, in which a spreadsheet drops digits. Format the column as text, put the whole number in again, and export the file again.',
  'made-of-text': () =>
    'is a number in a form that a spreadsheet makes of a text, as it takes 12E4 for 120000. Format the column as text, and type the value again.',
  'zero-lost': ({ example: [example] }: { example: readonly string[] }) =>
    `has one digit too few: a spreadsheet has dropped the leading zero. Format the column as text and put the zero back, as in ${example}.`,
  'last-digits-alone': () =>
    'is masked by the program that wrote it: only the last digits are there. Enter the whole number, or clear the cell.',
  'dash-for-hyphen': () => 'is read with a hyphen in place of its dash.',

  'ssn-for-ein': () => 'is written like an SSN. An EIN is written 12-3456789.',
  'not-an-ein': () => 'is not an EIN. An EIN has nine digits, such as 12-3456789.',
  'ein-prefix-unknown': () => 'starts with two digits that no EIN starts with.',
  'not-an-ssn': () => 'is not an SSN. An SSN has nine digits, such as 123-45-6789.',
  'ssn-never-issued': () => 'is a number that is never issued as an SSN.',
  'not-a-zip': () => 'does not look like a ZIP code: they have five digits, or nine.',
} as const;

export const identifierMessage = messagesOf<typeof identifierTexts>();
