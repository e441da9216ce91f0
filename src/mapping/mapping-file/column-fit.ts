/** Whether the values of a column can be those of a field: what no reader could read is no suggestion. */
import { assumedContract } from '../../contract/contract-settings.ts';
import type { Field } from '../../contract/fields.ts';
import { noEvidence } from '../column-evidence.ts';
import { type FilledCell, shownText } from '../reading.ts';
import { readerOf } from '../value-readers.ts';
import { isState } from '../values/states.ts';

/** Filled cells that are looked at. */
const mostCells = 50;

/** Whatever the order of dates and the decimal mark may turn out to be. */
const readings = [
  noEvidence,
  { ...noEvidence, dateOrder: 'mdy', decimal: 'point' },
  { ...noEvidence, dateOrder: 'dmy', decimal: 'comma' },
] as const;

/** @returns whether at least half of the cells can be read; so it is where none is filled */
export function canHold(field: Field, cells: readonly FilledCell[]): boolean {
  // A value that a choice does not have is asked about: the mapping says what it stands for.
  if (field.choices !== null) return true;
  const looked = cells.slice(0, mostCells);
  const readers = readings.map((evidence) =>
    readerOf({ use: 'field', index: 0, header: field.label, field }, evidence, assumedContract),
  );
  const isReadable = (cell: FilledCell) =>
    field.format === 'state' ? isState(shownText(cell)) : readers.some((read) => read(cell).ok);
  return looked.filter(isReadable).length * 2 >= looked.length;
}
