/** What stands behind the rows of a sheet and bears on them: merged ranges, and the links of cells. */
import type { LinkedRange, MergedRange } from '../cell.ts';
import { mostLinks } from '../sheet-limits.ts';
import { mergedRangesIn, rangeOf } from './merged-ranges.ts';
import { attribute } from './sheet-tags.ts';
import type { Relation } from './xml-parts.ts';

/** Merged within one row. No table has more, and each costs memory. */
const mostWithinRows = 65_536;
const hyperlink = /<(?:[\w.-]+:)?hyperlink\s([^<>]*)>/g;
const relationId = /\s[\w.-]+:id\s*=\s*["']([^"']*)["']/;

interface NamedLink extends MergedRange {
  readonly relation: string;
}

export class BehindRowsFinder {
  readonly merges: MergedRange[] = [];
  readonly #links: NamedLink[] = [];
  readonly #ofFormulas: LinkedRange[] = [];
  #withinRows = 0;

  /** @param text  XML that ends where a tag ends */
  readonly look = (text: string): void => {
    if (text.includes('mergeCell')) for (const range of mergedRangesIn(text)) this.#keep(range);
    if (!text.includes('hyperlink')) return;
    for (const [, attributes = ''] of text.matchAll(hyperlink)) {
      const range = rangeOf(attribute(` ${attributes}`, 'ref') ?? '');
      const relation = relationId.exec(` ${attributes}`)?.[1];
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

  #keep(range: MergedRange): void {
    if (range.lastRow === range.firstRow) {
      this.#withinRows += 1;
      if (this.#withinRows > mostWithinRows) return;
    }
    this.merges.push(range);
  }
}

/** A formula that is a link to an address written in it. */
const linkFormula = /^\s*HYPERLINK\(\s*"([^"]*(?:""[^"]*)*)"\s*[,)]/i;
