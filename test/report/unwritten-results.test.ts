import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { DealsheetError } from '../../src/errors.ts';
import { openResults, unwritten } from '../../src/report/results-file.ts';
import { deals, deskForEachTest, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { created } from '../builders/recording-service.ts';

const run = '2026-11-20-01-kqtm';
const results = '/month/deals.results.xlsx';
const again = 'rite them again with: dealsheet results 2026-11-20-01-kqtm';
const fault = (code: string, path: string) => Object.assign(new Error(code), { code, path });

const desk = deskForEachTest();

describe('results that cannot be written', () => {
  it('are refused before the first row is sent where a sheet of Excel has no room for them', async () => {
    const far = Array.from({ length: 16_377 }, (_, at) => `(${at})`);
    desk.write('deals.csv', [
      ['Company name', 'Amount requested', 'Owner last name', ...far],
      ['Anchor', '100', 'Moreno', ...far.map(() => '')],
    ]);
    const refused = await desk.load('deals.csv');
    expect(refused).toMatchObject({ exitCode: 2, printed: { run: null } });
    expect(refused.stderr).toContain(
      'deals: its results have 16386 columns, and a sheet of Excel has room for 16384.\nGive the results a name that ends in .csv',
    );
    expect(desk.service.requests).toEqual([]);
    expect((await desk.load('deals.csv', '--results', 'one.csv')).printed?.counts).toMatchObject({ created: 1 });
  });

  it.each([
    ['every row is in', created(1), 1, { created: 1 }],
    ['a row is in doubt', serverError, 6, { inDoubt: 1 }],
    ['the token was refused', tokenRefused, 4, { notSent: 1 }],
  ])(
    'P17: leave the counts, the remedy, the log and the exit code of the load where %s',
    async (_, said, code, counts) => {
      desk.write('deals.csv', deals('Harbor'));
      mkdirSync(desk.place.path('out'));
      const answering = vi.spyOn(desk.said, 'get').mockImplementation(() => {
        rmSync(desk.place.path('out'), { recursive: true, force: true });
        return said;
      });
      const load = desk.load('deals.csv', '--results', 'out/r.xlsx', '--log', 'log.ndjson');
      const ended = await load.finally(() => answering.mockRestore());
      expect(ended.exitCode).toBe(code);
      expect(ended.printed).toMatchObject({ counts, results: null, error: { reason: 'results-unwritten' } });
      expect(ended.stderr).toMatch(/The results could not be written.*\n.*dealsheet results \S+/);
      expect(/dealsheet resume/.test(ended.stderr)).toBe(code === 4);
      expect(desk.place.read('log.ndjson').trim().split('\n').at(-1)).toContain('"error":"output-failed"');
    },
  );

  it.each([
    [1_048_575, null],
    [1_048_576, 'Rows: its results have 1048577 rows, and a sheet of Excel has room for 1048576.'],
  ])('are so by their rows too: %i', async (rows, message) => {
    const path = desk.place.path('deals.csv');
    desk.write('deals.csv', [['Company name']]);
    const copy = { sourcePath: path, sourceName: 'deals.csv', sourceFolder: desk.place.folder, sourceMode: 0o600 };
    const of = { ...copy, stamp: null, folder: desk.place.folder, path, digest: '' };
    const opened = openResults(null, of, [{ name: 'Rows', columns: 7, rows }], { service: null, areNewest: false });
    const ended = await opened.then(
      (file) => file.writer.abandon().then(() => null),
      (error: Error) => error.message,
    );
    expect(ended).toBe(message);
  });

  it.each<[string, unknown, string, string]>([
    ['a full disk', fault('ENOSPC', results), ': the disk is full.', `Make room. Then w${again}`],
    [
      'a folder that is gone',
      fault('ENOENT', results),
      ': its folder does not exist (ENOENT).',
      `Check that folder. Then w${again}`,
    ],
    [
      'a folder of somebody else',
      fault('EACCES', results),
      ': you may not write there (EACCES).',
      `Check that folder. Then w${again}`,
    ],
    ['a disk with a fault', fault('EIO', results), ' (EIO).', `Check that folder. Then w${again}`],
    [
      'a private copy that is damaged',
      new DealsheetError('unreadable-source', 'damaged', 'The CSV file cannot be read exactly.', 'Save it again.'),
      ': The CSV file cannot be read exactly.',
      `W${again}`,
    ],
    [
      'too many rows',
      new DealsheetError(
        'output-failed',
        'too-large',
        'A sheet of Excel has room for 9 rows.',
        'Write to a .csv file.',
      ),
      ': A sheet of Excel has room for 9 rows.',
      `Write to a .csv file. Then w${again}`,
    ],
    ['a fault of ours', new TypeError('x is not a function'), '.', `W${again}`],
  ])('are told by what stood in the way: %s', (_, cause, why, remedy) => {
    const error = unwritten(results, run, cause);
    const message = `The results could not be written to ${results}${why} The result of each row is safe in the ledger.`;
    expect(error).toMatchObject({ code: 'output-failed', message, remedy, cause });
  });

  it('are a fault of the ledger where that can no longer be read', () => {
    for (const code of ['ledger-refused', 'ledger-failed'] as const) {
      const cause = new DealsheetError(code, 'server-away', 'Its server is gone.', 'Start it.');
      expect(unwritten(results, run, cause)).toMatchObject({ code: 'ledger-failed', remedy: `W${again}` });
    }
  });
});
