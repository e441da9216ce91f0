/** The ranges of merged cells, which stand behind the rows of a sheet. */
import type { MergedRange } from '../cell.ts';
import { columnIndex } from './cell-reference.ts';

/** Never looked for beyond its own tag: a part made of beginnings alone costs no more than another. */
const mergedRange = /<(?:[\w.-]+:)?mergeCell\s(?:[^<>]*?\s)?ref\s*=\s*["']([A-Z]+)(\d+):([A-Z]+)(\d+)["']/g;

/** @param text  XML that ends where a tag ends */
export function* mergedRangesIn(text: string): Generator<MergedRange> {
  for (const match of text.matchAll(mergedRange)) {
    yield {
      firstRow: Number(match[2]) - 1,
      lastRow: Number(match[4]) - 1,
      firstColumn: columnIndex(match[1] ?? ''),
      lastColumn: columnIndex(match[3] ?? ''),
    };
  }
}

/** Finds those that are merged over several rows: they hide that the rows below the first have no value. */
export class MergesOverRows {
  readonly ranges: MergedRange[] = [];

  readonly look = (text: string): void => {
    if (!text.includes('mergeCell')) return;
    for (const range of mergedRangesIn(text)) if (range.lastRow > range.firstRow) this.ranges.push(range);
  };
}
