/**
 * Letters that were read in another character set than they were written in: a spreadsheet that opens a CSV file of UTF-8 without
 * a mark makes `cafÃ©` of `café`, and keeps it so.
 */
/** With which every such letter begins; put into the one look at each cell. */
export const beginningsOfMisread = 'ÃÂâ';

/** What follows is no letter of any word: `SÃO` is a word, and `Ã©` is none. */
const misread =
  /[ÃÂ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|â\u20ac/;

export function isMisread(text: string): boolean {
  return misread.test(text);
}
