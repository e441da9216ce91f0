import { describe, expect, it } from 'vitest';
import { valueMap } from '../../../src/mapping/mapping-file/made-cells.ts';
import { numberCell } from '../rows.ts';

describe('the value map of a column', () => {
  it('says what a cell says in other words, whatever its case and the blanks around it', () => {
    const map = valueMap({ 'S-Corp': 'S Corporation', none: '', '1': 'LLC' }, { blank: 'Other', isList: false });
    expect([' s-corp ', 'None', numberCell(1), 'Trust', null, ' '].map(map)).toEqual([
      ...['S Corporation', 'Other', 'LLC', 'Trust', 'Other', 'Other'],
    ]);
  });

  it('of a list says it of each value, and leaves a list alone in which it knows none', () => {
    const values = { Customer: 'Merchant', Partner: 'Broker', Old: '' };
    const map = valueMap(values, { blank: null, isList: true });
    expect(['Customer, Partner', 'partner|Funder', 'Customer; Old', 'Old; old', 'Funder, Broker'].map(map)).toEqual([
      'Merchant; Broker',
      'Broker; Funder',
      'Merchant',
      null,
      'Funder, Broker',
    ]);
    expect(valueMap(values, { blank: null, isList: false })('Customer, Partner')).toBe('Customer, Partner');
  });
});
