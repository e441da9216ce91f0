import { expect, it } from 'vitest';
import type { Mapping } from '../../src/mapping/mapping-file/mapping.ts';
import { withValue } from '../../src/page/file-mapping.ts';

const rules = (sheet: string) => ({
  kind: 'deals',
  columns: { Phase: 'Stage', Remark: null },
  sheet,
});
const named = (...sheets: string[]) => ({ sheets: sheets.map(rules) }) as Mapping;

it.each<[string, Mapping, string, string, number]>([
  ['the sheet of that name', named('Old deals', 'New deals'), 'New deals', 'Phase', 1],
  ['the same sheet of another month', named('Old deals', 'Nov deals'), 'Dec deals', 'Phase', 1],
  ['the only rules, whatever the sheet', named('Deals'), 'Sheet1', 'Phase', 0],
  ['a header in other capitals', named('Deals'), 'Deals', 'PHASE', 0],
])('keeps a value for every month with the rules of its column: of %s', (_, mapping, sheet, header, at) => {
  const kept = withValue(mapping, { sheet, header, from: 'App', to: 'Application' });
  const changed = kept.sheets.map(({ columns }) => columns.Phase).filter((rule) => rule !== 'Stage');
  expect(changed).toEqual([{ field: 'Stage', values: { App: 'Application' } }]);
  expect(kept.sheets[at]?.columns.Phase).toEqual(changed[0]);
});

it.each([
  ['Deals', 'Remark'],
  ['Other deals', 'Phase'],
])('keeps none of a column that is left out, or of a sheet without rules: %s, %s', (sheet, header) => {
  expect(() => withValue(named('Deals', 'Leads'), { sheet, header, from: 'a', to: 'b' })).toThrow(/left out/);
});
