/** A sign in a header that says of its cells that they are not what a field of that name holds. */
import type { Field } from '../contract/fields.ts';

/** `Payment %` is a share of something, and no amount of a payment. */
export function isOtherMeasure(header: string, { format }: Field): boolean {
  return format === 'money' && header.includes('%');
}
