/** The columns of a sheet that are hidden, which stand in front of its rows. */
import type { ColumnRange } from '../cell.ts';

const column = /<(?:[\w.-]+:)?col\s([^<>]*)>/g;
const isHidden = /(?:^|\s)hidden\s*=\s*["'](?:1|true)["']/;
const rows = /<(?:[\w.-]+:)?sheetData[\s/>]/;

/** @param pieces  the part of the sheet, in texts that end where a tag ends; what stands behind the first row is not asked for */
export async function hiddenColumnsIn(pieces: AsyncIterable<string>): Promise<readonly ColumnRange[]> {
  const hidden: ColumnRange[] = [];
  for await (const piece of pieces) {
    const end = piece.search(rows);
    for (const [, attributes = ''] of (end === -1 ? piece : piece.slice(0, end)).matchAll(column))
      if (isHidden.test(attributes))
        hidden.push({ first: numberIn(attributes, 'min'), last: numberIn(attributes, 'max') });
    if (end !== -1) break;
  }
  return hidden;
}

/** The number of a column, from 0. */
function numberIn(attributes: string, name: 'min' | 'max'): number {
  return Number(new RegExp(`(?:^|\\s)${name}\\s*=\\s*["'](\\d+)["']`).exec(attributes)?.[1] ?? 0) - 1;
}
