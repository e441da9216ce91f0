import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../../src/contract/contract-settings.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { readMapping } from '../../../src/mapping/mapping-file/read-mapping.ts';
import { rowShape } from '../../../src/mapping/mapping-file/row-shape.ts';
import { folderForEachTest } from '../../builders/temporary-folder.ts';

const inFolder = folderForEachTest();

const columns = { Name: 'Company name', Sort: null };
const entry = { kind: 'deals', columns };
const ofJune = { ...entry, sheet: 'June' };

function read(sheets: readonly object[]) {
  const path = inFolder('mapping.json');
  writeFileSync(path, JSON.stringify({ sheets }));
  return readMapping(path).mapping;
}

describe('a mapping', () => {
  it.each([
    ['rules for one sheet twice', [ofJune, { ...entry, sheet: 'june ' }], /sheets: "June" and "june " are the same/],
    [
      'a column whose sign is turned, and that is not joined',
      [{ ...entry, joins: [{ field: 'Amount requested', columns: ['A', 'B'], with: '', minus: ['C'] }] }],
      /joins › Amount requested: "minus" names "C", which is not joined there/,
    ],
    [
      'a value that counts as blank, and stands for another',
      [{ ...entry, columns: { Name: { field: 'Company name', values: { '-': 'None given' } } }, blanks: ['-'] }],
      /columns › Name › values: "-" counts as blank by "blanks"\. Keep one of them/,
    ],
    [
      'several entries, one without the name of its sheet',
      [ofJune, entry],
      /sheets: one of several entries does not name its sheet\. Name the sheet of each/,
    ],
    [
      'a field and a split for one column',
      [{ ...entry, columns: { Name: { field: 'Company name', split: { fields: ['DBA', 'EIN'], at: ' ' } } } }],
      /sheets\[0\] › columns › Name: it is both split and a field of its own/,
    ],
    [
      'a split with marks for more fields',
      [{ ...entry, columns: { Name: { split: { fields: ['DBA', 'EIN'], at: [',', ' '] } } } }],
      /sheets\[0\] › columns › Name.*give one separator fewer than fields/,
    ],
  ])('is refused when it has %s', (_what, sheets, message) => {
    expect(() => read(sheets)).toThrow(message);
  });

  it('may have a split for a column that its draft left open', () => {
    const split = { fields: ['Company name', 'DBA'], at: ' ' };
    expect(read([{ ...entry, columns: { Name: { field: null, split } } }]).sheets).toHaveLength(1);
  });

  it('is refused when one of its constants is a part of another', () => {
    const [rules] = read([{ ...entry, constants: { '{bank.x.y}': '1', '{bank.x}': '2' } }]).sheets;
    if (rules === undefined) throw new Error('The mapping has no entry.');
    const shape = rowShape(recordKind('deals'), rules, ['Name', 'Sort'], assumedContract.formats);
    expect(shape).toEqual([{ code: 'header-twice', params: { place: '"{bank.x}"', other: '"{bank.x.y}"' } }]);
  });
});
