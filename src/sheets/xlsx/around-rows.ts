/** What stands around the rows of a sheet and bears on them: merged ranges, and the links of cells. */
import type { LinkedRange, MergedRange } from '../cell.ts';
import { columnIndex, mostLinks } from '../excel-limits.ts';
import type { Relation } from './xml-parts.ts';

/** Merged within one row. No table has more, and each costs memory. */
const mostWithinRows = 65_536;
/** None is looked for beyond its own tag: a part made of beginnings alone costs no more than another. */
const mergedRange = /<mergeCell\s([^<>]*)>/g;
const hyperlink = /<hyperlink\s([^<>]*)>/g;
const reference = /^([A-Za-z]{1,3})(\d{1,7})(?::([A-Za-z]{1,3})(\d{1,7}))?$/;
const relationId = /\s[\w.-]+:id\s*=\s*["']([^"']*)["']/;
/** A formula that is a link to an address written in it. */
const linkFormula = /^\s*HYPERLINK\(\s*"([^"]*(?:""[^"]*)*)"\s*[,)]/i;

const refAttribute = /(?:^|\s)ref\s*=\s*["']([^"']*)["']/;

/** @param text  XML that ends where a tag ends */
export function* mergedRangesIn(text: string): Generator<MergedRange> {
  for (const [, written = ''] of text.matchAll(mergedRange)) {
    const range = rangeOf(written);
    if (range !== null) yield range;
  }
}

/** @param attributes  with `A2` or `A2:B3` as `ref`; anything else is no range, and gives `null` */
function rangeOf(attributes: string): MergedRange | null {
  const match = reference.exec(refAttribute.exec(attributes)?.[1] ?? '');
  if (match === null) return null;
  const [, first = '', row = '', last = first, lastRow = row] = match;
  return {
    firstRow: Number(row) - 1,
    lastRow: Number(lastRow) - 1,
    firstColumn: columnIndex(first),
    lastColumn: columnIndex(last),
  };
}

export class BehindRowsFinder {
  readonly merges: MergedRange[] = [];
  readonly #links: (MergedRange & { readonly relation: string })[] = [];
  readonly #ofFormulas: LinkedRange[] = [];
  #withinRows = 0;

  /** @param text  XML that ends where a tag ends */
  readonly look = (text: string): void => {
    if (text.includes('mergeCell')) {
      for (const range of mergedRangesIn(text)) {
        if (range.lastRow === range.firstRow) this.#withinRows += 1;
        if (range.lastRow !== range.firstRow || this.#withinRows <= mostWithinRows) this.merges.push(range);
      }
    }
    if (!text.includes('hyperlink')) return;
    for (const [, written = ''] of text.matchAll(hyperlink)) {
      const range = rangeOf(written);
      const relation = relationId.exec(` ${written}`)?.[1];
      if (range !== null && relation !== undefined && this.#links.length < mostLinks)
        this.#links.push({ ...range, relation });
    }
  };

  /** @param row  as Excel counts */
  readonly lookAtFormula = (row: number, column: number, formula: string): void => {
    const address = linkFormula.exec(formula)?.[1];
    if (address === undefined || this.#ofFormulas.length >= mostLinks) return;
    const place = { firstRow: row - 1, lastRow: row - 1, firstColumn: column, lastColumn: column };
    this.#ofFormulas.push({ ...place, address: address.replaceAll('""', '"') });
  };

  get namesRelations(): boolean {
    return this.#links.length > 0;
  }

  links(relations: readonly Relation[]): readonly LinkedRange[] {
    const addresses = new Map(relations.map(({ id, target, isExternal }) => [id, isExternal ? target : null]));
    const own = this.#links.flatMap(({ relation, ...range }) => {
      const address = addresses.get(relation) ?? null;
      return address === null ? [] : [{ ...range, address }];
    });
    return [...own, ...this.#ofFormulas];
  }
}
