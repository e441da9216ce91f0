import { beforeEach, describe, expect, it } from 'vitest';
import { encodeExported, exportedHeader } from '../../src/workbooks/update-template.ts';
import { deskForEachTest, serverError } from '../builders/deals-desk.ts';
import { expectExit } from '../builders/expected.ts';

const headers = ['Company to update', 'DBA', 'Website', exportedHeader];
const dba = 7;
const [early, late] = ['2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'];

/** A row of a template that an export has filled in; a person may have changed its DBA since. */
function company(id: string, now: string, exportedAt: string | null = null): readonly string[] {
  const values = { dba: 'Harbor', website: 'harbor.example' };
  return [id, now, values.website, encodeExported({ id, service: null, exportedAt, values, locked: [] })];
}

describe('the results of a template that an export has filled in', () => {
  const desk = deskForEachTest();

  beforeEach(() => {
    desk.write('fix.csv', [
      headers,
      company('cmp_1', 'Harbour'),
      company('cmp_2', 'Harbor'),
      company('cmp_3', 'Harbor'),
    ]);
  });

  const load = (from: string, to: string, ...further: readonly string[]) =>
    desk.load(from, '--as', 'company-updates', '--results', to, ...further);
  const sent = () =>
    desk.service.requests.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body]);
  const change = (file: string, row: number, value: string) =>
    desk.changeRows(file, (rows) => rows.map((cells, index) => (index === row ? cells.with(dba, value) : cells)));

  it('bring in what is changed there in a row that was as it was exported, once', async () => {
    await load('fix.csv', 'one.csv');
    expect(desk.statuses('one.csv')).toEqual(['Updated', 'Unchanged', 'Unchanged']);
    change('one.csv', 1, 'Harbor Two');
    await expectExit(load('one.csv', 'two.csv'), 0);
    expect(desk.statuses('two.csv')).toEqual(['Already loaded', 'Updated', 'Unchanged']);
    change('two.csv', 2, 'Harbor Three');
    await load('two.csv', 'three.csv');
    expect(desk.statuses('three.csv')).toEqual(['Already loaded', 'Already loaded', 'Updated']);
    const again = { 'one.csv': [3, 0], 'two.csv': [3, 0], 'three.csv': [3, 0] } as const;
    for (const [file, [alreadyLoaded, unchanged]] of Object.entries(again)) {
      expect((await load(file, 'four.csv')).printed?.counts).toMatchObject({ rows: 3, alreadyLoaded, unchanged });
    }
    expect(sent()).toEqual([
      ['/v1/company/cmp_1', '{"dba":"Harbour"}'],
      ['/v1/company/cmp_2', '{"dba":"Harbor Two"}'],
      ['/v1/company/cmp_3', '{"dba":"Harbor Three"}'],
    ]);
  });

  /** A template of two companies that was exported before all loads unless a time is given; the DBA of the first is as given. */
  const put = (file: string, now: string, exportedAt = early) =>
    desk.write(file, [headers, company('cmp_1', now, exportedAt), company('cmp_2', 'Harbor', exportedAt)]);

  it.each(['Harbour', '<clear>'])('tell of a cell that is put back after its change went in: %s', async (now) => {
    put('fix.csv', 'Harbor');
    await load('fix.csv', 'none.csv');
    put('fix.csv', now);
    await load('fix.csv', 'one.csv');
    put('fix.csv', 'Harbor');
    for (const to of ['two.csv', 'three.csv']) {
      const { printed } = await expectExit(load('fix.csv', to), 1);
      expect(printed?.counts).toMatchObject({ changedSinceLoaded: 1, unchanged: 1 });
      expect(desk.problemsOf(to, 0)).toMatch(/^DBA \(was "\S+"\) changed since the row went in as cmp_1/);
    }
    expect((await load('two.csv', 'four.csv', '--again')).exitCode).toBe(1);
    expect(sent()).toHaveLength(1);
  });

  it('bring in the exported value by a new row below, and are quiet from then on', async () => {
    put('fix.csv', 'Harbour');
    await load('fix.csv', 'one.csv');
    const [first = [], second = []] = ['cmp_1', 'cmp_2'].map((id) => company(id, 'Harbor', early));
    const restored = ['cmp_1', 'Harbor', '', ''];
    desk.write('fix.csv', [headers, first, second, restored]);
    await load('fix.csv', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Changed since loaded', 'Unchanged', 'Updated']);
    desk.write('fix.csv', [headers, second, first, restored]);
    expect((await load('fix.csv', 'three.csv')).exitCode).toBe(0);
    expect(desk.statuses('three.csv')).toEqual(['Unchanged', 'Unchanged', 'Already loaded']);
    expect(sent().map(([, body]) => body)).toEqual(['{"dba":"Harbour"}', '{"dba":"Harbor"}']);
  });

  it('tell of it by the key, also where the row was loaded as it was exported', async () => {
    put('fix.csv', 'Harbor');
    await load('fix.csv', 'one.csv');
    change('one.csv', 0, 'Harbour');
    await load('one.csv', 'two.csv');
    expect((await load('fix.csv', 'three.csv')).exitCode).toBe(0);
    change('two.csv', 0, 'Harbor');
    expect((await load('two.csv', 'three.csv')).exitCode).toBe(1);
    expect(desk.statuses('three.csv')).toEqual(['Changed since loaded', 'Unchanged']);
    expect(sent()).toHaveLength(1);
  });

  it('are quiet where another file or row has changed the company, or it was exported since', async () => {
    put('old.csv', 'Harbor');
    put('fix.csv', 'Harbour');
    await load('fix.csv', 'one.csv');
    expect((await load('old.csv', 'two.csv')).exitCode).toBe(0);
    const third = company('cmp_3', 'Mill', early);
    desk.write('old.csv', [headers, ...['cmp_1', 'cmp_2'].map((id) => company(id, 'Harbor', early)), third]);
    await load('old.csv', 'two.csv');
    expect(desk.statuses('two.csv')).toEqual(['Unchanged', 'Unchanged', 'Updated']);
    put('fix.csv', 'Harbor', late);
    expect((await load('fix.csv', 'two.csv')).exitCode).toBe(0);
    const [first, second] = [company('cmp_2', 'Harbor', early), ['cmp_2', 'Mill', '', '']];
    desk.write('two.csv', [headers, first, second]);
    for (const to of ['three.csv', 'four.csv']) expect((await load('two.csv', to)).exitCode).toBe(0);
    expect(sent()).toHaveLength(3);
  });

  describe('and of which another copy went in since the export', () => {
    const copies = ['Company to update', 'DBA', 'Phone', 'Phone 2', exportedHeader];
    const values = { dba: 'Harbor', 'phones[0].number': '0101', 'phones[1].number': '0102' };
    /** The first company of the template, as the copy has it. */
    const write = (file: string, cells: readonly [name: string, phone: string, other: string], exportedAt = early) =>
      desk.write(file, [
        copies,
        ['cmp_1', ...cells, encodeExported({ id: 'cmp_1', service: null, exportedAt, values, locked: [] })],
      ]);
    const bodies = () => sent().map(([, body]) => body);

    beforeEach(async () => {
      write('ann.csv', ['Harbor', '0999', '0102']);
      await load('ann.csv', 'one.csv');
    });

    it.each([
      ['a part of the same list', ['Harbor', '0101', '0888'], 'bob.csv', 'Not sent'],
      ['the same field', ['Harbor', '0777', '0102'], 'bob.csv', 'Not sent'],
      ['a part of the same list, in a copy of the same name', ['Harbor', '0101', '0888'], 'ann.csv', 'Not sent'],
      ['the same field, in the file itself', ['Harbor', '0777', '0102'], 'ann.csv', 'Updated'],
      ['more of the list, in the file itself', ['Harbor', '0999', '0888'], 'ann.csv', 'Updated'],
      ['another field', ['Mill', '0101', '0102'], 'bob.csv', 'Updated'],
    ] as const)('hold what would undo it: %s', async (_, cells, file, status) => {
      write(file, cells);
      await load(file, 'two.csv');
      expect(desk.statuses('two.csv')).toEqual([status]);
      await load(file, 'three.csv', '--allow', 'later-update');
      expect(bodies()).toHaveLength(2);
    });

    it('hold no more what a later update has overwritten', async () => {
      write('bob.csv', ['Harbor', '0777', '0102']);
      await load('bob.csv', 'two.csv', '--allow', 'later-update');
      write('bob.csv', ['Harbor', '0666', '0102']);
      await load('bob.csv', 'three.csv');
      expect(desk.statuses('three.csv')).toEqual(['Updated']);
    });

    it('hold an update in doubt that is exported anew', async () => {
      for (let number = 2; number <= 6; number += 1) desk.said.set(number, serverError);
      write('bob.csv', ['Mill', '0101', '0102']);
      await load('bob.csv', 'two.csv');
      write('bob.csv', ['Mill', '0101', '0102'], late);
      expect((await load('bob.csv', 'three.csv')).exitCode).toBe(6);
    });

    it('send the same change anew, exported after the first went in', async () => {
      write('ann.csv', ['Harbor', '0999', '0102'], late);
      await load('ann.csv', 'two.csv');
      expect(desk.statuses('two.csv')).toEqual(['Updated']);
      expect(bodies()).toEqual(Array(2).fill('{"phones":[{"number":"0999"},{"number":"0102"}]}'));
    });

    it('are told apart where one part of a list is to be emptied and another is filled', async () => {
      write('bob.csv', ['Harbor', '0101', '<clear>']);
      await load('bob.csv', 'two.csv');
      expect(desk.problemsOf('two.csv', 0)).toContain('empties the whole list, and another cell of the row fills it');
      write('bob.csv', ['Harbor', '', '<clear>']);
      await load('bob.csv', 'three.csv', '--allow', 'later-update');
      expect(bodies().at(-1)).toBe('{"phones":null}');
    });
  });

  it('leave a row in doubt that is put back in its file', async () => {
    for (let number = 1; number <= 5; number += 1) desk.said.set(number, serverError);
    put('fix.csv', 'Harbour');
    await load('fix.csv', 'one.csv');
    put('fix.csv', 'Harbor');
    expect((await load('fix.csv', 'two.csv')).exitCode).toBe(6);
    expect(desk.statuses('two.csv')).toEqual(['In doubt', 'Unchanged']);
  });

  it('bring in a changed cell without the apostrophe that CSV has before a formula', async () => {
    desk.write('fix.csv', [headers, company('cmp_1', "'=Harbour")]);
    await load('fix.csv', 'one.csv');
    expect(sent()).toEqual([['/v1/company/cmp_1', '{"dba":"=Harbour"}']]);
  });

  it('tell of a changed cell that cannot be read only why not', async () => {
    desk.write('fix.csv', [
      ['Company to update', 'EIN', exportedHeader],
      [
        'cmp_1',
        'soon',
        encodeExported({ id: 'cmp_1', service: null, exportedAt: null, values: { ein: '12-3456789' }, locked: [] }),
      ],
    ]);
    await load('fix.csv', 'one.csv');
    expect(desk.problemsOf('one.csv', 0)).toMatch(/^EIN "soon" is not an EIN\.[^\n]*$/);
  });

  it('leave a row in doubt in doubt, also with its cells put back', async () => {
    for (let number = 1; number <= 5; number += 1) desk.said.set(number, serverError);
    const { printed } = await load('fix.csv', 'one.csv');
    expect(desk.statuses('one.csv')[0]).toBe('In doubt');
    change('one.csv', 0, 'Harbor');
    await expectExit(load('one.csv', 'two.csv'), 6);
    expect(desk.statuses('two.csv')[0]).toBe('In doubt');
    const settle = (id: string) =>
      desk.command(['resolve', printed?.run ?? '', '--row', 'fix!2', '--created', id, '--url', desk.service.url]);
    await expectExit(settle('cmp_2'), 2, 'fix!2: the row updates cmp_1, not cmp_2.');
    await expectExit(settle('cmp_1'), 0);
    await desk.place.run(['results', printed?.run ?? '', '-o', 'four.csv']);
    expect(desk.statuses('four.csv')[0]).toBe('Updated');
    expect(desk.problemsOf('four.csv', 0)).toMatch(/^Note: DBA /);
  });
});
