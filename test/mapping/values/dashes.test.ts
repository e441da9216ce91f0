import { expect, it } from 'vitest';
import { readRows } from '../rows.ts';

it.each(['2026\u201106\u201130', '2026\u201306\u201330', '2026\u221206\u221230', '06\u201330\u20132026'])(
  'a date with other dashes than that of the keyboard is a date: %s',
  (text) => {
    const [row] = readRows('transactions', ['Date'], [[text]]);
    expect(row?.body.date).toBe('2026-06-30');
  },
);
