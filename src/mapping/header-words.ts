/** Tells a row of headers from a row of data by what its cells say, wherever it stands in its sheet. */
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { oncePer } from '../once.ts';
import type { SheetRow } from '../sheets/row.ts';
import { folded } from './headers.ts';
import { isBlank } from './reading.ts';

/** A cell that says one field by chance is no header; two fields in one row are said by headers alone. */
const fewestNames = 2;
/** A text that is longer than this is no header. */
const longestHeader = 200;

export type HeaderRowTest = (row: SheetRow) => boolean;

/**
 * Makes the function that says whether half of what a row says, or more, are headers of different columns.
 *
 * @param headers  the headers of the sheet, however they are said: they are headers wherever they stand
 * @param columns  how many columns of the sheet have a header
 */
export function headerRowTest(kind: RecordKind, headers: readonly string[], columns: number): HeaderRowTest {
  const own = knownBy(headers.map((header) => [folded(header), folded(header)]));
  // In a table of one column, what is a header elsewhere may be a value.
  const known = columns < fewestNames ? [own] : [fieldNames(kind), own];
  const fewest = Math.min(fewestNames, columns);
  const nameIn = (text: string): string | null => {
    if (text.length > longestHeader) return null;
    // Most cells are told from headers by how they begin and end; folding each of them takes far longer.
    const edge = edgesOf(text);
    if (plainEdges.test(edge) && !known.some(({ edges }) => edges.has(edge))) return null;
    const written = folded(text);
    return known.find(({ names }) => names.has(written))?.names.get(written) ?? null;
  };
  return ({ values }) => {
    const said: string[] = [];
    let others = 0;
    for (const cell of values) {
      if (isBlank(cell)) continue;
      const name = typeof cell === 'string' ? nameIn(cell) : null;
      if (name === null) others += 1;
      else if (!said.includes(name)) said.push(name);
      if (others * 2 > values.length) return false;
    }
    return said.length >= fewest && said.length >= others;
  };
}

interface KnownNames {
  /** What each folded name stands for. */
  readonly names: ReadonlyMap<string, string>;
  readonly edges: ReadonlySet<string>;
}

function knownBy(meanings: readonly (readonly [name: string, meaning: string])[]): KnownNames {
  const names = new Map(meanings.filter(([name]) => name !== ''));
  return { names, edges: new Set([...names.keys()].map(edgesOf)) };
}

const fieldNames = oncePer((kind: RecordKind) =>
  knownBy(
    fieldsOf(kind).flatMap(({ path, headers }) => [path, ...headers].map((name) => [folded(name), path] as const)),
  ),
);

const plainEdges = /^[a-z0-9]{2}$/;

function edgesOf(text: string): string {
  return (text.charAt(0) + text.charAt(text.length - 1)).toLowerCase();
}
