import { mkdirSync, readdirSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { deals } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { oneRow, writeCsv, writeWorkbook } from '../builders/tables.ts';

describe('a command line that cannot be carried out', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();
  const withToken = { DEALSHEET_TOKEN: 'token' };
  const columns = ['Amount requested', 'Company name', 'Owner last name'];

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [columns, [100, 'Harbor Bakery', 'Moreno']]);
  });

  const load = (file: string, further: readonly string[] = [], env: Record<string, string> = withToken) =>
    place.run(['import', file, '--url', service.url, '--yes', ...further], { env });

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

  it.each<[what: string, content: string | null, says: readonly RegExp[]]>([
    ['is not there', null, [/There is no file .*rows\.csv/, /Check the name/]],
    ['is empty', '', [/empty/i]],
    ['is a PDF, whatever its name', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n', [/PDF/]],
    ['holds a header and no rows', 'Amount requested,Company name\n', [/no rows/]],
    [
      'has an unknown column near a field',
      'Amount requestd,Company name,Owner last name\n100,Harbor Bakery,Moreno\n',
      [/Column A "Amount requestd"/, /Did you mean "Amount requested"\?/],
    ],
    [
      'has two columns for one field',
      'Amount requested,Requested amount\n100,100\n',
      [/Column B "Requested amount".*Column A "Amount requested"/],
    ],
  ])('says of a file that it %s', async (_, content, says) => {
    if (content !== null) place.write('rows.csv', content);
    await expectRefusal(load('rows.csv', ['--as', 'deals']), ...says);
  });

  it.each<[what: string, words: readonly string[], env: Record<string, string>, says: readonly RegExp[]]>([
    ['names a folder', ['month', '--url', 'URL', '--yes'], withToken, [/is a folder/]],
    ['names an unknown kind', ['deals.csv', '--url', 'URL', '--yes', '--as', 'loans'], withToken, [/submission-loans/]],
    [
      'misspells a flag',
      ['deals.csv', '--profil', 'live'],
      {},
      [/does not take: profil\nUsage: dealsheet import <file>/],
    ],
    [
      'both plans and applies a plan',
      ['deals.csv', '--plan', 'plan.json', '--apply', 'plan.json'],
      {},
      [/Give only one of these: apply, plan\n/],
    ],
    ['separates cells by a word', ['deals.csv', '--sandbox', '--delimiter', 'ab'], {}, [/takes one character/]],
    [
      'allows and forbids the same',
      ['deals.csv', '--sandbox', '--yes', '--allow', 'total-row', '--strict', 'total-row'],
      {},
      [/--allow and --strict both name the check total-row/],
    ],
    ['names no file that is there', ['nothing.csv', '--profile', 'nowhere'], {}, [/There is no file .*nothing\.csv/]],
    ['names no service', ['deals.csv', '--yes'], {}, [/No service was chosen/, /--profile.*--url.*--sandbox/]],
    ['has no token', ['deals.csv', '--url', 'URL', '--yes'], {}, [/no token/, /DEALSHEET_TOKEN/]],
    [
      'has a part of a row in a batch, in a variable',
      ['deals.csv', '--url', 'URL', '--yes'],
      { ...withToken, DEALSHEET_BATCH: '1.5' },
      [/DEALSHEET_BATCH is "1\.5", not a whole number/],
    ],
    [
      'speaks plain http to another computer',
      ['deals.csv', '--url', 'http://192.0.2.1', '--yes'],
      withToken,
      [/not encrypted/],
    ],
    ['would ask where nobody can answer', ['deals.csv', '--url', 'URL'], withToken, [/--yes/]],
    [
      'names no profile, its variable empty',
      ['deals.csv', '--profile', 'live', '--yes'],
      { DEALSHEET_URL: '' },
      [/There is no profile "live"/],
    ],
    [
      'would overwrite the source',
      ['deals.csv', '--url', 'URL', '--yes', '--results', 'deals.csv'],
      withToken,
      [/overwrite/],
    ],
    [
      'has no folder for its results',
      ['deals.csv', '--url', 'URL', '--yes', '--results', 'nowhere/r.xlsx'],
      withToken,
      [/results|nowhere/i],
    ],
  ])('says of a load that it %s', async (_, words, env, says) => {
    mkdirSync(place.path('month'), { recursive: true });
    const named = words.map((word) => (word === 'URL' ? service.url : word));
    await expectRefusal(place.run(['import', ...named], { env }), ...says);
  });

  it.each([
    ['map', ['map', 'nothing.csv']],
    ['resolve', ['resolve', '2026-11-20-01', '--from', 'nothing.csv']],
  ])('says so too when it is %s that cannot find it', async (_command, words) => {
    const ended = await expectExit(place.run(words, { env: withToken }), 2);
    expect(ended.stderr).not.toMatch(/Something went wrong/);
  });

  it.each([
    ['template', 'output', ['template', 'deals', '-o', '-']],
    ['check', 'results', ['check', 'deals.csv', '--results', '-']],
    ['check', 'mapping', ['check', 'deals.csv', '--mapping', '-']],
    ['map', 'file', ['map', '-']],
  ])('has no file named for a dash that %s does not take as %s', async (command, flag, words) => {
    await expectRefusal(
      place.run(words),
      new RegExp(`dealsheet ${command} does not take "-" as its ${flag}`),
      /Give a name/,
    );
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
    const { exitCode, stderr } = await place.run([...words, ...toService], { env: withToken });
    expect(stderr).toMatch(/other\.csv\S* cannot be (?:written|used)|cannot be written to other\.csv/);
    expect(stderr).toMatch(/: its folder (is a file \(ENOTDIR\)|does not exist \(ENOENT\))\./);
    expect(stderr).not.toMatch(/Something went wrong/);
    expect(exitCode).not.toBe(0);
    expect(service.requests).toEqual([]);
  });

  it('says that nothing came from standard input, and where to look', async () => {
    const words = ['import', '-', '--as', 'deals', '--url', service.url, '--yes', '--results', 'piped.xlsx'];
    const ended = place.run(words, { input: '', env: withToken });
    await expectRefusal(ended, /^Nothing came from standard input\.$/m, /^Check that the command before the pipe/m);
    expect(readdirSync(place.folder)).not.toContain('piped.xlsx');
  });

  it('says that a name is too long for results beside it', async () => {
    const file = `${'a'.repeat(230)}.csv`;
    writeCsv(place.path(file), [columns, [100, 'Harbor Bakery', 'Moreno']]);
    await expectRefusal(
      load(file, ['--as', 'deals']),
      /results\.xlsx cannot be written: its name is too long \(ENAMETOOLONG\)\. Nothing was sent\.$/m,
      /^Name a file with a shorter name\.$/m,
    );
  });

  it('says how to leave out a sheet that holds none of what its name says', async () => {
    await writeWorkbook(place.path('month.xlsx'), {
      Deals: deals('Harbor Bakery'),
      Notes: [['Remember to call Bob'], ['Thursday']],
    });
    await expectExit(load('month.xlsx'), 2, 'If it holds no such rows, leave it out with --ignore-sheets Notes.');
    expect((await place.run(['check', 'month.xlsx', '--ignore-sheets', 'Notes'])).exitCode).toBe(0);
  });

  it('names a command that there is not', async () => {
    expect((await place.run(['lookup', 'D-12'])).stderr).toContain('There is no command "lookup".\n');
  });

  it('says of a sheet of no kind beside others what makes it one, and no word that is for all sheets', async () => {
    const calls = oneRow({ Who: 'Dana', 'What was said': 'hello' });
    await writeWorkbook(place.path('month.xlsx'), { Deals: [['Amount requested'], [100]], 'Call log': calls });
    expect((await load('month.xlsx')).stderr).toMatch(
      /The sheet Call log has neither a name nor headers .* read it alone with --sheet 'Call log' --as KIND, or leave the sheet out .*KIND is one of companies, /,
    );
    expect((await load('month.xlsx', ['--sheet', 'Call log'])).stderr).toMatch(
      /what its rows are\. Say what they are with --as KIND, or leave the sheet out with .*\. KIND is one of companies, /,
    );
  });

  it('tells the very command that drafts a mapping for a file of other headers', async () => {
    await writeWorkbook(place.path('june export.xlsx'), { Pipeline: oneRow({ Merchant: 'Harbor', Ask: 100 }) });
    const drafts = (as: string) => `draft a mapping once: dealsheet map 'june export.xlsx'${as} -o mapping.json`;
    const { stderr } = await load('june export.xlsx');
    expect(stderr).toContain(drafts(' --as KIND'));
    expect(stderr).not.toContain('mapping.json.');
    expect((await load('june export.xlsx', ['--as', 'leads'])).stderr).toContain(drafts(' --as leads'));
  });

  it.each([
    ['either.csv', { 'Amount requested': 100, 'Company name': 'Harbor' }, /one of leads, deals\./],
    ['june-deals.csv', { 'Amount requested': 100, '{rate}': 2 }, /one of deals, leads\./],
    ['june-company-updates.csv', { Ref: 'C-1', 'Company name': 'A', Note: 'b' }, /company-updates, companies/],
  ])('makes no records of one kind where name or headers tell another, too: %s', async (file, row, kinds) => {
    writeCsv(place.path(file), oneRow(row));
    await expectRefusal(load(file), /^The file has a name or headers that fit several kinds\. Say .* --as KIND/, kinds);
  });

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
    ['sandbox', '--port', 'x'],
    ['sandbox', '--name', 'live'],
  ])('says what is wrong with %j %j, and where to read on, in whatever language the computer speaks', (...words) => {
    const ended = place.run(words, { env: { DEALSHEET_TOKEN: 'token', LC_ALL: 'de_DE.UTF-8' } });
    const plain = /^(?!.*(?:non-option|Argument:|Implications|NaN|\d\.$))/;
    return expectRefusal(ended, /^[^\u001b]+\ndealsheet (\w+ )?--help lists /, plain);
  });

  it('is none where the file stands behind a lone --, whatever its name', async () => {
    writeCsv(place.path('-half.csv'), oneRow({ 'Deal id': 'deal_000001', 'Deal status': 'In review', Note: 'Called' }));
    await expectExit(place.run(['check', '--as', 'notes', '--expect-count', '1', '--', '-half.csv']), 0);
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
    const ended = place.run(words, { env: withToken });
    const said = new RegExp(`^dealsheet ${words[0]} was given an empty text as its ${name}\\.$`, 'm');
    await expectRefusal(ended, said, /^Check whether a variable /m);
  });
});
