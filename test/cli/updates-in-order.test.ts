import { beforeEach, describe, expect, it } from 'vitest';
import { deskForEachTest, refusal, serverError, tokenRefused } from '../builders/deals-desk.ts';
import { expectCounts, expectExit } from '../builders/expected.ts';
import { oneRow, readWorkbook, writeWorkbook } from '../builders/tables.ts';

const headers = ['Company to update', 'Company name', 'DBA', 'Website'];

describe('updates that give one company other values', () => {
  const desk = deskForEachTest();

  const load = (file: string, ...further: readonly string[]) => desk.load(file, '--as', 'company-updates', ...further);
  const applied = () => desk.service.requests.map(({ body }) => JSON.parse(body) as { dba?: string; website?: string });

  /** Row 2 is refused, row 3 goes in. */
  const loadFirst = async (...rows: readonly (readonly string[])[]) => {
    desk.said.set(1, refusal);
    desk.write('june.csv', [headers, ...rows]);
    await expectCounts(load('june.csv', '--results', 'one.csv'), { rejected: desk.said.size });
  };
  /** Of the load that began last. */
  const lastRun = async () => {
    const { stdout } = await desk.command(['runs', '--json']);
    return (JSON.parse(stdout) as { runs: [{ run: string }] }).runs[0].run;
  };
  const contradicting = [
    ['cmp_1', '', 'Old', ''],
    ['cmp_1', '', 'New', ''],
  ];
  const late = /^A later update of the same company went out from /;

  it('are not written over by an earlier row that comes back late, with the results sheet or with the source', async () => {
    await loadFirst(...contradicting);
    for (const file of ['one.csv', 'june.csv']) {
      await expectExit(load(file, '--results', 'two.csv'), 1);
      expect(desk.statuses('two.csv')).toEqual(['Not sent', 'Already loaded']);
      expect(desk.problemsOf('two.csv', 0)).toMatch(late);
    }
    expect(applied().map(({ dba }) => dba)).toEqual(['Old', 'New']);
  });

  it('go by their order in the source, also where the results sheet was sorted', async () => {
    await loadFirst(...contradicting);
    desk.changeRows('one.csv', (rows) => rows.toReversed());
    await load('one.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Not sent']);

    desk.write('july.csv', [headers, ['cmp_2', '', 'First', ''], ['cmp_2', '', 'Second', '']]);
    desk.said.set(4, refusal);
    await load('july.csv', '--results', 'july.results.csv');
    desk.changeRows('july.results.csv', (rows) => rows.toReversed());
    expect((await load('july.results.csv')).printed?.counts).toMatchObject({ updated: 1, alreadyLoaded: 1 });
    expect(applied().at(-1)).toEqual({ dba: 'Second' });
  });

  it('go out by their order in the source where the older one was sent again alone', async () => {
    desk.said.set(2, refusal);
    await loadFirst(...contradicting);
    await load('one.csv', '--limit', '1', '--results', 'two.csv');
    await expectCounts(load('two.csv'), { updated: 1, alreadyLoaded: 1 });
    expect(applied().at(-1)).toEqual({ dba: 'New' });
  });

  it('go by their order in the source also where the older one was only ever invalid', async () => {
    desk.write('june.csv', [
      [...headers, 'EIN'],
      ['cmp_1', '', 'Old', '', 'wrong'],
      ['cmp_1', '', 'New', '', ''],
    ]);
    await load('june.csv', '--results', 'one.csv');
    expect(desk.statuses('one.csv')).toEqual(['Invalid', 'Updated']);
    desk.correct('one.csv', 'wrong', '');
    desk.changeRows('one.csv', (rows) => rows.toReversed());
    const told = await load('one.csv', '--results', 'two.csv');
    expect(desk.statuses('two.csv'), told.stderr).toEqual(['Already loaded', 'Not sent']);
    expect(desk.problemsOf('two.csv', 1)).toMatch(late);
    expect(applied().map(({ dba }) => dba)).toEqual(['New']);
  });

  it('are held late also where nothing that is in would be written over, and sent where a person says so', async () => {
    const rows = [...contradicting.slice(0, 1), ['cmp_1', '', '', 'harbor.example'], ['cmp_2', '', 'x', '']];
    await loadFirst(...rows);
    await expectCounts(load('one.csv', '--results', 'two.csv'), { notSent: 1, alreadyLoaded: 2 });
    await expectCounts(load('two.csv', '--allow', 'later-update'), { updated: 1, alreadyLoaded: 2 });
    desk.write('longer.csv', [headers, ...rows, ['cmp_3', '', 'y', '']]);
    await expectCounts(load('longer.csv'), { updated: 1, notSent: 1, alreadyLoaded: 2 });
  });

  it('are in by their file also after another one has updated their company, and are not sent again by it', async () => {
    desk.write('june.csv', [headers, ['cmp_1', '', 'Old', ''], ['cmp_2', '', 'Other', '']]);
    desk.write('july.csv', [headers, ['cmp_1', '', 'New', '']]);
    await load('june.csv');
    expect((await load('july.csv')).exitCode).toBe(0);
    const again = await load('june.csv');
    expect(again.printed?.counts, again.stderr).toMatchObject({ alreadyLoaded: 2 });
    expect((await load('june.csv', '--again')).printed?.counts).toMatchObject({ updated: 2 });
  });

  it('are not written over where the later row went in corrected, and the source is loaded once more', async () => {
    desk.said.set(1, refusal).set(2, refusal).set(3, refusal);
    desk.write('june.csv', [headers, ...contradicting]);
    await load('june.csv', '--results', 'one.csv');
    desk.correct('one.csv', 'New', 'Newest');
    expect((await load('one.csv', '--results', 'two.csv')).printed?.counts).toMatchObject({ rejected: 1, updated: 1 });
    const again = await load('june.csv', '--results', 'three.csv');
    expect(desk.statuses('three.csv'), again.stderr).toEqual(['Not sent', 'Already loaded']);
    expect(desk.problemsOf('three.csv', 0)).toMatch(late);
    expect(applied().at(-1)).toEqual({ dba: 'Newest' });
  });

  describe('of which the later one is in doubt', () => {
    /** What the service was sent by the load that left the doubt. */
    const earlier = 6;

    beforeEach(async () => {
      desk.said.set(1, refusal);
      for (const number of [2, 3, 4, 5, 6]) desk.said.set(number, serverError);
      desk.write('june.csv', [headers, ...contradicting]);
      await load('june.csv', '--results', 'one.csv');
      expect(desk.statuses('one.csv')).toEqual(['Rejected', 'In doubt']);
      desk.said.clear();
    });

    it('stay behind where a person says in the results sheet that it was not applied, for it goes out then', async () => {
      desk.typeId('one.csv', 1, 'not created');
      const again = await load('one.csv', '--results', 'two.csv');
      expect(desk.statuses('two.csv'), again.stderr).toEqual(['Not sent', 'Updated']);
      const sent = applied().slice(earlier);
      expect(sent.map(({ dba }) => dba)).toEqual(['New']);
    });

    it('go out alone where a person said beforehand that it was not applied, and took it out', async () => {
      await expectExit(desk.place.run(['resolve', await lastRun(), '--row', 'june!3', '--not-created']), 0);
      desk.changeRows('one.csv', ([old = []]) => [old]);
      const again = await load('one.csv', '--results', 'two.csv');
      expect(desk.statuses('two.csv'), again.stderr).toEqual(['Updated']);
    });
  });

  it('are not written over one that was on its way when its load was killed, and was taken out of the results sheet', async () => {
    desk.said.set(1, refusal);
    desk.write('company-data.csv', [headers, ...contradicting]);
    const words = ['import', 'company-data.csv', '--url', desk.service.url, '--yes'];
    const env = { DEALSHEET_TOKEN: 'token', DEALSHEET_STOP_AT: 'settle-before-commit:2' };
    await expectExit(desk.place.run([...words, '--concurrency', '1'], { env }), -1);
    await desk.command(['results', await lastRun(), '-o', 'one.csv']);
    expect(desk.statuses('one.csv')).toEqual(['Rejected', 'In doubt']);
    desk.correct('one.csv', 'Old', 'Older');
    desk.changeRows('one.csv', ([old = []]) => [old]);
    await expectExit(load('one.csv', '--results', 'two.csv'), 1);
    expect(desk.problemsOf('two.csv', 0)).toMatch(late);
    expect(applied().map(({ dba }) => dba)).toEqual(['Old', 'New']);
  });

  it('stay in doubt where the earlier one is in doubt and the later one is in, however often they come', async () => {
    for (const number of [2, 3, 4, 5, 6]) desk.said.set(number, serverError);
    desk.write('june.csv', [headers, ['cmp_2', '', 'x', ''], ...contradicting]);
    const first = await load('june.csv', '--results', 'one.csv', '--concurrency', '1');
    expect(desk.statuses('one.csv'), first.stderr).toEqual(['Updated', 'In doubt', 'Updated']);
    const sent = applied().length;
    for (const [index, file] of ['june.csv', 'one.csv', '0.csv', 'june.csv'].entries()) {
      await expectExit(load(file, '--results', `${index}.csv`), 6);
      expect(desk.statuses(`${index}.csv`)).toEqual(['Already loaded', 'In doubt', 'Already loaded']);
    }
    expect(applied()).toHaveLength(sent);
  });

  it('go by the order of their sheets in a workbook, with the results sheet or with the source', async () => {
    desk.said.set(1, refusal);
    const sheet = (dba: string) => [headers, ['cmp_1', '', dba, '']];
    await writeWorkbook(desk.place.path('june.xlsx'), {
      'Company updates': sheet('Old'),
      'Company updates 2': sheet('New'),
    });
    await desk.loadWorkbook('june.xlsx', '--results', 'one.xlsx');
    for (const file of ['one.xlsx', 'june.xlsx']) {
      await expectCounts(desk.loadWorkbook(file, '--results', 'two.xlsx'), { notSent: 1, alreadyLoaded: 1 });
      const [row] = await readWorkbook(desk.place.path('two.xlsx'), 'Company updates');
      expect(row?.Problems).toMatch(late);
    }
    expect(applied().map(({ dba }) => dba)).toEqual(['Old', 'New']);
  });

  it('are not written over when a load goes on that another file has overtaken', async () => {
    desk.write('june.csv', [headers, ['cmp_2', '', 'x', ''], ['cmp_1', '', 'Old', '']]);
    desk.write('july.csv', [headers, ['cmp_1', '', 'New', '']]);
    desk.said.set(1, tokenRefused);
    await load('june.csv', '--results', 'one.csv');
    await load('july.csv');
    const resumed = await expectExit(desk.resume('--results', 'one.csv'), 1);
    expect(desk.statuses('one.csv'), resumed.stderr).toEqual(['Updated', 'Not sent']);
    expect(desk.problemsOf('one.csv', 1)).toMatch(late);
    expect(applied().map(({ dba }) => dba)).toEqual(['x', 'New', 'x']);
  });

  describe('that are in are known by their values', () => {
    const rows = (...values: readonly string[]) => [headers, ...values.map((dba) => ['cmp_1', '', dba, ''])];
    const loadRows = (file: string, ...values: readonly string[]) => {
      desk.write(file, rows(...values));
      return load(file, '--results', 'out.csv');
    };
    const sent = () => applied().map(({ dba }) => dba);

    it('in a file that grows, is sorted, and lacks one of them', async () => {
      for (const values of [['A'], ['A', 'B'], ['A', 'B', 'C'], ['C', 'B', 'A'], ['B', 'A', 'C'], ['C', 'A']]) {
        const told = await loadRows('june.csv', ...values);
        expect([told.exitCode, told.printed?.counts], told.stderr).toMatchObject([0, { notSent: 0 }]);
      }
      await loadRows('longer.csv', 'A', 'B', 'C', 'A');
      expect(desk.statuses('out.csv')).toEqual([...Array(3).fill('Already loaded'), 'Updated']);
      expect(sent()).toEqual(['A', 'B', 'C', 'A']);
    });

    it('and are held in another file where it restores them or was sorted, until a person says what is meant', async () => {
      await loadRows('june.csv', 'A', 'B');
      for (const file of ['july.csv', 'july.csv', 'out.csv']) {
        const told = file === 'out.csv' ? await load(file, '--results', 'last.csv') : await loadRows(file, 'B', 'A');
        expect([told.exitCode, told.printed?.counts], told.stderr).toMatchObject([1, { alreadyLoaded: 1, notSent: 1 }]);
        expect(desk.problemsOf('out.csv', 1)).toMatch(late);
      }
      await load('last.csv', '--allow', 'later-update', '--results', 'out.csv');
      expect(desk.statuses('out.csv')).toEqual(['Already loaded', 'Updated']);
      const again = await loadRows('july.csv', 'B', 'A');
      expect([again.exitCode, again.printed?.counts], again.stderr).toMatchObject([0, { alreadyLoaded: 2 }]);
      expect(sent()).toEqual(['A', 'B', 'A']);
    });

    it('and are in although a file of another name was held for one', async () => {
      await loadRows('july.csv', 'A', 'B');
      expect((await loadRows('renamed.csv', 'B', 'A')).printed?.counts).toMatchObject({ notSent: 1 });
      desk.write('july.csv', [...rows('A', 'B'), ['cmp_3', '', 'Y', '']]);
      await load('july.csv', '--allow', 'later-update', '--results', 'out.csv');
      expect(desk.statuses('out.csv')).toEqual(['Already loaded', 'Already loaded', 'Updated']);
      expect(sent()).toEqual(['A', 'B', 'Y']);
    });

    it('and are held in a file of two others, of which one has overtaken them', async () => {
      await loadRows('june.csv', 'A');
      await loadRows('july.csv', 'B');
      expect((await loadRows('both.csv', 'B', 'A')).printed?.counts).toMatchObject({ alreadyLoaded: 1, notSent: 1 });
      expect(sent()).toEqual(['A', 'B']);
    });

    it('and go out once more where a row or a file of its own restores one', async () => {
      await loadRows('june.csv', 'A', 'B');
      await loadRows('june.csv', 'A', 'B', 'A');
      expect(desk.statuses('out.csv')).toEqual(['Already loaded', 'Already loaded', 'Updated']);
      await loadRows('july.csv', 'B');
      await loadRows('august.csv', 'C');
      await loadRows('august.csv', 'C', 'A');
      expect(desk.statuses('out.csv')).toEqual(['Already loaded', 'Updated']);
      await loadRows('june.csv', 'A', 'B', 'A');
      for (const values of [['A'], ['D'], ['D', 'A']]) await loadRows('copy.csv', ...values);
      expect(sent()).toEqual(['A', 'B', 'A', 'B', 'C', 'A', 'D', 'A']);
    });

    it('and are held where their file has grown, and a copy of it has overtaken them', async () => {
      const three = (...values: readonly string[]) =>
        values.map((value, at) => [`cmp_${at + 1}`, '', value, ''] as const);
      for (const [file, ...values] of [
        ['june.csv', 'A', 'B', 'C'],
        ['copy of june.csv', 'A', 'New', 'C'],
        ['june.csv', 'A', 'B', 'C', 'D'],
      ]) {
        desk.write(file as string, [headers, ...three(...values)]);
        await load(file as string, '--results', 'out.csv');
      }
      expect(desk.statuses('out.csv')).toEqual(['Already loaded', 'Not sent', 'Already loaded', 'Updated']);
      expect(sent()).toEqual(['A', 'B', 'C', 'New', 'D']);
    });

    it('and are held where their file has grown, and another one has overtaken them', async () => {
      await loadRows('june.csv', 'A', 'B');
      await loadRows('july.csv', 'A');
      desk.write('june.csv', [...rows('A', 'B'), ['cmp_2', '', 'x', '']]);
      for (const expected of ['Updated', 'Already loaded']) {
        const told = await expectExit(load('june.csv', '--results', 'out.csv'), 1);
        expect(desk.statuses('out.csv'), told.stderr).toEqual(['Already loaded', 'Not sent', expected]);
        expect(desk.problemsOf('out.csv', 1)).toMatch(late);
      }
      desk.correct('out.csv', 'B', 'B2');
      const edited = await load('out.csv', '--results', 'last.csv');
      expect(desk.statuses('last.csv'), edited.stderr).toEqual(['Already loaded', 'Not sent', 'Already loaded']);
      expect(sent()).toEqual(['A', 'B', 'A', 'x']);
      await expectCounts(load('last.csv', '--allow', 'later-update'), { updated: 1 });
    });
  });

  describe('that name their company by its Ref', () => {
    const byRef = ['Company ref', ...headers.slice(1)];
    const paths = () => desk.service.requests.map(({ path }) => path);
    const withCompany = (...updates: readonly string[][]) =>
      writeWorkbook(desk.place.path('june.xlsx'), {
        'Company updates': [byRef, ...updates],
        Companies: oneRow({ Ref: 'C-2', 'Company name': 'Kite', 'Contact types': 'Merchant' }),
      });

    it('follow a company of their own file, and are known by its id, too', async () => {
      await withCompany(['C-2', '', 'Old', ''], ['C-2', '', 'New', '']);
      await expectCounts(desk.loadWorkbook('june.xlsx'), { created: 1, updated: 2 });
      const ofCompany = '/v1/company/rec_1';
      expect(paths()).toEqual(['/v1/company', ofCompany, ofCompany]);
      desk.write('july.csv', [byRef, ['C-2', '', 'New', '']]);
      await expectCounts(load('july.csv'), { alreadyLoaded: 1 });
      desk.write('july.csv', [headers, ['rec_1', '', 'New', '']]);
      await expectCounts(load('july.csv'), { alreadyLoaded: 1 });
      desk.write('august.csv', [byRef, ['C-2', '', 'Newer', '']]);
      await expectCounts(load('august.csv'), { updated: 1 });
      expect(paths().at(-1)).toBe(ofCompany);
      expect(applied().at(-1)).toEqual({ dba: 'Newer' });
    });

    it('are in doubt until a person names that company, and no other one', async () => {
      await writeWorkbook(desk.place.path('june.xlsx'), {
        Companies: [['Ref', 'Company name', 'Contact types'], ...['C-1', 'C-2'].map((ref) => [ref, ref, 'Merchant'])],
      });
      await desk.loadWorkbook('june.xlsx');
      for (const number of [3, 4, 5, 6, 7]) desk.said.set(number, serverError);
      desk.write('july.csv', [byRef, ['C-2', '', 'New', '']]);
      await load('july.csv', '--results', 'one.csv');
      for (const other of ['rec_1', 'rec_9']) {
        desk.typeId('one.csv', 0, other);
        expect((await expectExit(load('one.csv'), 2)).stderr).toContain(`one!2: the row updates C-2, not ${other}.`);
      }
      desk.typeId('one.csv', 0, 'rec_2');
      for (const settles of [true, false]) {
        const told = await load('one.csv', '--results', 'two.csv');
        expect([told.printed?.counts.alreadyLoaded, told.stderr.includes('settled by')]).toEqual([1, settles]);
      }
      expect(desk.rowsOf('two.csv')[0]?.[2]).toBe('rec_2');
    });

    it('wait for a company that is not in, and are not written over by one that names it by its id', async () => {
      desk.said.set(1, refusal);
      await withCompany(['C-2', '', 'Old', '']);
      await expectCounts(desk.loadWorkbook('june.xlsx'), { rejected: 1, waiting: 1 });
      expect(paths()).toEqual(['/v1/company']);
      desk.said.set(3, refusal);
      await expectCounts(desk.loadWorkbook('june.xlsx'), { created: 1, rejected: 1 });
      desk.write('july.csv', [headers, ['rec_2', '', 'New', '']]);
      await expectCounts(load('july.csv'), { updated: 1 });
      await expectCounts(desk.loadWorkbook('june.xlsx'), { alreadyLoaded: 1, notSent: 1 });
    });

    it('are not written over by one that named it by its id before the ledger knew that', async () => {
      desk.said.set(1, serverError);
      await withCompany(['C-2', '', 'Old', '']);
      const { printed } = await expectCounts(desk.loadWorkbook('june.xlsx'), { inDoubt: 1, waiting: 1 });
      desk.write('july.csv', [headers, ['rec_9', '', 'New', '']]);
      await expectCounts(load('july.csv'), { updated: 1 });
      desk.shown.add('rec_9');
      const run = printed?.run ?? '';
      const settled = desk.command(['resolve', run, '--row', 'Companies!2', '--created', 'rec_9']);
      await expectExit(settled, 0, /^Waiting in this run: 1 row\. Send .* with: dealsheet resume \S+$/m);
      await expectCounts(desk.loadWorkbook('june.xlsx'), { alreadyLoaded: 1, notSent: 1 });
    });
  });

  it('tell that a part of a list replaces the whole, and nothing of a single field', async () => {
    desk.write('parts.csv', [
      ['Company to update', 'Address ZIP', 'DBA'],
      ['cmp_1', '12209', 'Mill'],
    ]);
    await load('parts.csv', '--results', 'one.csv');
    expect(desk.problemsOf('one.csv', 0)).toMatch(
      /^Note: Address ZIP "12209" is sent as part of the whole list: [^\n]*$/,
    );
  });

  it('are sent late in a file of their own', async () => {
    await loadFirst(...contradicting);
    desk.write('alone.csv', [headers, ...contradicting.slice(0, 1)]);
    await expectCounts(load('alone.csv'), { updated: 1 });
    desk.write('july.csv', [headers, ['cmp_7', '', 'a', '']]);
    desk.said.set(4, refusal);
    await load('july.csv', '--results', 'july.results.csv');
    expect((await load('july.results.csv')).printed?.counts).toMatchObject({ updated: 1 });
  });
});
