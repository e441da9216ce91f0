import { describe, expect, it } from 'vitest';
import { joined, partsOf } from '../../../src/mapping/mapping-file/made-cells.ts';
import type { Cell } from '../../../src/tables/row.ts';
import { dateCell, numberCell } from '../rows.ts';

const uncalculated: Cell = { kind: 'formula-without-value', formula: 'A2&" "&B2' };
const notAvailable: Cell = { kind: 'error', text: '#N/A' };

function split(cell: Cell, at: string, count: number): readonly Cell[] {
  return partsOf(cell, new Array<string>(count - 1).fill(at), new Array(count).fill('text')).cells;
}

describe('a cell that is taken apart', () => {
  it('gives its parts in their order, surplus ones to the first, as they are written', () => {
    expect(split('1 Main St, Suite 5, Albany', ',', 2)).toEqual(['1 Main St, Suite 5', 'Albany']);
    expect(split('1 Main St\r\nAlbany', '\n', 2)).toEqual(['1 Main St', 'Albany']);
    const surplus = ['Ada B. Moreno', 'Ida Smith Jr.', 'Ada Moreno', 'Moreno', null].map(
      (cell) => partsOf(cell, [' '], ['text', 'text']).hasSurplus,
    );
    expect(surplus).toEqual([true, true, false, false, false]);
  });

  it.each([
    ['Ada Moreno', ['Ada', 'Moreno']],
    ['Ada\u00a0Moreno', ['Ada', 'Moreno']],
    [' Mary Ann  Moreno ', ['Mary Ann', 'Moreno']],
    ['Ida Smith Jr.', ['Ida', 'Smith Jr.']],
    ['Mary Ann Moreno Ph.D.', ['Mary Ann', 'Moreno Ph.D.']],
    ['Hal Weber III', ['Hal', 'Weber III']],
    ['Moreno Jr.', ['Moreno', 'Jr.']],
    ['Mary Ann B.', ['Mary Ann', 'B.']],
  ])('keeps with a name what stands behind names: %s', (text, parts) => {
    expect(split(text, ' ', 2)).toEqual(parts);
    expect(partsOf('New York N.Y.', [' '], ['text', 'state']).cells).toEqual(['New York', 'N.Y.']);
  });

  it('that has fewer parts leaves fields blank', () => {
    expect(split('Moreno', ' ', 2)).toEqual(['Moreno', null]);
    expect(split('Moreno,', ',', 2)).toEqual(['Moreno', null]);
    expect(split('a,,c', ',', 3)).toEqual(['a', null, 'c']);
  });

  it.each<[string, readonly Cell[], boolean]>([
    ['Albany, NY 12207', ['Albany', 'NY', '12207'], false],
    ['Winston Salem,NC  27101-1234', ['Winston Salem', 'NC', '27101-1234'], false],
    ['Albany, NY, 12207', ['Albany', 'NY', '12207'], false],
    ['Albany, NY', ['Albany', 'NY', null], false],
    ['Albany, New York', ['Albany', 'New York', null], true],
    ['Albany, 12207', ['Albany', null, '12207'], false],
    ['Troy NY 12180', ['Troy NY', null, '12180'], false],
    ['Washington, D.C., DC 20001', ['Washington, D.C.', 'DC', '20001'], true],
    ['Albany', ['Albany', null, null], false],
  ])('at a mark of each part, where the last one has figures: %s', (text, cells, hasSurplus) => {
    expect(partsOf(text, [',', ' '], ['text', 'state', 'zip'])).toEqual({ cells, hasSurplus });
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
