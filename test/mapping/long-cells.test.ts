import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/contract/fields.ts';
import { recordKinds } from '../../src/contract/record-kinds.ts';
import { findHeaderRow } from '../../src/mapping/header-row.ts';
import { findingText } from '../../src/messages/finding.ts';
import { rowOfKey } from '../../src/pipeline/rows/row-place.ts';
import { readRows } from './rows.ts';

const shapes = ['0', ' ', '-', '1,', '1.', '(', '#', '*', 'a ', 'jan', '12:', ',  ', '$ ', '\u00a0', '1 - ', 'x@', '<'];

describe('a cell without end', () => {
  it.each(shapes)('is read or refused at once in every field: %j', (shape) => {
    const text = `${shape.repeat(32_000 / shape.length)}x`;
    for (const kind of recordKinds) {
      const fields = fieldsOf(kind).filter(({ path }) => !/\[[1-9]\]/.test(path));
      for (const field of fields) {
        const began = process.cpuUsage();
        readRows(kind.name, [field.path], [[text]]);
        expect(process.cpuUsage(began).user / 1000, `${kind.name} ${field.path}`).toBeLessThan(500);
      }
    }
  });

  it('is no key of a row', () => {
    const began = process.cpuUsage();
    expect(rowOfKey('#'.repeat(30_000))).toBeNull();
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(100);
  });

  it('is told with its length where its field is no text', () => {
    const [row] = readRows('transactions', ['Amount'], [['0'.repeat(1001)]]);
    expect(row?.problems.map(findingText)).toEqual([
      expect.stringMatching(/^Amount "0{60}…" has more than 1000 characters: no such value is so long\./),
    ]);
  });
});

describe('merged cells above thousands of headers', () => {
  it('are looked up once for all of them', () => {
    const cells = Array.from({ length: 16_384 }, (_, index) => `Stranger ${index}`);
    const rows = Array.from({ length: 5 }, (_, index) => ({ number: index + 1, cells, hidden: false }));
    const merges = Array.from({ length: 2500 }, (_, index) => ({
      ...{ firstRow: 0, lastRow: 49, firstColumn: 2 * index, lastColumn: 2 * index + 1 },
    }));
    const [kind] = recordKinds;
    const began = process.cpuUsage();
    if (kind !== undefined) findHeaderRow(kind, rows, merges);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2000);
  });
});
