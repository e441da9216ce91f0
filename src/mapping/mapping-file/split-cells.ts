/** What is said of a cell that a mapping splits: that it has other parts than there are fields, or perhaps another order. */

import { type Finding, findingOfValue } from '../../messages/finding.ts';
import type { Message } from '../../messages/message.ts';
import { valueMessage } from '../../messages/values.ts';
import type { Cell } from '../../sheets/cell.ts';
import { trimmedText } from '../reading.ts';
import { partOf, partsIn } from './made-cells.ts';

/** A column of a sheet that is split into fields. */
export interface SplitColumn {
  readonly column: number;
  readonly header: string;
  /** Between the parts. */
  readonly at: string;
  /** How many fields there are. */
  readonly count: number;
  readonly sensitive: boolean;
}

export function noteOfSplit({ column, header, at, count, sensitive }: SplitColumn): (cell: Cell) => readonly Finding[] {
  const subject = { label: `Column "${header}"`, sensitive };
  const fields = Array.from({ length: count }, (_, part) => part);
  return (cell) => {
    const parts = partsIn(cell, at);
    if (parts === 0) return [];
    const read = fields.map((part) => trimmedText(partOf(cell, at, count, part)));
    const note = noteOfParts(parts, read);
    return note === null ? [] : [findingOfValue('warning', column, subject, trimmedText(cell), note)];
  };
}

/** What is to be said of a cell of so many parts that is split into as many fields as are read, or `null` for nothing. */
function noteOfParts(parts: number, read: readonly string[]): Message | null {
  if (parts < read.length) return valueMessage('split-too-few');
  const words = { parts: read.map((part) => `"${part}"`).join(' and ') };
  if (parts > read.length) return valueMessage('split-surplus', words);
  return read.some((part) => part.endsWith(',')) ? valueMessage('split-at-comma', words) : null;
}
