/** What the words of somebody else's cells are to say: the value map of a column, and what stands in for a blank. */
import type { Cell } from '../../sheets/cell.ts';
import { type FilledCell, trimmedText } from '../reading.ts';
import { splitList } from '../values/texts.ts';
import type { ColumnRule } from './mapping.ts';

export interface ValueMapOptions {
  /** What a blank cell says, or `null`. */
  readonly blank: string | null;
  /** Whether a cell holds several values, each of which may be in the map. */
  readonly isList: boolean;
}

/** What a cell says, as it is looked up among the values of a rule. */
export function valueName(text: string): string {
  return text.trim().toLowerCase();
}

/** Makes the function that says what a cell says in the words of the map; what is not in it, or open there, stays as it is. */
export function valueMap(values: ColumnRule['values'], options: ValueMapOptions): (cell: Cell) => Cell {
  const told = new Map(
    Object.entries(values ?? {}).flatMap(([from, to]) => (to === null ? [] : [[valueName(from), to] as const])),
  );
  const { blank } = options;
  return (cell) => {
    const text = trimmedText(cell);
    const whole = told.get(valueName(text));
    if (whole !== undefined) return whole === '' ? blank : whole;
    if (cell === null || text === '') return blank;
    if (!options.isList || told.size === 0) return cell;
    const parts = mappedParts(cell, told);
    return parts === '' ? blank : parts;
  };
}

/** A list in the words of the map, or the cell itself when none of its values is in it. */
function mappedParts(cell: FilledCell, told: ReadonlyMap<string, string>): FilledCell {
  const parts = splitList(cell);
  if (!parts.some((part) => told.has(valueName(part)))) return cell;
  return parts
    .map((part) => told.get(valueName(part)) ?? part)
    .filter((part) => part !== '')
    .join('; ');
}
