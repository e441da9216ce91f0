/** The text as a pattern of itself. */
export function literal(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
