/** Text that a spreadsheet would take for a formula gets an apostrophe in front, and loses it again when it is read back. */

const dangerousStart = /^[=+\-@\t\r\n]/;
/** A negative number is no formula, and stays one. */
const plainNumber = /^[+-]?\d[\d.,]*$/;
const defusedStart = /^'+[=+\-@\t\r\n]/;

/** `=2+2` to `'=2+2`; text that already looks defused gets a further apostrophe, so that nothing is ambiguous. */
export function defuse(text: string): string {
  const isDangerous = dangerousStart.test(text) && !plainNumber.test(text);
  return isDangerous || defusedStart.test(text) ? `'${text}` : text;
}

/** The inverse of {@link defuse} for every text. */
export function undefuse(text: string): string {
  return defusedStart.test(text) ? text.slice(1) : text;
}
