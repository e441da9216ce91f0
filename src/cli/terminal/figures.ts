/** Figures as a person reads them, made from decimal digits: never by way of a number that would round them. */

const decimalsOfMoney = 2;

/** `1234567.5` to `1,234,567.50` */
function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? marked : `${marked}.${fraction.padEnd(decimalsOfMoney, '0')}`;
}

/** The same with cents: `5000` to `5,000.00` */
export function money(digits: string): string {
  return grouped(digits.includes('.') ? digits : `${digits}.`);
}

export function rows(count: number): string {
  return counted(count, 'row');
}

const unitsOfSize = ['B', 'kB', 'MB', 'GB'];
const bytesOfKilobyte = 1000;

/** `812 B`, `1.3 MB` */
export function fileSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), unitsOfSize.length - 1);
  return `${Number((bytes / bytesOfKilobyte ** power).toFixed(1))} ${unitsOfSize[power]}`;
}

/** `1 run`, `3 runs` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
