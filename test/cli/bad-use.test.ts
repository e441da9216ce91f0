import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workplaceHere } from '../builders/command-here.ts';
import { type RecordingService, startRecordingService } from '../builders/recording-service.ts';
import { writeCsv, writeWorkbook } from '../builders/tables.ts';
import type { Workplace } from '../builders/workplace.ts';

describe('a command line that cannot be carried out', () => {
  let place: Workplace;
  let service: RecordingService;

  beforeAll(async () => {
    place = workplaceHere();
    service = await startRecordingService();
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [100, 'Harbor Bakery', 'Moreno'],
    ]);
  });
  afterAll(async () => {
    await service.stop();
    place.remove();
  });

  const load = (
    file: string,
    further: readonly string[] = [],
    env: Record<string, string> = { DEALSHEET_TOKEN: 'token' },
  ) => place.run(['import', file, '--url', service.url, '--yes', ...further], { env });

  /** One sentence on what happened, one on what to do, exit 2, nothing sent, no stack trace. */
  async function expectRefusal(
    ended: Promise<{ exitCode: number; stdout: string; stderr: string }>,
    ...says: RegExp[]
  ) {
    const { exitCode, stdout, stderr } = await ended;
    for (const say of says) expect(stderr).toMatch(say);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(service.requests).toEqual([]);
  }

  it('says that there is no such file', () =>
    expectRefusal(load('nothing.csv'), /There is no file .*nothing\.csv/, /Check the name/));

  it.each([
    ['map', ['map', 'nothing.csv']],
    ['resolve', ['resolve', '2026-11-20-01', '--from', 'nothing.csv']],
  ])('says so too when it is %s that cannot find it', async (_command, words) => {
    const ended = await place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
    expect(ended.exitCode, ended.stderr).toBe(2);
    expect(ended.stderr).not.toMatch(/Something went wrong/);
  });

  it.each([
    ['template', 'output', ['template', 'deals', '-o', '-']],
    ['check', 'results', ['check', 'deals.csv', '--results', '-']],
    ['check', 'mapping', ['check', 'deals.csv', '--mapping', '-']],
    ['map', 'file', ['map', '-']],
  ])('has no file named for a dash that %s does not take as %s', async (command, flag, words) => {
    await expectRefusal(place.run(words), new RegExp(`dealsheet ${command} takes no "-" as ${flag}`), /Give a name/);
    expect(readdirSync(place.folder).filter((name) => name.includes('standard'))).toEqual([]);
  });

  it.each([
    ['the results', ['import', 'deals.csv', '--yes', '--results', 'other.csv/results.xlsx']],
    ['a plan', ['import', 'deals.csv', '--plan', 'other.csv/plan.json']],
    ['a template', ['template', 'deals', '-o', 'other.csv/deals.xlsx']],
    ['an export', ['export', 'balances', '-o', 'other.csv/balances.xlsx']],
  ])('says that %s cannot stand below a file', async (_what, words) => {
    writeCsv(place.path('other.csv'), [['Name']]);
    const toService = words[0] === 'template' ? [] : ['--url', service.url];
    const { exitCode, stderr } = await place.run([...words, ...toService], { env: { DEALSHEET_TOKEN: 'token' } });
    expect(stderr).toMatch(/other\.csv\S* cannot be written|cannot be written to other\.csv/);
    expect(stderr).toMatch(/: its folder is a file \(ENOTDIR\)\.|: its folder is not there \(ENOENT\)\./);
    expect(stderr).not.toMatch(/Something went wrong/);
    expect(exitCode).not.toBe(0);
    expect(service.requests).toEqual([]);
  });

  it('says that a folder is no file', async () => {
    mkdirSync(place.path('month'));
    await expectRefusal(load('month'), /is a folder/);
  });

  it('says that a file is empty', async () => {
    writeFileSync(place.path('empty.csv'), '');
    await expectRefusal(load('empty.csv', ['--as', 'deals']), /empty/i);
  });

  it('says that nothing came from standard input, and where to look', async () => {
    const words = ['import', '-', '--as', 'deals', '--url', service.url, '--yes', '--results', 'piped.xlsx'];
    const ended = place.run(words, { input: '', env: { DEALSHEET_TOKEN: 'token' } });
    await expectRefusal(
      ended,
      /^Nothing came from standard input\.$/m,
      /^See whether the command in front of the pipe/m,
    );
    expect(readdirSync(place.folder)).not.toContain('piped.xlsx');
  });

  it('says that a name is too long for results beside it', async () => {
    const file = `${'a'.repeat(230)}.csv`;
    writeCsv(place.path(file), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [100, 'Harbor Bakery', 'Moreno'],
    ]);
    await expectRefusal(
      load(file, ['--as', 'deals']),
      /results\.xlsx cannot be written: its name is too long \(ENAMETOOLONG\)\. Nothing was sent\.$/m,
      /^Name a file with a shorter name\.$/m,
    );
  });

  it('says that a PDF is no workbook, whatever its name', async () => {
    writeFileSync(place.path('scan.xlsx'), '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n');
    await expectRefusal(load('scan.xlsx'), /PDF/);
  });

  it('says that a file holds a header and no rows', async () => {
    writeCsv(place.path('header.csv'), [['Amount requested', 'Company name']]);
    await expectRefusal(load('header.csv', ['--as', 'deals']), /no rows/);
  });

  it('names the unknown column and the nearest field', async () => {
    writeCsv(place.path('typo.csv'), [
      ['Amount requestd', 'Company name', 'Owner last name'],
      [100, 'Harbor Bakery', 'Moreno'],
    ]);
    await expectRefusal(
      load('typo.csv', ['--as', 'deals']),
      /Column A "Amount requestd"/,
      /Did you mean "Amount requested"\?/,
    );
  });

  it('says how to leave out a sheet that holds none of what its name says', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Deals: [
        ['Amount requested', 'Company name', 'Owner last name'],
        [100, 'Harbor Bakery', 'Moreno'],
      ],
      Notes: [['Remember to call Bob'], ['Thursday']],
    });
    const ended = await load('month.xlsx');
    expect(ended.stderr).toContain('If it holds no such rows, leave it out with --ignore-sheets Notes.');
    expect(ended.exitCode).toBe(2);
    expect((await place.run(['check', 'month.xlsx', '--ignore-sheets', 'Notes'])).exitCode).toBe(0);
  });

  it('says of a sheet of no kind beside others what makes it one, and no word that is for all sheets', async () => {
    const calls = [
      ['Who', 'What was said'],
      ['Dana', 'hello'],
    ];
    await writeWorkbook(place.path('month.xlsx'), { Deals: [['Amount requested'], [100]], 'Call log': calls });
    expect((await load('month.xlsx')).stderr).toMatch(
      /The sheet Call log is of no kind .* read it alone with --sheet 'Call log' --as \(companies, .*\), or leave the sheet out/,
    );
    expect((await load('month.xlsx', ['--sheet', 'Call log'])).stderr).toMatch(/tell\. Say it with --as \(companies, /);
  });

  it('tells the very command that drafts a mapping for a file of other headers', async () => {
    await writeWorkbook(place.path('june export.xlsx'), {
      Pipeline: [
        ['Merchant', 'Ask'],
        ['Harbor', 100],
      ],
    });
    const drafts = (as: string) => `say once what they mean: dealsheet map 'june export.xlsx'${as} -o mapping.json.`;
    expect((await load('june export.xlsx')).stderr).toContain(drafts(''));
    expect((await load('june export.xlsx', ['--as', 'leads'])).stderr).toContain(drafts(' --as leads'));
    writeCsv(place.path('either.csv'), [
      ['Amount requested', 'Company name'],
      [100, 'Harbor Bakery'],
    ]);
    const either = await load('either.csv');
    expect(either.stderr).toContain('can be of several kinds');
  });

  it('names two columns for one field', async () => {
    writeCsv(place.path('twice.csv'), [
      ['Amount requested', 'Requested amount'],
      [100, 100],
    ]);
    await expectRefusal(
      load('twice.csv', ['--as', 'deals']),
      /Column B "Requested amount".*Column A "Amount requested"/,
    );
  });

  it('names the kinds when an unknown one is given', () =>
    expectRefusal(load('deals.csv', ['--as', 'loans']), /submission-loans/));

  it('says how to name a service when none was chosen', () =>
    expectRefusal(place.run(['import', 'deals.csv', '--yes']), /No service was chosen/, /--profile.*--url.*--sandbox/));

  it('says where a token comes from when there is none', () =>
    expectRefusal(load('deals.csv', [], {}), /no token/, /DEALSHEET_TOKEN/));

  it('refuses plain http to another computer', () =>
    expectRefusal(
      place.run(['import', 'deals.csv', '--url', 'http://192.0.2.1', '--yes'], { env: { DEALSHEET_TOKEN: 'token' } }),
      /not encrypted/,
    ));

  it('does not ask where nobody can answer', () =>
    expectRefusal(
      place.run(['import', 'deals.csv', '--url', service.url], { env: { DEALSHEET_TOKEN: 'token' } }),
      /--yes/,
    ));

  it('refuses a profile that does not exist, and an empty variable is none', () =>
    expectRefusal(
      place.run(['import', 'deals.csv', '--profile', 'live', '--yes'], { env: { DEALSHEET_URL: '' } }),
      /There is no profile "live"/,
    ));

  it('refuses to overwrite the source with the results', () =>
    expectRefusal(load('deals.csv', ['--results', 'deals.csv']), /overwrite/));

  it('refuses a folder for the results that is not there', () =>
    expectRefusal(load('deals.csv', ['--results', 'nowhere/results.xlsx']), /results|nowhere/i));

  it.each([
    ['--limit', '0'],
    ['--concurrency', '-3'],
    ['--batch', '2.5'],
    ['--rate', 'fast'],
    ['--timeout', '0'],
  ])('names the flag whose number is none that can be (%s %s)', (flag, value) =>
    expectRefusal(load('deals.csv', [`${flag}=${value}`]), new RegExp(flag)),
  );

  it.each([
    ['import', 'deals.csv', '--frobnicate=1'],
    ['import', 'deals.csv', 'more.csv', '--sandbox'],
    ['import', 'deals.csv', 'more\u001b[2J.csv', '--sandbox'],
    ['import', 'deals.csv', '--no-frob', '-xz'],
    ['import', 'June', 'deals.csv', '--sandbox'],
    ['import'],
    ['check', '-June deals.xlsx'],
    ['runs', 'import', '--frobnicate'],
    ['import', 'deals.csv', '--url'],
    ['export', 'balances', '-o'],
    ['export', 'deal', '-o', 'deals.xlsx'],
    ['check', 'deals.csv', '--as', 'deal'],
    ['imort', 'deals.csv'],
  ])('says what is wrong with %j %j, and where to read on, in whatever language the computer speaks', (...words) => {
    const ended = place.run(words, { env: { DEALSHEET_TOKEN: 'token', LC_ALL: 'de_DE.UTF-8' } });
    return expectRefusal(ended, /^[^\u001b]+\ndealsheet (\w+ )?--help lists /);
  });

  it('is none where the file stands behind a lone --, whatever its name', async () => {
    writeCsv(place.path('-dash.csv'), [
      ['Deal id', 'Deal status', 'Note'],
      ['deal_000001', 'In review', 'Called'],
    ]);
    const { exitCode, stderr } = await place.run(['check', '--as', 'notes', '--', '-dash.csv']);
    expect(exitCode, stderr).toBe(0);
  });

  it.each([
    ['file', ['import', '', '--as', 'deals', '--sandbox']],
    ['run', ['resume', '', '--yes']],
    ['ledger', ['import', 'deals.csv', '--as', 'deals', '--sandbox', '--ledger', '']],
    ['attachments', ['import', 'deals.csv', '--as', 'deals', '--sandbox', '--attachments=']],
    ['results', ['check', 'deals.csv', '--as', 'deals', '--results', '']],
    ['output', ['export', 'balances', '--sandbox', '-o', '']],
    ['token-file', ['health', '--url', 'https://service.example', '--token-file', '']],
  ])('takes no empty text, which is a variable that was not set, for a %s', async (name, words) => {
    const ended = place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
    const said = new RegExp(`^dealsheet ${words[0]} was given an empty text as its ${name}\\.$`, 'm');
    await expectRefusal(ended, said, /^Look whether a variable /m);
  });
});
