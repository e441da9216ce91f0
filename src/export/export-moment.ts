/** The moment of an export, as the person's own calendar and clock say it. */

/** `YYYY-MM-DD` */
export function localDay(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** How far that clock is from UTC: `UTC`, `UTC+02:00`, `UTC-05:00`. */
export function localZone(moment: Date): string {
  const [, hours = '', minutes = ''] = /GMT([+-]\d\d)(\d\d)/.exec(moment.toTimeString()) ?? [];
  return moment.getTimezoneOffset() === 0 ? 'UTC' : `UTC${hours}:${minutes}`;
}

/** `HH:MM:SS` */
export function localTime(moment: Date): string {
  return moment.toTimeString().slice(0, 'HH:MM:SS'.length);
}
