import { describe, expect, it } from 'vitest';
import { rangesInOrder } from '../../src/checks/check.ts';
import { fieldsOf } from '../../src/contract/fields.ts';
import { recordKind, recordKinds } from '../../src/contract/record-kinds.ts';
import { findHeaderRow } from '../../src/mapping/header-row.ts';
import { comparableKey } from '../../src/mapping/spreadsheet-rewriting.ts';
import { looksLikeAmount } from '../../src/mapping/values/amounts.ts';
import { findingText } from '../../src/messages/finding.ts';
import { rowOfKey } from '../../src/staging/own-columns.ts';
import type { MergedRange } from '../../src/tables/row.ts';
import { readRows } from './rows.ts';

const shapes = ['0', ' ', '-', '1,', '1.', '(', '#', '*', 'a ', 'jan', '12:', ',  ', '$ ', '\u00a0', '1 - ', 'x@', '<'];

/** Of which a value of any length is text. */
const freeTexts = ['text', 'website', 'file', 'list', 'text-or-number'];

describe('a cell without end', () => {
  it.each(shapes)('is refused by its length alone in every field that is no text: %j', (shape) => {
    const text = `${shape.repeat(32_000 / shape.length)}x`;
    for (const kind of recordKinds) {
      const fields = fieldsOf(kind).filter(({ path }) => !/\[[1-9]\]/.test(path));
      for (const field of fields) {
        const [row] = readRows(kind.name, [field.path], [[text]]);
        const isTooLong = row?.problems.some(({ code }) => code === 'too-long');
        expect(isTooLong, `${kind.name} ${field.path}`).toBe(!freeTexts.includes(field.format));
      }
    }
  });

  it('is refused as cut where it has all the characters of one', () => {
    const lengths = [32_765, 32_766, 32_767, 32_768].map((length) => ['x'.repeat(length)]);
    const rows = readRows('transactions', ['Description'], lengths);
    const areCut = rows.map(({ problems }) => problems.some(({ code }) => code === 'perhaps-cut'));
    expect(areCut).toEqual([false, true, true, false]);
  });

  it('is no key of a row', () => {
    expect(rowOfKey('#'.repeat(30_000))).toBeNull();
  });

  /** Far longer than a cell: a reading whose time grows with the square of the length does not end. */
  it.each(['0', ' ', '-0'])('takes no longer than its length where it is compared or no amount: %j', (shape) => {
    const text = `${shape.repeat(400_000)}x`;
    expect(comparableKey(text)).toBe(text.replace(/ +/, ' '));
    expect(looksLikeAmount(text)).toBe(false);
  });

  it('is told with its length where its field is no text', () => {
    const [row] = readRows('transactions', ['Amount'], [['0'.repeat(1001)]]);
    expect(row?.problems.map(findingText)).toEqual([
      expect.stringMatching(/^Amount "0{60}…" has more than 1000 characters, too many for this field\./),
    ]);
  });
});

it('merged cells above thousands of headers are gone through once a row', () => {
  const values = Array.from({ length: 16_384 }, (_, index) => `Stranger ${index}`);
  const rows = Array.from({ length: 5 }, (_, index) => ({ number: index + 1, values, hidden: false }));
  const merges = new CountedRanges();
  for (let index = 0; index < 2500; index += 1)
    merges.push({ firstRow: 0, lastRow: 49, firstColumn: 2 * index, lastColumn: 2 * index + 1 });
  findHeaderRow(recordKind('deals'), rows, merges);
  expect(merges.passes).toBe(rows.length - 1);
});

it('merged cells beside the columns of a sheet are gone through once', () => {
  let reads = 0;
  const merges = Array.from({ length: 2500 }, (_, index) => ({
    ...{ firstRow: 1, lastRow: 9999, lastColumn: 2500 },
    get firstColumn() {
      reads += 1;
      return index;
    },
  }));
  const mergesAt = rangesInOrder(merges, [0, 2500]);
  const sorted = reads;
  for (let row = 2; row <= 1000; row += 1) expect(mergesAt(row).map(([column]) => column)).toEqual([0, 2500]);
  expect(reads - sorted).toBeLessThanOrEqual(2 * merges.length);
});

class CountedRanges extends Array<MergedRange> {
  passes = 0;

  override [Symbol.iterator](): ArrayIterator<MergedRange> {
    this.passes += 1;
    return super[Symbol.iterator]();
  }
}
