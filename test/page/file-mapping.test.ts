import { describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { draftOf } from '../../src/load/kept-mapping.ts';
import type { Mapping } from '../../src/mapping/mapping-file/mapping.ts';
import { mappingDecided, mappingShown, valueRules, withoutValue, withValue } from '../../src/page/file-mapping.ts';
import { writeWorkbook } from '../builders/tables.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const rules = (sheet: string) => ({ kind: 'deals', columns: { Phase: 'Stage', Remark: null }, sheet });
const named = (...sheets: string[]) => ({ sheets: sheets.map(rules) }) as Mapping;

it.each<[string, Mapping, string, string, number]>([
  ['the sheet of that name', named('Old deals', 'New deals'), 'New deals', 'Phase', 1],
  ['the same sheet of another month', named('Old deals', 'Nov deals'), 'Dec deals', 'Phase', 1],
  ['the only rules, whatever the sheet', named('Deals'), 'Sheet1', 'Phase', 0],
  ['a header in other capitals', named('Deals'), 'Deals', 'PHASE', 0],
])('keeps a value for every month with the rules of its column: of %s', (_, mapping, sheet, header, at) => {
  const value = { sheet, header: 'Phase', from: 'App', to: 'Application' };
  const kept = withValue(mapping, { ...value, header });
  const changed = kept.sheets.map(({ columns }) => columns.Phase).filter((rule) => rule !== 'Stage');
  expect(changed).toEqual([{ field: 'Stage', values: { App: 'Application' } }]);
  expect(kept.sheets[at]?.columns.Phase).toEqual(changed[0]);
  expect(valueRules(kept, [sheet])).toEqual([value]);
  expect(valueRules(withValue(kept, { ...value, to: 'Lead' }), [sheet])).toEqual([{ ...value, to: 'Lead' }]);
  expect(withoutValue(kept, value).sheets[at]?.columns.Phase).toEqual({ field: 'Stage' });
});

it.each([
  ['Deals', 'Remark'],
  ['Other deals', 'Phase'],
])('keeps none of a column that is left out, or of a sheet without rules: %s, %s', (sheet, header) => {
  expect(() => withValue(named('Deals', 'Leads'), { sheet, header, from: 'a', to: 'b' })).toThrow(/left out/);
});

describe('the columns of a workbook whose sheets are of several kinds', () => {
  const path = folderForEachTest();
  const people = ['Jen', 'Mike'];
  const draftWith = async (kinds: Readonly<Record<string, RecordKindName | null>>, before: Mapping | null = null) => {
    await writeWorkbook(path('june.xlsx'), {
      'Funded June': [['Deal #', 'Contact', 'Colour'], ...people.map((one) => [one, 'Ann Roe', 'red'])],
      'Call log': [['Deal #', 'Who', 'Note'], ...people.map((one) => [one, one, 'called'])],
      Reps: [['Rep'], ...people.map((one) => [one])],
    });
    const said = Object.entries(kinds).map(([name, kind]) => [name, kind === null ? null : recordKind(kind)] as const);
    return draftOf(path('june.xlsx'), null, new Map(said), before);
  };

  it('are asked for once it is said what the rows of a sheet are', async () => {
    const kindsOf = async (kinds: Parameters<typeof draftWith>[0]) =>
      mappingShown(await draftWith(kinds)).sheets.map(({ name, kind, isOpen, columns }) =>
        isOpen ? `${name}?` : `${name}: ${kind ?? 'left out'} ${columns.map(({ header }) => header).join(', ')}`,
      );
    expect(await kindsOf({})).toEqual(['Funded June?', 'Call log?', 'Reps?']);
    expect(await kindsOf({ 'Call log': 'notes', Reps: null })).toEqual([
      'Funded June?',
      'Call log: notes Deal #, Who, Note',
      'Reps: left out ',
    ]);
  });

  it('are as they were said last, until something else is said', async () => {
    const before = {
      refScope: 'file',
      sheets: [
        {
          sheet: 'Funded May',
          kind: 'deals',
          headerRow: 1,
          columns: { 'Deal #': { field: 'Ref', values: { none: '' } }, Contact: 'Company name', Colour: null },
          constants: { Stage: 'Lead', 'Amount requested': '5' },
        },
        { sheet: 'Call log', kind: 'notes', columns: { 'Deal #': 'Deal ref', Who: null, Note: 'Note' } },
      ],
      ignoreSheets: ['Reps'],
    } as Mapping;
    const draft = await draftWith({}, before);
    expect(mappingShown(draft).sheets.flatMap(({ columns }) => columns.filter(({ isOpen }) => isOpen))).toEqual([]);
    const amount = { sheet: 'Funded June', field: 'Amount requested' };
    expect(mappingShown(draft).sheets[0]?.needed).toEqual(
      expect.arrayContaining([{ field: amount.field, value: '5', choices: [] }]),
    );
    const as = (sheet: string) => ({ ...before, sheets: [{ ...before.sheets[0], sheet }, before.sheets[1]] });
    expect(mappingDecided(draft, { decided: [], constants: [] })).toEqual(as('Funded June'));
    const anew = { decided: [], constants: [], refScope: 'service' } as const;
    expect([mappingShown(draft).refScope, mappingDecided(draft, anew).refScope]).toEqual(['file', 'service']);
    const decided = [{ sheet: 'Funded June', header: 'Colour', field: 'Amount requested' }];
    expect(mappingDecided(draft, { decided, constants: [{ ...amount, value: '7' }] }).sheets[0]).toMatchObject({
      columns: { 'Deal #': { values: { none: '' } }, Colour: 'Amount requested' },
      constants: { Stage: 'Lead' },
    });
  });

  it('are known by a path, and by the join that reads them', async () => {
    const deals = {
      ...{ sheet: 'Funded June', kind: 'deals', columns: { 'Deal #': null, Colour: '{bank.colour}' } },
      joins: [{ field: 'Company name', columns: ['Contact', 'Deal #'], with: ' ' }],
    };
    const notes = { sheet: 'Call log', kind: 'notes', columns: { 'Deal #': 'dealRef', Who: null, Note: 'note' } };
    const before = { sheets: [deals, notes], ignoreSheets: ['Reps'] } as unknown as Mapping;
    const draft = await draftWith({}, before);
    const [ofDeals, ofNotes] = mappingShown(draft).sheets;
    expect(ofDeals?.columns.map(({ header, isOpen }) => [header, isOpen])).toEqual([
      ['Deal #', false],
      ['Colour', false],
    ]);
    expect(ofDeals?.laterFields).toContain('Owner 2 address 2 city + Owner 2 address 2 state');
    expect(ofNotes?.columns.map(({ field }) => field)).toEqual(['Deal ref', null, 'Note']);
    const decided = [{ sheet: 'Funded June', header: 'Colour', field: '{bank.colour}' }];
    expect(mappingDecided(draft, { decided, constants: [] })).toEqual(before);
    const constants = [{ sheet: 'Call log', field: 'Note', value: 'x' }];
    expect(mappingDecided(draft, { decided: [], constants }).sheets[1]).not.toHaveProperty('constants');
  });

  it('may be missing where a field says the same in every row', async () => {
    const { sheets } = mappingShown(await draftWith({ 'Funded June': 'companies', 'Call log': 'notes', Reps: null }));
    expect(sheets.map(({ needed }) => needed.map(({ field, choices }) => [field, choices.length > 0]))).toEqual([
      [
        ['Company name', false],
        ['Contact types', true],
      ],
      [
        ['Deal status', false],
        ['Note', false],
      ],
      [],
    ]);
  });

  it('are those of the sheet that is named, and none of one that is left out by now', async () => {
    const decided = [
      { sheet: 'Funded June', header: 'Deal #', field: 'Ref' },
      { sheet: 'Funded June', header: 'Contact', field: 'Owner 1 first name + Owner 1 last name' },
      { sheet: 'Funded June', header: 'Colour', field: null },
      { sheet: 'Reps', header: 'Rep', field: 'Note' },
      { sheet: 'Call log', header: 'Deal #', field: 'Deal ref' },
      { sheet: 'Call log', header: 'Who', field: null },
    ];
    const draft = await draftWith({ Reps: null, 'Funded June': 'deals', 'Call log': 'notes' });
    const constants = [
      { sheet: 'Call log', field: 'Deal status', value: 'Open ' },
      { sheet: 'Funded June', field: 'Amount requested', value: '' },
      { sheet: 'Reps', field: 'Note', value: 'none' },
    ];
    expect(mappingDecided(draft, { decided, constants })).toEqual({
      sheets: [
        {
          sheet: 'Funded June',
          kind: 'deals',
          columns: {
            'Deal #': 'Ref',
            Contact: { split: { fields: ['Owner 1 first name', 'Owner 1 last name'], at: ' ' } },
            Colour: null,
          },
        },
        {
          sheet: 'Call log',
          kind: 'notes',
          columns: { 'Deal #': 'Deal ref', Who: null, Note: 'Note' },
          constants: { 'Deal status': 'Open' },
        },
      ],
      ignoreSheets: ['Reps'],
    });
  });
});
