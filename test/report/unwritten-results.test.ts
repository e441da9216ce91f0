import { describe, expect, it } from 'vitest';
import { DealsheetError } from '../../src/errors.ts';
import { unwrittenResults } from '../../src/report/unwritten-results.ts';

const results = { run: '2026-11-20-01-kqtm', path: '/month/deals.results.xlsx', copy: '/state/copy-1.source' };
const again = 'rite them again with: dealsheet results 2026-11-20-01-kqtm';
const fault = (code: string, path: string) => Object.assign(new Error(code), { code, path });

describe('results that cannot be written', () => {
  it.each<[string, unknown, string, string]>([
    ['a full disk', fault('ENOSPC', results.path), ': there is no room on that disk.', `Make room. Then w${again}`],
    [
      'a private copy that is gone',
      fault('ENOENT', results.copy),
      ': the private copy of the source was deleted by another program.',
      `W${again}`,
    ],
    [
      'a folder that is gone',
      fault('ENOENT', results.path),
      ': its folder is not there (ENOENT).',
      `Look at that folder. Then w${again}`,
    ],
    [
      'a folder of somebody else',
      fault('EACCES', results.path),
      ': you may not write there (EACCES).',
      `Look at that folder. Then w${again}`,
    ],
    ['a disk with a fault', fault('EIO', results.path), ' (EIO).', `Look at that folder. Then w${again}`],
    [
      'a private copy that is damaged',
      new DealsheetError('unreadable-source', 'The CSV file cannot be read exactly.', 'Save it again.'),
      ': The CSV file cannot be read exactly.',
      `W${again}`,
    ],
    [
      'too many rows',
      new DealsheetError('output-failed', 'A sheet of Excel has room for 9 rows.', 'Write to a .csv file.'),
      ': A sheet of Excel has room for 9 rows.',
      `Write to a .csv file. Then w${again}`,
    ],
    ['a fault of ours', new TypeError('x is not a function'), '.', `W${again}`],
  ])('are told by what stood in the way: %s', (_, cause, why, remedy) => {
    const error = unwrittenResults(results, cause);
    expect(error).toMatchObject({ code: 'output-failed', remedy, cause });
    expect(error.message).toBe(
      `The results could not be written to /month/deals.results.xlsx${why} What became of each row is safe in the ledger.`,
    );
  });
});
