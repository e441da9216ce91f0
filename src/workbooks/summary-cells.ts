/** The cells of which Summaries are made. */
import type { OutputCell, StyleName } from '../sheets/sheet-writer.ts';

/** The name of the sheet; one of the person's own with that name keeps it, and ours gives way. */
export const summarySheetName = 'Summary';

/** @param columnsInWords  how many of them say what a row is of; all others hold numbers, which stand at the right */
export function headers(names: readonly string[], columnsInWords: number): OutputCell[] {
  return names.map((name, index) => styled(name, index < columnsInWords ? 'header' : 'header-right'));
}

export function styled(text: string, style: StyleName): OutputCell {
  return { value: text, style };
}

export function integer(count: number): OutputCell {
  return { value: count, style: 'integer' };
}

const moreThanCents = /\.\d{3}/;

/** Rounded to the cent in sight alone, sums would seem not to tie. */
export function money(digits: string): OutputCell {
  return { value: { digits }, style: moreThanCents.test(digits) ? 'money-exact' : 'money' };
}
