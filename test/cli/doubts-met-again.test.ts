import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DealsDesk, deals, serverError } from '../builders/deals-desk.ts';

let desk: DealsDesk;
beforeEach(async () => {
  desk = await DealsDesk.open();
});
afterEach(() => desk.close());

describe('a row in doubt that another file, or the same one once more, meets again', () => {
  /** The service has made the record, and says that something went wrong; the second load only notes the doubt. */
  async function metAgain(file: string, ...further: readonly string[]): Promise<string> {
    desk.said.set(1, serverError);
    desk.write('june.csv', deals('Harbor'));
    expect((await desk.load('june.csv')).exitCode).toBe(6);
    desk.write('july.csv', deals('Harbor', 'Kite'));
    const { printed, exitCode } = await desk.load(file, '--results', 'again.csv', ...further);
    expect(exitCode).toBe(6);
    return printed?.run ?? '';
  }

  async function settled(run: string, row: string): Promise<void> {
    desk.shown.add('deal_1');
    const { exitCode, stderr } = await desk.command(['resolve', run, '--row', row, '--created', 'deal_1']);
    expect(exitCode, stderr).toBe(0);
  }

  it.each([
    ['july.csv', 'july!2', []],
    ['june.csv', 'june!2', []],
    ['june.csv', 'june!2', ['--again']],
  ])('is in once it is settled there, whatever a sheet of before says: %s, row %s %s', async (file, row, further) => {
    await settled(await metAgain(file, ...further), row);
    const before = desk.sent.length;
    desk.correct('again.csv', '100', '150');
    const corrected = await desk.load('again.csv', '--results', 'last.csv');
    expect(desk.sent.slice(before)).not.toContain('Harbor');
    expect(desk.rowsOf('last.csv')[0]?.slice(0, 2)).toEqual(['Already loaded', 'deal_1']);
    expect(desk.problemsOf('last.csv', 0)).toMatch(/The row says something else than when it went in/);
    expect(corrected.exitCode).toBe(1);
  });

  it('is known by the id that is typed into its sheet after it was settled', async () => {
    await settled(await metAgain('july.csv'), 'july!2');
    desk.typeId('again.csv', 0, 'deal_1');
    const { exitCode, stderr } = await desk.load('again.csv', '--results', 'last.csv');
    expect(exitCode, stderr).toBe(0);
    expect(desk.statuses('last.csv')).toEqual(['Already loaded', 'Already loaded']);
    expect(desk.sent).toEqual(['Harbor', 'Kite']);
  });
});
