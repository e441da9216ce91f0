import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DealsheetError } from '../../src/errors.ts';
import { endOfExport } from '../../src/export/export-file.ts';

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

describe('what ends an export', () => {
  it('is told as a disk that is full where it is one, whatever was being written', () => {
    const full = thrownBy(() => appendFileSync('/dev/full', 'x'));
    expect(endOfExport(full, { path: '/month/companies.xlsx' })).toMatchObject({
      code: 'output-failed',
      message: 'The file /month/companies.xlsx could not be written (ENOSPC).',
      cause: full,
    });
    expect(endOfExport(full, { path: null })).toMatchObject({ code: 'output-failed' });
  });

  it('stays what it is where it is no fault of the disk', () => {
    const known = new DealsheetError('usage', 'No.', 'Do.');
    const unknown = new Error('a mistake of ours');
    expect(endOfExport(known, { path: null })).toBe(known);
    expect(endOfExport(unknown, { path: null })).toBe(unknown);
  });
});
