import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDealsheetError } from '../../../src/errors.ts';
import { readTable } from '../../builders/read-table.ts';
import { folderForAllTests } from '../../builders/temporary-folder.ts';

const inFolder = folderForAllTests();

type Rows = readonly (readonly [number, readonly (string | null)[]])[];

/** RFC 4180, letter by letter, with any kind of line end; `null` for a quotation mark that has no right to be there. */
function oracle(text: string, delimiter: string): Rows | null {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  const isEnd = () => at >= text.length;
  const isBreak = () => text[at] === '\n' || text[at] === '\r';
  while (!isEnd()) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        if (isEnd()) return null;
        if (text[at] === '"' && text[at + 1] !== '"') break;
        cell += text[at];
        at += text[at] === '"' ? 2 : 1;
      }
      at += 1;
      if (!isEnd() && !isBreak() && text[at] !== delimiter) return null;
    } else {
      for (; !isEnd() && !isBreak() && text[at] !== delimiter; at += 1) cell += text[at];
    }
    record.push(cell);
    if (text[at] === delimiter) {
      at += 1;
      if (!isEnd()) continue;
      record.push('');
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    records.push(record);
    record = [];
  }
  return records.flatMap((cells, index) => {
    const last = cells.findLastIndex((cell) => cell !== '');
    return last === -1
      ? []
      : [[index + 1, cells.slice(0, last + 1).map((cell) => (cell === '' ? null : cell))] as const];
  });
}

async function read(text: string, delimiter: string): Promise<Rows | null> {
  const path = inFolder('any.csv');
  writeFileSync(path, text);
  try {
    const { rows } = await readTable(path, { encoding: 'utf-8', delimiter });
    return rows.map(({ number, values }) => [number, values as (string | null)[]]);
  } catch (error) {
    if (isDealsheetError(error) && error.code === 'unreadable-source') return null;
    throw error;
  }
}

const piece = fc.constantFrom(
  ...['"', '"', '""', ',', ',', ';', '\n', '\r', '\r\n', '\n'],
  ...['a', ' ', '\t', '|', 'é', "'", '\u2028', '\uFEFF', '=1', '0'],
);
const runs = process.env.DEALSHEET_LONG === '1' ? 20_000 : 600;

describe('a CSV file says the same to us as to RFC 4180', () => {
  it.each([',', ';', '\t', '|'])('or is refused, where a quotation mark has no right to be (%s)', async (delimiter) => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
        const text = `first${delimiter}row\n${pieces.join('').replaceAll(',', delimiter)}`;
        expect(await read(text, delimiter)).toEqual(oracle(text, delimiter));
      }),
      { numRuns: runs },
    );
  });

  it('wherever the pieces end in which the file comes', async () => {
    const around = fc.integer({ min: 65_536 - 30, max: 65_536 + 5 });
    await fc.assert(
      fc.asyncProperty(around, fc.array(piece, { maxLength: 25 }), fc.boolean(), async (length, pieces, isQuoted) => {
        const filler = isQuoted ? `"${'x'.repeat(length - 2)}"` : 'x'.repeat(length);
        const text = `a,b\n${filler},${pieces.join('')}\nlast,row`;
        expect(await read(text, ',')).toEqual(oracle(text, ','));
      }),
      { numRuns: Math.ceil(runs / 3) },
    );
  });
});
