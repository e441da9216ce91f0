/** Text that a spreadsheet would take for a formula gets an apostrophe in front, and loses it again when it is read back. */

const dangerousStart = /^[=+\-@\t\r\n]/;
const defusedStart = /^'+[=+\-@\t\r\n]/;

/** `=2+2` to `'=2+2`; text that already looks defused gets a further apostrophe, so that nothing is ambiguous. */
export function defuse(text: string): string {
  return dangerousStart.test(text) || defusedStart.test(text) ? `'${text}` : text;
}

/** The inverse of {@link defuse} for every text. */
export function undefuse(text: string): string {
  return defusedStart.test(text) ? text.slice(1) : text;
}
