/** The commands that messages tell: their words as they can be typed into the shell of this computer. */

/** Gives a text with the commands that it tells made whole: typed as they stand, they find the ledger that was chosen. */
export type WholeText = (text: string) => string;

const plainForAnyShell = /^[\w@%+=:,./-]+$/;
const plainForWindows = /^[^\s"&()^<>|%!;,=]+$/;

/** A "!" between double quotes is a shorthand in most shells, and none between single ones. */
export function shellWord(word: string): string {
  if (process.platform === 'win32') return plainForWindows.test(word) ? word : `"${word}"`;
  return plainForAnyShell.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Names as a flag takes them that separates them by commas. */
export function namesWithCommas(names: readonly string[]): string {
  return names.map((name) => (name.includes(',') ? `"${name}"` : name)).join(',');
}
