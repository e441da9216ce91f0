/** How a day is written for the service, and read back. Within the program it is `2026-06-30`. */

export const ownForm = 'YYYY-MM-DD';

/** `MM/DD/YYYY`, `DD.MM.YYYY`, `YYYYMMDD`, `YYYY-MM-DDT00:00:00Z`: each part once. */
export const dateForm = /^(?=[^Y]*YYYY[^Y]*$)(?=[^M]*MM[^M]*$)(?=[^D]*DD[^D]*$)[^\s()]{8,40}$/;

/** Writes a day; any other text stays as it is. */
export function writtenDay(text: string, form: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}

/** Reads a day that is written in a form; any other text stays as it is. */
export function readDay(text: string, form: string): string {
  const pattern = form
    .replace(/[^\w]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('MM', '(?<month>\\d\\d)')
    .replace('DD', '(?<day>\\d\\d)');
  const { year, month, day } = new RegExp(`^${pattern}$`).exec(text)?.groups ?? {};
  return year === undefined ? text : `${year}-${month}-${day}`;
}
