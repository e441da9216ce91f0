/** What is said of more than one form of dates. */
import { dateMessage } from '../../messages/dates.ts';
import type { Message } from '../../messages/message.ts';
import { shortYear } from './calendar.ts';
import type { DateOrder } from './date-order.ts';

export const noDate = dateMessage('not-a-date');
export const noSuchDay = dateMessage('no-such-day');

/** By what a day was told: the order of its parts, or words. */
type DayForm = DateOrder | 'either' | 'spelt out';

const forms: Readonly<Record<DayForm, Message>> = {
  mdy: dateMessage('month-first'),
  dmy: dateMessage('day-first'),
  ymd: dateMessage('year-first'),
  either: dateMessage('either-order'),
  'spelt out': dateMessage('spelt-out'),
};

export function readAs(day: string, year: string, form: DayForm): Message {
  return dateMessage('day-read-as', { day, how: forms[form], isShortYear: year.length === shortYear });
}
