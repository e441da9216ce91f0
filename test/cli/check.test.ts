import { describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { readWorkbook, writeCsv, writeWorkbook } from '../builders/tables.ts';

describe('a check', () => {
  const place = workplaceForEachTest();

  const check = (file: string, ...further: readonly string[]) => place.run(['check', file, ...further]);
  const headers = [
    ...['Amount requested', 'Company name', 'Company DBA', 'Owner last name', 'Owner first name', 'Owner DOB'],
  ];
  const row = (amount: string, name: string, born: string) => [amount, name, name, 'Moreno', 'Ada', born];

  it('keeps its private copy beside the ledger that is named, where the own folder takes nothing', async () => {
    writeCsv(place.path('june.csv'), [headers, row('100', 'Harbor Bakery', '1988-08-17')]);
    place.write('data', 'a file where the folder would be');
    await expectExit(check('june.csv', '--as', 'deals'), 2, 'or name a ledger in another folder with DEALSHEET_LEDGER');
    const env = { DEALSHEET_LEDGER: place.path('shared/ledger.db') };
    await expectExit(place.run(['check', 'june.csv', '--as', 'deals'], { env }), 0);
  });

  it('tells errors first, and notes of one kind in one line with their count and the first of them, and counts them in --json', async () => {
    writeCsv(place.path('june.csv'), [
      headers,
      row('$1,250.00', 'Harbor Bakery', '8/17/1988'),
      row('$2,250.00', 'Mill Dental', '9/18/1988'),
      row('TBD', 'Kite Toys', '17 Aug 1988'),
      row('$3,250.00', 'Pine Movers', '10/19/1988'),
    ]);
    const { stderr, stdout } = await expectExit(check('june.csv', '--as', 'deals', '--json'), 3);
    const lines = stderr.split('\n').filter((line) => / (error|note) {2}/.test(line));
    expect(lines).toEqual([
      'june!A4  error  Amount requested "TBD" is not a number. Write it like 1250 or 1250.50.',
      'june!A2, A3, A5 ("$1,250.00", "$2,250.00", "$3,250.00")  note  Amount requested "$1,250.00" is read as 1250.',
      'june!F2, F3, F5  note  Owner 1 date of birth (value not shown) is read month first.',
      'june!F4  note  Owner 1 date of birth (value not shown) is read as the day that its words say.',
    ]);
    expect((JSON.parse(stdout) as { findings: unknown }).findings).toEqual([
      { code: 'not-a-number', severity: 'error', count: 1, first: { sheet: 'june', row: 4, column: 'A' } },
      { code: 'day-read-as', severity: 'warning', count: 4, first: { sheet: 'june', row: 2, column: 'F' } },
      { code: 'read-as', severity: 'warning', count: 3, first: { sheet: 'june', row: 2, column: 'A' } },
    ]);
    expect(stderr + stdout).not.toContain('1988');
    expect(stderr).toContain('each Ref that is not in this file counts as found (add --profile NAME)');
  });

  describe('of a results sheet', () => {
    const ownColumns = ['Status', 'Problems', 'ID', 'Link', 'Company ID', 'Run'];
    const own = (status: string, id: string, number: number) => [
      ...[status, '', id, '', '', `2026-06-01-01-bcdf#june!${number}`],
    ];
    const counts = async (...rows: readonly (readonly string[])[]) => {
      writeCsv(place.path('june.results.csv'), [[...ownColumns, ...headers], ...rows]);
      const { stdout, stderr } = await check('june.results.csv', '--as', 'deals', '--json');
      return { ...(JSON.parse(stdout) as { counts: Record<string, number> }).counts, stderr };
    };

    it('passes over a row that is in, as a load does, whatever was done to its cells and its Status', async () => {
      expect(
        await counts(
          [...own('Created', 'deal_1', 2), ...row('much', 'Harbor Bakery', '****')],
          [...own('', 'deal_2', 3), ...row('100', 'Mill Dental', '****')],
        ),
      ).toMatchObject({ alreadyLoaded: 2, invalid: 0 });
    });

    it('tells of an id beside a Status of a row that is not in, and speaks of no ledger, which it does not ask', async () => {
      const told = await counts([...own('Rejected', 'deal_3', 4), ...row('100', 'Kite Toys', '')]);
      expect(told).toMatchObject({ invalid: 1 });
      expect(told.stderr).toContain('The ID cell has "deal_3", but by the Status cell the row is not in.');
    });
  });

  it('counts rows that would wait for a row with errors of the same file as a load does, and says so', async () => {
    const deals = [
      ['Ref', ...headers],
      ['D-1', ...row('100', 'Harbor Bakery', '')],
      ['D-2', ...row('TBD', 'Mill Dental', '')],
    ];
    const notes = [
      ['Deal ref', 'Deal status', 'Note'],
      ['D-1', 'In review', 'Called'],
      ['D-2', 'In review', 'Called'],
      ['D-2', 'In review', 'Sent'],
      ['D-9', 'In review', 'Signed'],
    ];
    await writeWorkbook(place.path('month.xlsx'), { Deals: deals, Notes: notes });
    const flags = ['--json', '--results', 'checked.xlsx', '--date-order', 'dmy'];
    const { stderr, stdout } = await expectExit(check('month.xlsx', ...flags), 3);
    expect(stderr).toContain('To load the results of this check, add its flags: --date-order dmy');
    expect(stderr).toContain('Notes  2 rows to add as notes; not sent: 2 waiting');
    expect(stderr).toContain(
      '3 rows of 6 would be sent. Not sent: 1 invalid, 2 waiting. Correct the errors and check again.',
    );
    const { counts } = JSON.parse(stdout) as { counts: Record<string, number> };
    expect(counts).toMatchObject({ rows: 6, invalid: 1, waiting: 2, ready: 3 });
    const written = await readWorkbook(place.path('checked.xlsx'), 'Notes');
    expect(written.map(({ Status }) => Status)).toEqual(['Ready', 'Waiting', 'Waiting', 'Ready']);
    expect(written[1]?.Problems).toContain('Waiting until the deal with the Ref "D-2" (Deals row 3) is in');
  });

  it('tells errors of one value together, with the first cells', async () => {
    const rows = [row('TBD', 'Harbor Bakery', ''), row('-5', 'Mill Dental', ''), row('', 'Kite Toys', '')];
    const more = Array.from({ length: 198 }, (_, index) => row('soon', `Pine Movers ${index}`, ''));
    writeCsv(place.path('june.csv'), [headers, ...rows, ...more]);
    const { stderr } = await check('june.csv', '--as', 'deals');
    const lines = stderr.split('\n').filter((line) => line.includes('  error  '));
    expect(lines).toEqual([
      'june!A2, A5, A6, A7, A8, A9, A10, A11 and 191 more ("TBD", "soon")  error  Amount requested "TBD" is not a number. Write it like 1250 or 1250.50.',
      'june!A3  error  Amount requested "-5" must be at least 0.',
      'june!A4  error  Amount requested is missing: every deal needs one.',
    ]);
    expect(stderr).toContain('Add --results FILE.xlsx to see each of them at its cell.');
  });

  it('tells what may make a record twice first among notes, and what was read as it was meant last', async () => {
    const twice = row('$1,250.00', 'Harbor Bakery', '1988-08-17');
    writeCsv(place.path('june.csv'), [headers, twice, twice, ['$3.00', '', 'Kite Toys', 'Moreno', 'Ada', '']]);
    const { stderr } = await check('june.csv', '--as', 'deals');
    const codes = [/is the same as/, /Company name is blank/, /is read as/].map((text) => stderr.search(text));
    expect(codes).toEqual([...codes].sort((one, other) => one - other));
    expect(codes).not.toContain(-1);
  });
});
