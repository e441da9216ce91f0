/** What is said of dates: how they were read, why they could not be, and how they can be written. Each text goes on from the value. */

import { type Message, messagesOf, type Told } from './message.ts';
import { hiddenMark } from './shown-value.ts';

const howToWrite = 'Write it like 2026-04-30.';
const check = 'Check it: it is sent as it is.';

export const dateTexts = {
  'day-read-as': ({ day, how, isShortYear }: { day: string; how: Message; isShortYear: boolean }, told: Told) => {
    const read = day === hiddenMark ? told(how) : `is read as ${day}`;
    return isShortYear ? `${read}: its two-digit year is read as one from 1930 to 2029.` : `${read}.`;
  },
  'month-first': () => 'is read month first',
  'day-first': () => 'is read day first',
  'year-first': () => 'is read year first',
  'either-order': () => 'is read as the day that it is in either order',
  'spelt-out': () => 'is read as the day that its words say',
  'time-left-out': ({ day }: { day: string }) => `is read as ${day}: the time of day is left out.`,
  'day-unseen': () => 'is read with a day that the cell does not show. Check it.',
  'perhaps-swapped': ({ other }: { other: string }) =>
    `is perhaps ${other}: other cells in the column are dates stored as text, as happens when a spreadsheet mistakes the day for the month. ${check}`,
  'day-in-future': () => 'is a day in the future. Check its year: it is sent as it is.',
  'day-far-away': () => `is so far in the past or future that it may be a typo. ${check}`,

  'not-a-date': () => `is not a date. ${howToWrite}`,
  'number-for-date': () => 'is a number, not a date. Format the cell as a date, or write it like 2026-04-30.',
  'time-without-day': () => `is a time without a day. ${howToWrite}`,
  'no-such-day': () => `is not a day in the calendar. ${howToWrite}`,
  'two-days': ({ isContradicted }: { isContradicted: boolean }) =>
    isContradicted
      ? `can be two days, and the other cells of the column contradict each other. ${howToWrite}`
      : `can be two days, and no other cell of the column tells which part is the month. ${howToWrite} Or give --date-order mdy or dmy; for good, say it in the profile: "formats": { "dateOrder": "mdy" }.`,
} as const;

export const dateMessage = messagesOf<typeof dateTexts>();
