import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DealsDesk, deals, serverError } from '../builders/deals-desk.ts';

let desk: DealsDesk;

beforeEach(async () => {
  desk = await DealsDesk.open();
});
afterEach(() => desk.close());

describe('"not created" in the ID cell', () => {
  beforeEach(async () => {
    desk.said.set(1, serverError);
    desk.write('deals.csv', deals('Harbor'));
    await desk.load('deals.csv', '--results', 'one.csv');
    desk.typeId('one.csv', 0, 'not created');
  });

  it('is said of the doubt that the sheet tells of, and of no later one: the row is not sent a third time', async () => {
    desk.said.set(2, serverError);
    const second = await desk.load('one.csv', '--results', 'two.csv');
    expect(second.printed?.counts, second.stderr).toMatchObject({ inDoubt: 1 });
    const third = await desk.load('one.csv', '--results', 'three.csv');
    expect(third.printed?.counts, third.stderr).toMatchObject({ inDoubt: 1 });
    expect(desk.problemsOf('three.csv', 0)).toMatch(/"not created" in the ID cell was said of the run .* once more/);
    expect(desk.sent).toEqual(['Harbor', 'Harbor']);
    desk.typeId('three.csv', 0, 'not created');
    const settled = await desk.load('three.csv', '--results', 'four.csv');
    expect(settled.printed?.counts, settled.stderr).toMatchObject({ created: 1 });
  });

  it('does not contradict the record that the row becomes by it', async () => {
    const second = await desk.load('one.csv', '--results', 'two.csv');
    expect(second.printed?.counts, second.stderr).toMatchObject({ created: 1 });
    expect(desk.problemsOf('two.csv', 0)).toBe('');
    const third = await desk.load('one.csv', '--results', 'three.csv');
    expect(third.printed?.counts, third.stderr).toMatchObject({ alreadyLoaded: 1 });
    expect(desk.sent).toEqual(['Harbor', 'Harbor']);
  });
});
