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

/** `1 run`, `3 runs` */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
