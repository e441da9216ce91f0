/** Which column fills which place of a record: two that would fill one place, in the same or in another way, are told. */
import { type PathSegment, pathOf } from '../contract/fields.ts';
import type { MatchedColumn } from './column.ts';

/** What stands at a place of a record. */
type Holding = 'one value' | 'a list' | 'a group of fields';

/** Two columns that cannot both be filled. */
export interface Clash {
  readonly other: MatchedColumn;
  /** What the place would have to be at once, or `null` where both columns name the same place. */
  readonly contradiction: { readonly place: string; readonly one: Holding; readonly other: Holding } | null;
}

export class ClaimedPaths {
  readonly #claims = new Map<string, { readonly column: MatchedColumn; readonly holding: Holding }>();

  /** @returns what speaks against the column, or `null` when it has its place from now on */
  claim(column: MatchedColumn): Clash | null {
    const claims = placesOf(column);
    for (const { key, place, holding } of claims) {
      const known = this.#claims.get(key);
      if (known === undefined || (known.holding === holding && holding !== 'one value')) continue;
      const isSamePlace = known.holding === holding;
      const contradiction = isSamePlace ? null : { place, one: holding, other: known.holding };
      return { other: known.column, contradiction };
    }
    for (const { key, holding } of claims) if (!this.#claims.has(key)) this.#claims.set(key, { column, holding });
    return null;
  }
}

/** The places that a path leads through, and the one where it ends. */
function placesOf(column: MatchedColumn): readonly { key: string; place: string; holding: Holding }[] {
  const isOfRow = column.use === 'field' && column.field.place === 'row';
  const segments = column.use === 'field' ? column.field.segments : column.segments;
  return segments.map((_, index) => {
    const place = pathOf(segments.slice(0, index + 1));
    return { key: `${isOfRow ? 'row' : 'body'}:${place}`, place, holding: holdingAt(segments, index) };
  });
}

function holdingAt(segments: readonly PathSegment[], index: number): Holding {
  if (index === segments.length - 1) return 'one value';
  return typeof segments[index + 1] === 'number' ? 'a list' : 'a group of fields';
}
