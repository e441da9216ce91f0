import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { serviceForEachTest, startRecordingService } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name', 'Entity type'];
const rows = [
  [100, 'Harbor Bakery', 'Moreno', 'LLC'],
  [200, 'Kite Toys', 'Doyle', 'LLC'],
  [-1, 'Mill Street', 'Stone', 'LCC'],
];

describe('a plan', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();

  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [headers, ...rows]);
  });

  const run = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const plan = (...further: string[]) =>
    run('import', 'deals.csv', '--url', service.url, '--plan', 'plan.json', ...further);
  const apply = (...further: string[]) =>
    run('import', 'deals.csv', '--url', service.url, '--apply', 'plan.json', '--yes', ...further);

  it('says what would be sent and what would not, and nothing of what the rows say', async () => {
    const planned = await expectExit(
      plan('--json'),
      3,
      /^2 rows would be sent to http[^;]*\.$/m,
      /not sent: 1 invalid/,
    );
    expect(planned.stderr).toMatch(/^ {4}\S+\d {2}error {2}Entity type ".*" is not one of the allowed values/m);
    expect(planned.stderr).toMatch(/^ {4}\S+\d {2}error {2}Amount requested /m);
    expect(JSON.parse(planned.stdout)).toMatchObject({
      totals: [{ sheet: 'deals', rows: 3, byStatus: { ready: 2, invalid: 1 } }],
      findings: [{ severity: 'error' }, { severity: 'error' }, { severity: 'warning' }],
    });
    expect(service.requests).toEqual([]);
    const text = place.read('plan.json');
    expect(JSON.parse(text)).toMatchObject({
      plan: 10,
      file: 'deals.csv',
      newestRun: null,
      sheets: [{ sheet: 'deals', rows: 3, toSend: 2, onceMore: 0, staying: { invalid: 1 }, amount: '299' }],
    });
    expect(text).not.toMatch(/Harbor|Moreno|token/);
  });

  it('that still holds is loaded, and does not hold a second time', async () => {
    await plan();
    await expectExit(apply(), 1);
    expect(service.requests).toHaveLength(2);
    const again = await expectExit(apply(), 2);
    expect(again.stderr).toMatch(/The newest load of the file is 20\S+; when it was planned it was none\./);
    expect(again.stderr).toMatch(/deals: .*rows to send now: 0, when it was planned: 2/);
    expect((await plan()).stderr).toContain('There is nothing to load with it.');
    expect(service.requests).toHaveLength(2);
  });

  it('is refused once a cell of the file has changed', async () => {
    await plan();
    writeCsv(place.path('deals.csv'), [headers, [100.01, 'Harbor Bakery', 'Moreno', 'LLC'], ...rows.slice(1)]);
    await expectExit(apply(), 2, /The file has been changed/, /Make a new plan with --plan/);
    expect(service.requests).toEqual([]);
  });

  it('is refused for another service, another way of reading, or as no plan at all', async () => {
    await plan();
    const other = await startRecordingService();
    const words = ['import', 'deals.csv', '--apply', 'plan.json', '--yes'];
    expect((await run(...words, '--url', other.url)).stderr).toMatch(/The service is http.*, and was http/);
    expect((await apply('--date-order', 'dmy')).stderr).toMatch(/planned: date order\. Give --apply the flags/);
    expect((await apply('--limit', '1')).stderr).toMatch(/not as it was planned: limit/);
    place.write('plan.json', '{}');
    expect((await apply()).stderr).toMatch(/plan\.json is not a plan that can be applied/);
    place.write('plan.json', '{"plan":1,"made":"2026-01-01","sheets":[]}');
    expect((await apply()).stderr).toMatch(/plan\.json is a plan of another version of dealsheet.*\n.*new plan/);
    expect([...service.requests, ...other.requests]).toEqual([]);
    await other.stop();
  });

  it('is refused once its mapping has changed', async () => {
    place.write('rows.csv', 'Name,Sort\nHarbor,Merchant\n');
    const columns = { Name: 'Company name', Sort: 'Contact types' };
    const write = (further: object) =>
      place.write('mapping.json', { sheets: [{ kind: 'companies', columns, ...further }] });
    write({});
    const words = ['import', 'rows.csv', '--mapping', 'mapping.json', '--url', service.url];
    expect((await run(...words, '--plan', 'plan.json')).exitCode).toBe(0);
    write({ constants: { DBA: 'Harbor' } });
    await expectExit(run(...words, '--apply', 'plan.json', '--yes'), 2, /not as it was planned: mapping/);
    expect(service.requests).toEqual([]);
  });
});
