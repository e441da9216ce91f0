/** The moment of an export, as the person's own calendar and clock say it. */

/** `YYYY-MM-DD` */
export function localDay(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** `HH:MM:SS` */
export function localTime(moment: Date): string {
  return moment.toTimeString().slice(0, 'HH:MM:SS'.length);
}
