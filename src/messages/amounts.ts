/** What is said of numbers and money. Each text goes on from the field and the value. */
import { type Message, messagesOf, type Told } from './message.ts';

const check = 'Check it: it is sent as it is.';
const inMapping = 'set "decimals" in a mapping';
/** @param isComma  the column has a comma in front of its decimals */
const howToWrite = (isComma: boolean): string => `Write it like 1250 or ${isComma ? '1250,50' : '1250.50'}.`;

interface Decimals {
  readonly isComma: boolean;
}

export const amountTexts = {
  'not-a-number': ({ isComma }: Decimals) => `is not a number. ${howToWrite(isComma)}`,
  'no-number-but': ({ form }: { form: Message }, told: Told) =>
    `${told(form)}, not a number. Format the cell as a number.`,
  'percentage-for-amount': () => `is a percentage, but an amount is needed. ${howToWrite(false)}`,

  'two-amounts': ({ why }: { why: Message }, told: Told) => `can be two amounts: ${told(why)}`,
  'both-marks-in-column': () =>
    `the other cells of the column use both the point and the comma as decimal mark. ${howToWrite(false)}`,
  'comma-elsewhere': () =>
    `other columns of the sheet have a comma in front of their decimals, and nothing in this column settles it. If those are typos, correct them. Otherwise write it like 1250, or with one more zero, like 1,2850, or ${inMapping}.`,
  'cents-or-thousands-at-point': () =>
    `nothing in its column shows whether the point separates cents or thousands. Write it like 1250 or 1.25, or ${inMapping}.`,
  'cents-or-thousands-at-comma': () =>
    `other cells of the column have a comma in front of cents, and cents have two digits. If those are typos, correct them. Otherwise write this one like 1250 or 1250,50, or ${inMapping}.`,
  'perhaps-thousands': ({ isComma }: Decimals) =>
    `is perhaps another amount: other cells of the column are text with a ${isComma ? 'comma' : 'point'} in front of the decimals, which a spreadsheet leaves where it makes 1.25 of ${isComma ? '1.250' : '1,250'}. ${check}`,

  'beyond-cents': ({ read }: { read: string }) => `has more than two decimals: it is read as ${read}.`,
  'binary-rest': ({ read }: { read: string }) =>
    `is read as ${read}: its last digits are a rounding error of the program that wrote it.`,
  'currency-not-sent': ({ read, currency }: { read: string; currency: string }) =>
    `is read as ${read}: its currency (${currency}) is not sent.`,
  'zero-in-accounts': () => 'is read as 0: a spreadsheet shows zero so in an accounting format.',
  'percent-or-share': ({ read }: { read: string }) => `is read as ${read} percent. Write 60 or 60% for sixty percent.`,
  'percent-outside': ({ isBelow }: { isBelow: boolean }) =>
    `is ${isBelow ? 'below 0' : 'more than 100'} percent. ${check}`,

  'shown-otherwise': ({ number }: { number: number }) =>
    `is shown so by the format of its cell alone: the number in it is ${number}. Format the cell as a number without words, and enter the whole amount with its own sign, like 1250 or -1250.`,
  'read-of-form': ({ number }: { number: number }) =>
    `is read as ${number}: the format of its cell shows it in another form, or not at all.`,
} as const;

export const amountMessage = messagesOf<typeof amountTexts>();
