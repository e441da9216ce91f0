import { describe, expect, it } from 'vitest';
import type { SheetMappingRules } from '../../../src/mapping/mapping-file/mapping.ts';
import { unfilledNeeds } from '../../../src/mapping/mapping-file/unfilled.ts';

describe('what every record needs', () => {
  it('is told where no column fills it: fields, and groups of which one field would do', () =>
    expect(unfilledNeeds({ kind: 'deals', columns: { Sum: null, Name: { field: null } } })).toEqual([
      'Amount requested has no column, and every deal needs one.',
      'Company has no column, and every deal needs at least one of its cells, or a Company ref.',
      'Owner 1 has no column, and every deal needs at least one of its cells.',
    ]));

  it.each<[string, SheetMappingRules]>([
    ['columns by label and by path', { kind: 'notes', columns: { A: 'Deal id', B: 'status', C: { field: 'Note' } } }],
    ['a ref in the place of an id', { kind: 'notes', columns: { A: 'Deal ref', B: 'status', C: 'note' } }],
    [
      'a column that is split, a join, a constant and a default',
      {
        kind: 'deals',
        columns: { Owner: { split: { fields: ['Owner 1 first name', 'Owner 1 last name'], at: ' ' } } },
        joins: [{ field: 'Company name', columns: ['A', 'B'], with: ' ' }],
        defaults: { 'Amount requested': '1000' },
      },
    ],
    ['a path in braces', { kind: 'deals', columns: { A: 'amountRequested', B: '{company.code}', C: 'owner1.ssn' } }],
    ['nothing, where nothing is needed', { kind: 'leads', columns: {} }],
  ])('is filled by %s', (_what, rules) => expect(unfilledNeeds(rules)).toEqual([]));
});
