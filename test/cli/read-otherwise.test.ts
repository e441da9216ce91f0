import { beforeEach, expect, it } from 'vitest';
import { deskForEachTest } from '../builders/deals-desk.ts';

const desk = deskForEachTest();

beforeEach(() => {
  const dated = (day: string, name: string) => [day, 100, name, 'Moreno'];
  const headers = ['Owner 1 date of birth', 'Amount requested', 'Company name', 'Owner last name'];
  desk.write('june.csv', [headers, dated('03/04/1980', 'Harbor'), dated('05/06/1980', 'Mill')]);
});

it('a file that is read otherwise than before sends nothing again, and tells which rows are changed by that', async () => {
  expect((await desk.load('june.csv', '--date-order', 'mdy')).printed?.counts).toMatchObject({ created: 2 });
  const again = await desk.load('june.csv', '--date-order', 'dmy');
  expect(again.printed?.counts, again.stderr).toMatchObject({ changedSinceLoaded: 2 });
  expect(again.exitCode).toBe(1);
  expect(desk.sent).toEqual(['Harbor', 'Mill']);
});
