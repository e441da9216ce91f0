/** Many rows as the values of one statement: an array for each column. */
import type { Values } from './connections.ts';

type Column<Item> = readonly [type: string, value: (item: Item, at: number) => unknown];

export interface RowsIn<Item> {
  /** To be read from, under the name q; its values begin with the number that was given. */
  readonly sql: string;
  values(items: readonly Item[]): Values;
}

/** @param columns  the type and the value of each, by its name within the statement */
export function rowsIn<Item>(columns: Readonly<Record<string, Column<Item>>>, first = 1): RowsIn<Item> {
  const all = Object.entries(columns);
  const arrays = all.map(([, [type]], at) => `?${first + at}::${type}[]`);
  return {
    sql: `unnest(${arrays.join(', ')}) WITH ORDINALITY AS q (${all.map(([name]) => name).join(', ')}, nr)`,
    values: (items) => all.map(([, [, value]]) => items.map(value)),
  };
}
