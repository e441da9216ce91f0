/** A title that says of all amounts below that they are in thousands, as statements do: what stands in the cells is sent all the same. */
import { type Column, isAmount } from '../../mapping/column.ts';
import type { SheetRow } from '../../sheets/cell.ts';

/** `(in thousands)`, `USD in millions`, `in $ thousands`, `$000s`, `(000's omitted)`; no `not in thousands`, `$000.00` or `(000) 555-0142`. */
const scale =
  /(?<!\bnot\s+)\bin\s+(?:(?:US\s?)?\$\s?|US\s+dollars?\s+|USD\s+|dollars?\s+)?(?:thousands|millions)\b|(?<=['\u2018\u2019($\s])000['\u2019]?s\b|['\u2018\u2019($]000\b(?![.,]\d|\)\s*\d)/i;

/**
 * @param titles  the rows above the headers that are passed over
 * @returns a sentence with the remedy, or none where no title says so, or no amount is sent
 */
export function scaleInTitles(
  name: string,
  titles: readonly SheetRow[],
  columns: readonly Column[],
): readonly string[] {
  if (!columns.some((column) => column.use === 'field' && isAmount(column.field))) return [];
  const found = titles.find(({ cells }) => cells.some((cell) => typeof cell === 'string' && scale.test(cell)));
  if (found === undefined) return [];
  return [
    `${name}: row ${found.number} says that amounts are in thousands or millions, and each is sent as it stands in its cell. If they are written so, write them in full first, like 50000 for 50.`,
  ];
}
