import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../../src/contract/contract-settings.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { rowShape } from '../../../src/mapping/mapping-file/row-shape.ts';
import { findingText } from '../../../src/messages/finding.ts';
import type { Cell } from '../../../src/tables/row.ts';
import { dateCell, numberCell } from '../rows.ts';

describe('columns that are joined into one text', () => {
  const told = (house: Cell, street: Cell) => {
    const joins = [{ field: 'Company address line 1', columns: ['House', 'Street'], with: ' ' }];
    const shape = rowShape(
      recordKind('deals'),
      { kind: 'deals', columns: {}, joins },
      ['House', 'Street'],
      assumedContract.formats,
    );
    if (!('columns' in shape)) throw new Error(shape.join('\n'));
    const row = { number: 2, values: [house, street], hidden: false };
    return { text: shape.columns.at(-1)?.cellOf(row), notes: shape.notesOf(row).map(findingText) };
  };

  it('tell of a cell that a spreadsheet has taken for something else: the house number 3-4 is a date', () => {
    expect(told(dateCell('2026-03-04'), 'Main Street')).toEqual({
      text: '2026-03-04 Main Street',
      notes: [
        'Column "House" "2026-03-04" is a date in the file, and is read as the text 2026-03-04. If that is wrong, format the cell as text and enter the value again.',
      ],
    });
    const half = numberCell(12.5, { inOtherForm: true });
    expect(told(half, 'Main Street').notes[0]).toMatch(/^Column "House" "12\.5" is a number that is hidden, or has/);
  });

  it('leave it to the field to tell of one that stands alone', () => {
    expect(told(dateCell('2026-03-04'), null)).toEqual({ text: dateCell('2026-03-04'), notes: [] });
    expect(told(numberCell(12), 'Main Street')).toEqual({ text: '12 Main Street', notes: [] });
  });
});
