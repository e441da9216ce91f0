/**
 * Text as it may be written to a terminal. Headers, cells, names of sheets and files come from elsewhere, and a terminal obeys what it
 * is shown: its one rule is that no character of theirs moves the cursor, hides a line, or turns the order of the words around.
 */

/** Controls but the end of a line and the tab, and the marks that turn the direction of what follows. */
const commanding = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;
const replacement = '\uFFFD';

/** The text with a mark in place of every character that a terminal would obey. */
export function visibleText(text: string): string {
  return text.replace(commanding, replacement);
}

/** A result for standard output: as it is, unless a person looks at it. */
export function resultAsShown(text: string): string {
  return process.stdout.isTTY === true ? visibleText(text) : text;
}
