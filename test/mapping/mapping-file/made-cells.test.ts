import { describe, expect, it } from 'vitest';
import { joined, partOf, partsIn } from '../../../src/mapping/mapping-file/made-cells.ts';
import type { Cell } from '../../../src/sheets/cell.ts';
import { dateCell, numberCell } from '../rows.ts';

const uncalculated: Cell = { kind: 'formula-without-value', formula: 'A2&" "&B2' };
const notAvailable: Cell = { kind: 'error', text: '#N/A' };

function split(cell: Cell, at: string, count: number): readonly Cell[] {
  return Array.from({ length: count }, (_, part) => partOf(cell, at, count, part));
}

describe('a cell that is taken apart', () => {
  it('gives its parts in their order, surplus ones to the first, as they are written', () => {
    expect(split('Ada Moreno', ' ', 2)).toEqual(['Ada', 'Moreno']);
    expect(split(' Mary Ann  Moreno ', ' ', 2)).toEqual(['Mary Ann', 'Moreno']);
    expect(split('Ada\u00a0Moreno', ' ', 2)).toEqual(['Ada', 'Moreno']);
    expect(split('1 Main St, Suite 5, Albany', ',', 2)).toEqual(['1 Main St, Suite 5', 'Albany']);
    expect(split('1 Main St\r\nAlbany', '\n', 2)).toEqual(['1 Main St', 'Albany']);
    expect(split('a,,c', ',', 3)).toEqual(['a', null, 'c']);
  });

  it('that has fewer parts leaves the last fields blank', () => {
    expect(split('Moreno', ' ', 2)).toEqual(['Moreno', null]);
    expect(split('Moreno,', ',', 2)).toEqual(['Moreno', null]);
    expect(['Ada B. Moreno', 'Moreno', ' ', null].map((cell) => partsIn(cell, ' '))).toEqual([3, 1, 0, 0]);
  });

  it('without a break in it stays what it is', () => {
    expect(split(numberCell(1250.5), ' ', 2)).toEqual([numberCell(1250.5), null]);
    expect(split(dateCell('2026-06-30'), ' ', 2)).toEqual([dateCell('2026-06-30'), null]);
    expect(split(null, ' ', 2)).toEqual([null, null]);
  });

  it('that is no data is no part of any text', () => {
    for (const cell of [uncalculated, notAvailable, '#DIV/0!']) expect(split(cell, '/', 2)).toEqual([cell, cell]);
  });
});

describe('cells that are put together', () => {
  it('are one text, blank ones passed over', () => {
    expect(joined(['12', null, ' ', ' Main Street '], ' ')).toBe('12 Main Street');
    expect(joined([numberCell(12), 'Main Street'], ' ')).toBe('12 Main Street');
    expect(joined([null, ''], ' ')).toBeNull();
  });

  it('stay what they are when there is one', () => {
    expect(joined([null, numberCell(1.125)], ' ')).toEqual(numberCell(1.125));
    expect(joined([' Main Street ', null], ' ')).toBe('Main Street');
  });

  it('of which one is no data are none', () => {
    expect(joined(['12', notAvailable], ' ')).toEqual(notAvailable);
    expect(joined([uncalculated, 'Main Street'], ' ')).toEqual(uncalculated);
    expect(joined(['12', '#REF!'], ' ')).toBe('#REF!');
  });
});
