/** What is said of a cell that a mapping splits: that it has other parts than there are fields, or perhaps another order. */

import { saidOfValue } from '../../mapping/remark.ts';
import type { Finding } from '../../messages/finding.ts';
import type { Cell } from '../../sheets/cell.ts';
import { trimmedText } from '../reading.ts';
import { type Remark, remark } from '../remark.ts';
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
    const said = saidOfParts(parts, read);
    return said === null ? [] : [saidOfValue('warning', column, subject, { value: trimmedText(cell), said })];
  };
}

const tooFewParts = remark`has fewer parts than the fields that it is split into: the last of them have none.`;

/** What is to be said of a cell of so many parts that is split into as many fields as are read, or `null` for nothing. */
function saidOfParts(parts: number, read: readonly string[]): Remark | null {
  if (parts < read.length) return tooFewParts;
  const words = read.map((part) => `"${part}"`).join(' and ');
  if (parts > read.length)
    return remark`is split into ${words}: surplus parts stay with the first. Where that is wrong, give them columns of their own in the file.`;
  if (!read.some((part) => part.endsWith(','))) return null;
  return remark`is split into ${words}: its comma may say that they stand the other way round. Where they do, give them columns of their own in the file.`;
}
