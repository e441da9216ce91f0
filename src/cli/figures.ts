/**
 * Figures as a person reads them, made from decimal digits: never by way of a number that would round them, and without
 * `Intl`, whose tables take longer to load than a small file to check.
 */

/** `1234567.5` to `1,234,567.50` */
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
 * @param count  of the whole, where the lines are not all of it
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

/** `75` to `1 min 15 s` */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < minute) return `${whole} s`;
  if (whole < hour) return `${Math.floor(whole / minute)} min ${whole % minute} s`;
  return `${Math.floor(whole / hour)} h ${Math.floor((whole % hour) / minute)} min`;
}
