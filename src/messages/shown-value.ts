/** How a value of a cell may stand in a message. */

/** Stands where a sensitive value would stand. */
export const hiddenMark = '(hidden)';

const longestShownValue = 60;
/** Looks like the key that ends a line. */
const lineEnd = '\u21b5';
/** An SSN in a cell where none belongs. */
const strayedSsn = /(?<!\d)\d{3}([- ])\d{2}\1\d{4}(?!\d)/g;

/** A value as it may stand in a message: control characters and ends of lines made visible, an SSN hidden, long ones cut. */
export function shortened(value: string): string {
  const visible = value
    .replace(strayedSsn, '***$1**$1****')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => (character === '\n' ? lineEnd : '\uFFFD'));
  return visible.length > longestShownValue ? `${visible.slice(0, longestShownValue)}…` : visible;
}
