import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SheetRow } from '../../src/sheets/cell.ts';
import { sourceOfText, textOfSource } from '../../src/staging/staged-row.ts';

describe('the cells of a row as they are staged', () => {
  it('come back as they were, wherever blanks stand', () => {
    const filled = fc.oneof(fc.string(), fc.constant({ kind: 'boolean' as const, value: true }));
    const run = fc.oneof(
      filled.map((cell) => [cell]),
      fc.nat(40).map((length) => new Array<null>(length).fill(null)),
    );
    fc.assert(
      fc.property(fc.array(run, { maxLength: 8 }), (runs) => {
        const row: SheetRow = { number: 7, cells: runs.flat(), hidden: false };
        expect(sourceOfText(textOfSource(row))).toEqual(row);
      }),
    );
  });

  it('take no more room for a cell in the last column than for any other', () => {
    const row: SheetRow = { number: 7, cells: [...new Array<null>(16_383).fill(null), 'x'], hidden: false };
    expect(textOfSource(row).length).toBeLessThan(100);
  });
});
