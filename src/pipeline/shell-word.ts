/** A word of a command that a message tells, as it can be typed into the shell of this computer. */

const plainForAnyShell = /^[\w@%+=:,./-]+$/;
const plainForWindows = /^[^\s"&()^<>|%!;,=]+$/;

/** A "!" between double quotes is a shorthand in most shells, and none between single ones. */
export function shellWord(word: string): string {
  if (process.platform === 'win32') return plainForWindows.test(word) ? word : `"${word}"`;
  return plainForAnyShell.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
