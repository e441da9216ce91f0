import { describe, expect, it } from 'vitest';
import { deals, deskForEachTest, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts } from '../builders/expected.ts';
import { answer, hasTerminal } from '../builders/pseudo-terminal.ts';
import { oneRow, writeWorkbook } from '../builders/tables.ts';

describe('what a person is told before a load', () => {
  const desk = deskForEachTest();

  it('says of a file that is in by half how many rows go, with the exact sum of their amounts', async () => {
    desk.write('june.csv', deals(['Harbor Bakery', '100.10'], ['Mill Dental', '200.20'], ['Kite Toys', 'much']));
    await desk.load('june.csv');
    desk.write('july.csv', deals(['Harbor Bakery', '100.10'], ['Mill Dental', '200.20'], ['Kite Toys', '1234.05']));
    const { stderr } = await expectCounts(desk.load('july.csv'), { created: 1, alreadyLoaded: 2 });
    expect(stderr).toMatch(
      /july {2}1 row to add as deals; not sent: 2 already loaded; .*amounts in the source: 1,534\.35/,
    );
    expect(stderr).toContain('To be sent: 1 row (amounts: 1,234.05).');
  });

  it('shows a person who cannot be asked what is wrong with the file, or what would be sent, before it wants --yes', async () => {
    const load = () => desk.command(['import', 'june.csv', '--as', 'deals', '--url', desk.service.url]);
    desk.write('june.csv', oneRow({ 'Amount requestd': 1, 'Company name': 'Harbor' }));
    const refused = await load();
    expect(refused.stderr).toContain('Did you mean "Amount requested"?');
    expect(refused.stderr).not.toContain('--yes');
    desk.write('june.csv', deals('Harbor'));
    const shown = await load();
    expect([refused.exitCode, shown.exitCode, desk.sent]).toEqual([2, 2, []]);
    expect(shown.stderr).toMatch(/june {2}1 row to add as deals; .*\n(.*\n)*.* Nothing was sent\.\nAdd --yes/);
  });

  it('says how many fields will be emptied by the rows that go out, and nothing of those that are in', async () => {
    const updates = (...rows: readonly (readonly string[])[]) => [['Company to update', 'Website', 'DBA'], ...rows];
    const first = ['cmp_1', 'https://one.example', '<clear>'];
    desk.write('june.csv', updates(first, ['cmp_2', 'https://two.example', '<clear>'], ['cmp_3', '', '<clear>']));
    const load = (...further: readonly string[]) =>
      desk.loadWorkbook('june.csv', '--as', 'company-updates', '--results', 'out.xlsx', ...further);
    expect((await load('--limit', '1')).stderr).toContain('1 field of companies will be emptied (<clear>).');
    expect((await load()).stderr).toContain('2 fields of companies will be emptied (<clear>).');
  });

  it('says that the ledger knows nothing also after a look at it, a load that came to nothing, and a rehearsal', async () => {
    desk.write('june.csv', deals('Harbor'));
    await desk.place.run(['runs']);
    await desk.load('none.csv');
    await desk.place.run(['import', 'june.csv', '--as', 'deals', '--sandbox', '--yes']);
    const knowsNothing = 'This ledger knows nothing of earlier loads into ';
    expect((await desk.load('june.csv')).stderr).toContain(knowsNothing);
    desk.write('july.csv', deals('Mill'));
    expect((await desk.load('july.csv')).stderr).not.toContain(knowsNothing);
  });

  it('says quietly too what may make a record twice, and nothing else', async () => {
    const withRef = (...rows: readonly (readonly [string, number])[]) => [
      ['Ref', 'Amount requested', 'Company name', 'Owner last name'],
      ...rows.map(([ref, amount]) => [ref, amount, 'Harbor Bakery', 'Moreno']),
    ];
    desk.write('june.csv', withRef(['K-1', 100]));
    expect((await desk.load('june.csv', '--quiet', '--results', 'june.out.csv')).stderr).toBe(
      `This ledger knows nothing of earlier loads into ${desk.service.url}/.`,
    );
    expect((await desk.load('june.csv', '--quiet', '--results', 'june.out.csv')).stderr).toBe('');
    desk.write('july.csv', withRef(['K-1', 200], ['', 300], ['', 300]));
    const { stderr } = await desk.load('july.csv', '--quiet', '--results', 'july.out.csv');
    expect(stderr).toMatch(/^july row 4 {2}note {2}The row is the same as row 3 of the source\./m);
    const elsewhere = desk.service.url.replace('127.0.0.1', 'localhost');
    const moved = await desk.load('june.csv', '--quiet', '--url', elsewhere, '--results', 'moved.csv');
    expect(moved.stderr).toMatch(/^Rows of this very file are in http:\/\/127\S+ since/);
  });

  it('says that the file, or rows of a results sheet, are in a service of another address', async () => {
    const elsewhere = desk.service.url.replace('127.0.0.1', 'localhost');
    desk.write('june.csv', deals('Harbor Bakery', ['Mill Dental', 'much']));
    expect((await desk.load('june.csv', '--results', 'one.csv')).stderr).not.toContain('another service');
    const again = await desk.load('june.csv', '--url', elsewhere, '--results', 'two.csv', '--limit', '1');
    expect(again.stderr).toMatch(
      /Rows of this very file are in http:\/\/127\S+ since [-\d]+ \(run .*If the two are the same service, do not/,
    );
    const sheet = await desk.load('one.csv', '--url', elsewhere, '--results', 'three.csv', '--limit', '1');
    expect(sheet.stderr).toContain('Rows of this results sheet are in http://127.0.0.1');
  });

  it('refuses notes that were loaded before with each named once, and says what --again would send', async () => {
    const month = (...notes: readonly string[]) => ({
      Deals: [
        ['Ref', 'Amount requested', 'Company name', 'Owner last name'],
        ['D-1', 200, 'Mill Dental', 'Okafor'],
      ],
      Notes: [['Deal ref', 'Deal status', 'Note'], ...notes.map((note) => ['D-1', 'Open', note])],
    });
    const words = (file: string) => ['import', file, '--url', desk.service.url, '--yes', '--json'];
    await writeWorkbook(desk.place.path('june.xlsx'), month('Call again'));
    await desk.command(words('june.xlsx'));
    await writeWorkbook(desk.place.path('july.xlsx'), month('Call again', 'Send the contract'));
    const { exitCode, stderr } = await desk.command(words('july.xlsx'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /1 row equals one that was loaded before\. Two equal rows can both be right:\n {2}Notes row 2: Loaded/,
    );
    expect(stderr).not.toContain('is not sent again');
    expect(stderr.match(/^ {2}Notes row 2:/gm)).toHaveLength(1);
    expect(stderr).toContain('into a file of their own and load it with --again, which sends every row of its file.');
  });

  it('says of a run that goes on how many rows are left', async () => {
    desk.write('june.csv', deals(['Harbor Bakery', 10], ['Mill Dental', 20], ['Kite Toys', 30]));
    desk.said.set(2, tokenRefused);
    expect((await desk.load('june.csv')).exitCode).toBe(4);
    const { stderr } = await expectCounts(desk.resume(), { created: 3 });
    expect(stderr).toMatch(/june {2}2 rows to add as deals; not sent: 1 already loaded/);
    expect(stderr).toContain('To be sent: 2 rows (amounts: 50.00).');
  });

  it.skipIf(!hasTerminal)('asks for the rows that go, and not for those that are in', async () => {
    desk.write('june.csv', deals(['Harbor Bakery', 10], ['Mill Dental', 20], ['Kite Toys', 'much']));
    await desk.load('june.csv');
    desk.write('june.csv', deals(['Harbor Bakery', 10], ['Mill Dental', 20], ['Kite Toys', 1530]));
    const words = ['import', 'june.csv', '--as', 'deals', '--url', desk.service.url];
    const said = await answer(desk.place, words, [['Send 1 row', 'n\r']], { DEALSHEET_TOKEN: 'token' });
    expect(said).toContain(`2 rows are already loaded. Send 1 row (amounts: 1,530.00) to ${desk.service.url}`);
  });
});
