/** The time of day that programs put behind a day. */

/** What programs put behind a day: `T14:05:00Z`, ` 2:05:33 PM`, ` 00:00:00.000 +00:00`. */
const timeBehind =
  /(?:T|,?\s+)((?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:[.,]\d+)?\s*(?:[ap]\.?m\b\.?)?)\s*(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
/** The time of a day that a program keeps as a moment. */
const midnight = /^(?:00?:00(?::00)?(?:[.,]0+)?|12:00(?::00)?\s*a\.?m\.?)$/i;

/** A text with the hyphen of the keyboard in place of the dashes that other programs write. */
export function withHyphens(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212]/g, '-');
}

/** A text without the time behind its day. */
export function dayOf(text: string): string {
  return text.includes(':') ? text.replace(timeBehind, '') : text;
}

/** Whether a text with a time behind its day has one that somebody meant. */
export function hasTimeOfDay(text: string): boolean {
  return !midnight.test((timeBehind.exec(text)?.[1] ?? '').trim());
}
