/** Personal values as pages show them: enough to recognise, not enough to use. */
import type { PathSegment } from '../contract/fields.ts';

const shownDigits = 4;
const ssnDigits = 9;

/** `219-09-9999` to `•••-••-9999`; anything else that is sensitive, such as a date of birth, to `••••`. */
export function masked(name: PathSegment, value: unknown): string {
  const digits = String(value).replace(/\D/g, '');
  return name === 'ssn' && digits.length === ssnDigits ? `•••-••-${digits.slice(-shownDigits)}` : '••••';
}
