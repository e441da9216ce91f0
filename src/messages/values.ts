/** Texts about the value of a cell. Each continues after the field and the value: `Amount requested "x" is not a number.` */
import dayjs from 'dayjs';
import { hiddenMark, type Message, type TextMaker } from './message.ts';
import { asReader, howRead } from './ways.ts';

const check = 'Check it: it was not changed.';
const inMapping = 'set "decimals" in a mapping';
const writeDay = 'Write it like 2026-04-30.';

const partsInFront = { mdy: 'month', dmy: 'day', ymd: 'year' } as const;
type Order = keyof typeof partsInFront;
/** The day that each order makes of a text, or `null`. */
type Days = Readonly<Record<Order, string | null>>;

/** The readings of a date (`month first (April 3, 2026) or day first (March 4, 2026)`), and how a person chooses one. */
function readingsOf(days: Days): { readonly readings: string; readonly way: string; readonly forGood: string } {
  const orders = (Object.keys(partsInFront) as Order[]).filter((order) => days[order] !== null);
  const listed = (textOf: (order: Order) => string) => orders.map(textOf).join(' or ');
  const choices = listed((order) => `“${partsInFront[order].replace(/^./, (letter) => letter.toUpperCase())} first”`);
  const declared = listed((order) => `"${order}"`);
  return {
    readings: listed((order) => {
      const day = String(days[order]);
      return `${partsInFront[order]} first${day === hiddenMark ? '' : ` (${longDay(day)})`}`;
    }),
    way: asReader(`give --date-order ${listed(String)}`, `choose ${choices} under ${howRead}`),
    forGood: asReader(`; for good, set "dateOrder": ${declared} in a mapping, or in "formats" in the profile`, ''),
  };
}

/** `2026-04-30` as `April 30, 2026`. `Intl` takes a hundred times as long for each. */
function longDay(day: string): string {
  const date = dayjs(day);
  return date.isValid() ? date.format('MMMM D, YYYY') : day;
}

function unsettled(can: 'can' | 'can only', or: string) {
  return (params: Days & { how: Message }, textOf: TextMaker) => {
    const { readings, way, forGood } = readingsOf(params);
    return `${can} be read ${readings}, and its column ${textOf(params.how)}. ${writeDay} ${or} ${way}${forGood}.`;
  };
}

const writeAmount = 'Write it like 1250 or 1250.50.';

export const valueTexts = {
  'read-as': 'is read as {read}.',
  'blanks-around': 'had spaces around it, which were removed.',
  'unseen-characters': 'has invisible characters, or an apostrophe before =, +, - or @, which were removed.',
  'misread-letters': `looks as if a program had changed its letters, as é becomes Ã©, or & becomes &amp;. ${check}`,
  'letters-lost':
    'has letters that are lost: a program wrote \ufffd for what it could not read. Put the letters back, or export the file again as UTF-8.',
  'like-a-formula':
    'begins like a formula, and is read as the text that it is. If its result is meant, put that into the cell.',
  'sent-as-text':
    '{form} in the file, and is read as the text {text}. If that is wrong, format the cell as text and enter the value again.',
  'form-date': 'is a date',
  'form-time': 'is a time',
  'form-number': 'is a number that is hidden, or has a form such as 12E4,',
  'word-for-nothing':
    '[isTaken?is what programs write for "no value", and is read as a text. If it means no value, clear the cell, or list it under "blanks" in a mapping.|means "no value", and counts as blank.]',

  'marks-alone': 'has no letter and no digit. If it repeats the cell above, enter the value itself.',

  'error-value': 'is an error value of the spreadsheet, not data. Put the value itself into the cell, or empty it.',
  'perhaps-cut':
    'has as many characters as a cell of a spreadsheet can hold: what was longer is cut off. Load it from a CSV file that has the whole text, or shorten it.',
  'column-too-narrow':
    'is what a spreadsheet shows where a column is too narrow for its numbers. Widen the column there, and export the file again.',
  'formula-without-value':
    'is a formula whose result is not in the file. Enter the result here, or open the file that you loaded in a spreadsheet program, save it, and load it again.',
  'too-long': 'has more than {most} characters, too many for this field. Enter only the value.',
  masked:
    'is masked: the stars hide a value in a results sheet. Put the value itself into the cell, or load your own file.',

  'clear-nearly':
    'is nearly <clear>, which empties a field. Write <clear> and nothing else into the cell to empty the field, or enter the new value.',
  'clear-outside-updates':
    'empties a field of a company update, and cannot stand here. Enter a value, or leave the cell blank.',
  'clear-of-needed': 'cannot empty this field: every company needs one.',
  'clear-and-filled': 'empties the whole list, and another cell of the row fills it. Keep one of the two.',

  'choice-read-as': 'is read as {read}.',
  'not-a-choice': '[part?has "{part}", which ]is not one of the allowed values: {allowed}.[near? Did you mean {near}?]',
  'not-an-email': 'is not an e-mail address.',
  'below-least': 'must be at least {least}.',
  'too-many-characters': 'has {length} characters, and at most {most} are allowed.',
  empty: 'must not be empty.',
  'not-allowed': 'is not allowed: {why}.',

  'beside-another':
    'stands beside a value in another column that is joined into the same number. Empty one of the two, or give each a row of its own.',
  'sign-turned':
    'is read as {read}: "minus" in the mapping turns the sign of its column, and this amount was negative already. If that is wrong, take the column out of "minus".',
  'split-too-few':
    'is split into {parts}: it has fewer parts than fields. If that is wrong, give the parts columns of their own in the file.',
  'split-surplus':
    'is split into {parts}: it has more parts than fields. If that is wrong, give the parts columns of their own in the file.',
  'split-at-comma':
    'is split into {parts}, but its comma may mean that they are the other way round. If so, give the parts columns of their own in the file.',

  'not-a-number': 'is not a number. Write it like 1250 or [isComma?1250,50|1250.50].',
  'no-number-but': '{form}, not a number. Format the cell as a number.',
  'percentage-for-amount': `is a percentage, but an amount is needed. ${writeAmount}`,

  'two-amounts': 'can be two amounts: {why}',
  'both-marks-in-column': `the other cells of the column use both the point and the comma as decimal mark. ${writeAmount}`,
  'comma-elsewhere': `other columns of the sheet have a comma in front of their decimals, or semicolons stand between its cells, and nothing in this column settles it. If those commas are typos, correct them. Otherwise write it like 1250, or with one more zero, like 1,2850, or ${inMapping}.`,
  'cents-or-thousands-at-point': `nothing in its column shows whether the point separates cents or thousands. Write it like 1250 or 1.25, or ${inMapping}.`,
  'cents-or-thousands-at-comma': `other cells of the column have a comma in front of cents, and cents have two digits. If those are typos, correct them. Otherwise write this one like 1250 or 1250,50, or ${inMapping}.`,
  'perhaps-thousands':
    'is read as {read}, but was perhaps a thousand times as much: other cells of the column are text with a decimal [isComma?comma|point], and the spreadsheet that left them so takes [isComma?1.250|1,250] for 1.25. Compare it with the original, and if it was more, enter the whole amount, like 1250.',

  'beyond-cents': 'has more than two decimals: it is read as {read}.',
  'binary-rest': 'is read as {read}: its last digits are a rounding error of the program that wrote it.',
  'currency-not-sent': 'is read as {read}: its currency ({currency}) is not sent.',
  'zero-in-accounts': 'is read as 0: a spreadsheet shows zero so in an accounting format.',
  'percent-or-share': 'is read as {read} percent. Write 60 or 60% for sixty percent.',
  'percent-outside': `is [isBelow?below 0|more than 100] percent. ${check}`,

  'shown-otherwise':
    'is shown so only by the format of its cell: the number in it is {number}. Format the cell as a number without words, and enter the whole amount with its own sign, like 1250 or -1250.',
  'read-of-form': 'is read as {number}: the format of its cell shows it in another form, or not at all.',

  'day-read-as': (
    { day, how, isShortYear }: { day: string; how: Message; isShortYear: boolean },
    textOf: TextMaker,
  ) => {
    const read = day === hiddenMark ? textOf(how) : `is read as ${day}`;
    return isShortYear ? `${read}: its two-digit year is read as one from 1930 to 2029.` : `${read}.`;
  },
  'month-first': 'is read month first',
  'day-first': 'is read day first',
  'year-first': 'is read year first',
  'either-order': 'is read as the day that it is in either order',
  'spelt-out': 'is read as the day that its words say',
  'time-left-out': 'is read as {day}: the time of day is left out.',
  'day-unseen': 'is read with a [isYear?year|day] that the cell does not show. Check it.',
  'perhaps-swapped': `may be {other}, with day and month swapped: other cells in the column are dates stored as text, as happens when a spreadsheet takes the day for the month. ${check}`,
  'against-order': `is read by its own numbers, against the order of dates that was given. ${check}`,
  'order-told-by-few': (days: Days) => {
    const { readings, way } = readingsOf(days);
    return `can be read ${readings}, and only few cells tell the order. If those cells are typos, ${way}.`;
  },
  'day-in-future': 'is a day in the future. Check its year.',
  'day-far-away': `is so far in the past or future that it may be a typo. ${check}`,

  'not-a-date': `is not a date. ${writeDay}`,
  'number-for-date': 'is a number, not a date. Format the cell as a date, or write it like 2026-04-30.',
  'time-without-day': `is a time without a day. ${writeDay}`,
  'no-such-day': `is not a day in the calendar. ${writeDay}`,
  'two-days': unsettled('can', 'Or'),
  'other-order': unsettled('can only', 'Or, if that is the order of all dates of the file,'),
  'order-not-shown': 'does not show the order',
  'both-orders-shown': 'has dates that contradict each other',

  'too-many-digits':
    'has more digits than a number can carry exactly (15): a spreadsheet may have rounded it. Format the column as text and enter the whole number again, or write it with fewer digits.',
  'address-for-id': 'is an address, and is read as it is. If the id in it is meant, enter that alone.',
  'perhaps-rounded': `has only zeros after its fifteenth digit, as if a spreadsheet had rounded it. ${check}`,
  'ends-like-amount':
    'ends like an amount: a program has treated it as a number. Enter it without the decimals, and check that no leading zero is missing.',
  'id-in-scientific-form':
    'is written in scientific form, in which a spreadsheet drops digits. Format the column as text, put the whole number in again, and export the file again.',
  'made-of-text':
    'may not be the whole value: a number format hides digits, or a program took a text for a number, as 12E4 for 120000. Format the column as text, and type the value again.',
  'zero-lost':
    'has too few digits: a spreadsheet has dropped leading zeros. Format the column as text and put them back, as in {example}.',
  'last-digits-alone':
    'is masked by the program that wrote it: only the last digits are there. Enter the whole number, or clear the cell.',
  'dash-for-hyphen': 'is read with a hyphen in place of its dash.',

  'ssn-for-ein': 'is written like an SSN. An EIN is written 12-3456789.',
  'ein-for-ssn': 'is written like an EIN. An SSN is written 123-45-6789.',
  'not-an-ein': 'is not an EIN. An EIN has nine digits, such as 12-3456789.',
  'ein-prefix-unknown': 'starts with two digits that no EIN starts with.',
  'not-an-ssn': 'is not an SSN. An SSN has nine digits, such as 123-45-6789.',
  'ssn-never-issued': 'is a number that is never issued as an SSN.',
  'not-a-phone': `has no digit, and looks like no phone number. ${check}`,
  'short-phone': `has fewer than ten digits: one, or the area code, may be missing. ${check}`,
  'two-phones': `has the digits of two phone numbers, but its field is for one. ${check}`,
  'marks-elsewhere': `has nine digits, but not in groups like {example}. ${check}`,
  'not-a-zip': `is not written like a ZIP code, such as 07030 or 07030-1234. ${check}`,
} as const;
