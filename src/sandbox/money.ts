/** Amounts in whole cents. JSON numbers come in, exact cents are stored and summed, JSON numbers go out. */
import Big from 'big.js';

const centsInUnit = 100;

/** The largest amount whose cents, and sums of very many of them, are kept exactly: one trillion. */
export const largestAmount = 1_000_000_000_000;

/** 228.575 to 22858: exact decimal arithmetic, halves away from zero. */
export function centsOf(amount: number): number {
  return Big(amount).times(centsInUnit).round(0, Big.roundHalfUp).toNumber();
}

/** The cents of an amount times a rate, rounded once. */
export function centsTimes(cents: number, rate: number): number {
  return Big(cents).times(Big(rate)).round(0, Big.roundHalfUp).toNumber();
}

/** 22858 to 228.58. */
export function amountOf(cents: number): number {
  return Number(Big(cents).div(centsInUnit).toFixed(2));
}
