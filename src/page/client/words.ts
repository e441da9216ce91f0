/** Numbers and amounts as people read them. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function rows(value: number): string {
  return value === 1 ? '1 row' : `${count(value)} rows`;
}

/** An exact amount, to the cent, from its decimal text: no floating point comes near it. */
export function money(text: string | null): string {
  if (text === null) return '';
  const [whole = '0', cents = ''] = text.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${text.startsWith('-') ? '-' : ''}${grouped}.${cents.padEnd(2, '0')}`;
}
