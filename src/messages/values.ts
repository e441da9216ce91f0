/** What is said of the value of a cell. Each text goes on from the field and the value: `Amount requested "x" is not a number.` */
import { type Message, messagesOf, type Told } from './message.ts';

const check = 'Check it: it is sent as it is.';
/** One of several parts of a cell. */
const ofPart = (part: string | null): string => (part === null ? '' : `has "${part}", which `);

export const valueTexts = {
  'read-as': ({ read }: { read: string }) => `is read as ${read}.`,
  'blanks-around': () => 'had spaces around it, which were removed.',
  'unseen-characters': () => 'has invisible characters, which were removed.',
  'misread-letters': () =>
    `looks as if its letters had been read in the wrong character set, as é is read as Ã©. ${check}`,
  'like-a-formula': () =>
    'begins like a formula, and is sent as the text that it is. If its result is meant, put that into the cell.',
  'sent-as-text': ({ form, text }: { form: Message; text: string }, told: Told) =>
    `${told(form)} in the file, and is sent as the text ${text}. If that is wrong, format the cell as text and enter the value again.`,
  'form-date': () => 'is a date',
  'form-time': () => 'is a time',
  'form-number': () => 'is a number that is hidden, or has a form such as 12E4,',
  'word-for-nothing': ({ isTaken }: { isTaken: boolean }) =>
    isTaken
      ? 'is what programs write for "no value", and is sent as it is. If it means no value, clear the cell, or list it under "blanks" in a mapping.'
      : 'means "no value", and counts as blank.',

  'error-value': () =>
    'is an error value of the spreadsheet, not data. Put the value itself into the cell, or empty it.',
  'column-too-narrow': () =>
    'is what a spreadsheet shows where a column is too narrow for its numbers. Widen the column there, and export the file again.',
  'formula-without-value': () =>
    'is a formula whose result is not in the file. Open the file in a spreadsheet program, save it, and try again.',
  'too-long': ({ most }: { most: number }) =>
    `has more than ${most} characters, too many for this field. Enter the value alone.`,
  masked: () =>
    'is masked: the stars stand for a value that was hidden in a results sheet. Put the value itself into the cell.',

  'clear-nearly': () =>
    'is nearly <clear>, which empties a field. Write <clear> and nothing else into the cell to empty the field, or enter the new value.',
  'clear-outside-updates': () => 'is only for the fields of company updates. Leave the cell blank.',
  'clear-of-needed': () => 'cannot empty this field: every company needs one.',
  'clear-and-filled': () => 'empties the whole list, and another cell of the row fills it. Keep one of the two.',

  'choice-read-as': ({ read }: { read: string }) => `is read as ${read}.`,
  'not-a-choice': (params: { allowed: readonly string[]; part: string | null; near: string | null }) =>
    `${ofPart(params.part)}is not one of the allowed values: ${params.allowed.join(', ')}.${params.near === null ? '' : ` Did you mean ${params.near}?`}`,
  'not-a-deal-status': ({ known }: { known: readonly string[] }) =>
    `is not one of the deal statuses in your profile: ${known.join(', ')}.`,
  'not-an-email': () => 'is not an e-mail address.',
  'below-least': ({ least }: { least: string }) => `must be at least ${least}.`,
  'above-most': ({ most }: { most: string }) => `must be at most ${most}.`,
  'too-many-characters': ({ length, most }: { length: number; most: string }) =>
    `has ${length} characters, and at most ${most} are allowed.`,
  empty: () => 'must not be empty.',
  'not-allowed': ({ why: [why] }: { why: readonly string[] }) => `is not allowed: ${why}.`,

  'beside-another': () =>
    'stands beside a value in another column that is joined into the same number. Empty one of the two, or give each a row of its own.',
  'split-too-few': ({ parts }: { parts: string }) =>
    `is split into ${parts} alone: it has fewer parts than fields. Where that is wrong, give them columns of their own in the file.`,
  'split-surplus': ({ parts }: { parts: string }) =>
    `is split into ${parts}: surplus parts stay with the first. Where that is wrong, give them columns of their own in the file.`,
  'split-at-comma': ({ parts }: { parts: string }) =>
    `is split into ${parts}: its comma may say that they stand the other way round. Where they do, give them columns of their own in the file.`,
} as const;

export const valueMessage = messagesOf<typeof valueTexts>();
