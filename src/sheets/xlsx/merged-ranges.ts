/** The ranges of merged cells, which stand behind the rows of a sheet. */
import type { MergedRange } from '../cell.ts';
import { columnIndex } from './cell-reference.ts';

/** Never looked for beyond its own tag: a part made of beginnings alone costs no more than another. */
const mergedRange = /<(?:[\w.-]+:)?mergeCell\s(?:[^<>]*?\s)?ref\s*=\s*["']([^"'<>]*:[^"'<>]*)["']/g;
const reference = /^([A-Za-z]{1,3})(\d{1,7})(?::([A-Za-z]{1,3})(\d{1,7}))?$/;

/** @param text  XML that ends where a tag ends */
export function* mergedRangesIn(text: string): Generator<MergedRange> {
  for (const match of text.matchAll(mergedRange)) {
    const range = rangeOf(match[1] ?? '');
    if (range !== null) yield range;
  }
}

/** @param written  `A2`, or `A2:B3`; anything else is no range, and gives `null` */
export function rangeOf(written: string): MergedRange | null {
  const match = reference.exec(written);
  if (match === null) return null;
  const [, column = '', row = '', lastColumn = column, lastRow = row] = match;
  return {
    firstRow: Number(row) - 1,
    lastRow: Number(lastRow) - 1,
    firstColumn: columnIndex(column),
    lastColumn: columnIndex(lastColumn),
  };
}
