import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKinds } from '../../../src/contract/record-kinds.ts';
import { DealsDesk } from '../../builders/deals-desk.ts';

describe('the example row of a template', () => {
  let desk: DealsDesk;
  beforeEach(async () => {
    desk = await DealsDesk.open();
    await desk.place.run(['template', 'deals', '--minimal', '--with-examples', '-o', 'deals.csv']);
    const [headers = [], example = []] = desk.tableOf('deals.csv');
    desk.write('deals.csv', [
      headers,
      example,
      example.map((cell) => (cell === 'Harbor Bakery LLC' ? 'Own LLC' : cell)),
    ]);
  });
  afterEach(() => desk.close());

  const inCheck = 'The row is the example row of a template: only a rehearsal (--sandbox) sends it. Take it out.';

  it('is told of in a check, and passes it', async () => {
    const { exitCode, stderr } = await desk.place.run(['check', 'deals.csv', '--as', 'deals']);
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain(`deals row 2  note  ${inCheck}`);
    expect(stderr).not.toContain('deals row 3  note  The row');
  });

  it('is told of in each sheet of a workbook of all kinds', async () => {
    await desk.place.run(['template', 'all', '--with-examples', '-o', 'month.xlsx']);
    const { stderr } = await desk.place.run(['check', 'month.xlsx']);
    const told = stderr.split('\n').filter((line) => line.includes('example row of a template'));
    // The file of the attachment is not there, which is an error.
    expect(told.map((line) => line.split(' row 2  note')[0])).toEqual(
      recordKinds.filter(({ name }) => name !== 'attachments').map(({ sheet }) => sheet),
    );
  });

  it('goes into the sandbox, to rehearse', async () => {
    const where = ['--sandbox', '--sandbox-data', 'rehearsed.db', '--yes', '--json'];
    const { printed, stderr } = await desk.command(['import', 'deals.csv', '--as', 'deals', ...where]);
    expect(printed?.counts, stderr).toMatchObject({ created: 2 });
    expect(stderr).not.toContain('example row');
  });

  it('goes into no other service, and the rows beside it do', async () => {
    const { printed, stderr } = await desk.load('deals.csv', '--results', 'results.csv');
    expect(printed?.counts, stderr).toMatchObject({ created: 1, invalid: 1 });
    expect(desk.problemsOf('results.csv', 0)).toMatch(/^The row is the example row of a template: /);
    expect(desk.sent).toEqual(['Own LLC']);
  });

  it('is only asked about where so few values may well be those of an own row', async () => {
    desk.write('notes.csv', [
      ['Deal id', 'Deal status', 'Note'],
      ['deal_000001', 'In review', 'Bank statements received'],
      ['deal_000002', 'In review', 'Bank statements received'],
    ]);
    const { printed, stderr } = await desk.load('notes.csv', '--as', 'notes', '--results', 'results.csv');
    expect(printed?.counts, stderr).toMatchObject({ created: 2 });
    expect(desk.problemsOf('results.csv', 0)).toMatch(/^Note: The row says what the example row of a template says/);
    expect(desk.problemsOf('results.csv', 1)).toBe('');
  });
});
