/** Numbers and amounts as people read them. */
import type { StateCount } from '../protocol.ts';

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

export function rows(value: number): string {
  return value === 1 ? '1 row' : `${count(value)} rows`;
}

export function countOf(states: readonly StateCount[], wanted: string): number {
  return states.find(([state]) => state === wanted)?.[2] ?? 0;
}

/** An exact amount, to the cent, from its decimal text: no floating point comes near it. */
export function money(text: string | null): string {
  if (text === null) return '';
  const [whole = '0', cents = ''] = text.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.padEnd(2, '0')}`;
}
