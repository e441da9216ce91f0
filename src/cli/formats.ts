/** Formats figures for people from decimal digits, without rounding. Avoids `Intl`, whose tables load too slowly. */

/** Formats `1234567.5` as `1,234,567.50`. */
export function money(digits: string): string {
  const [whole = '', places = ''] = digits.split('.');
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${places.padEnd(2, '0')}`;
}

export function rows(count: number): string {
  return counted(count, 'row');
}

/** `1 run`, `3 runs` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/**
 * The first lines of a list, and how many more there are.
 *
 * @param count  the total, when `lines` is not complete
 */
export function listed(lines: readonly string[], most: number, count = lines.length): readonly string[] {
  const shown = lines.slice(0, most);
  return count > shown.length ? [...shown, `… and ${count - shown.length} more`] : shown;
}

const unitsOfSize = ['B', 'kB', 'MB', 'GB'];
const bytesOfKilobyte = 1000;

/** `812 B`, `1.3 MB` */
export function fileSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), unitsOfSize.length - 1);
  return `${Number((bytes / bytesOfKilobyte ** power).toFixed(1))} ${unitsOfSize[power]}`;
}

const minute = 60;
const hour = 60 * minute;

/** Formats `75` as `1 min 15 s`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < minute) return `${whole} s`;
  if (whole < hour) return `${Math.floor(whole / minute)} min ${whole % minute} s`;
  return `${Math.floor(whole / hour)} h ${Math.floor((whole % hour) / minute)} min`;
}

/** @param began  from `performance.now` */
export function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}

/** To the millisecond, for programs to read. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
