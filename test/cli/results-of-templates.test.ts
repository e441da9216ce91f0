import { beforeEach, describe, expect, it } from 'vitest';
import { encodeExported, exportedHeader } from '../../src/workbooks/update-template.ts';
import { deskForEachTest, serverError } from '../builders/deals-desk.ts';

const headers = ['Company to update', 'DBA', 'Website', exportedHeader];
const dba = 7;

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
    const second = await load('one.csv', 'two.csv');
    expect(second.exitCode, second.stderr).toBe(0);
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
    await load('fix.csv', 'one.csv');
    expect(desk.statuses('one.csv')[0]).toBe('In doubt');
    change('one.csv', 0, 'Harbor');
    expect((await load('one.csv', 'two.csv')).exitCode).toBe(6);
    expect(desk.statuses('two.csv')[0]).toBe('In doubt');
  });
});
