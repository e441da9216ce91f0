import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { walkThrough } from '../../../src/cli/talk/mapping-walk.ts';
import { ownWorkplaceForEachTest } from '../../builders/command-here.ts';
import { answer, endedAtTerminal, hasTerminal } from '../../builders/pseudo-terminal.ts';
import { type Table, writeCsv, writeWorkbook } from '../../builders/tables.ts';

const ctrlC = '\u0003';
const broker: Table = [
  ['Merchant name', 'Owner last name', 'Funding wanted', 'Stage', 'Internal note'],
  ['Harbor Bakery LLC', 'Moreno', 12000, 'Prospect', 'call again'],
  ['Kite Toys Inc', 'Ito', 9000, 'Lead', ''],
];

describe.skipIf(!hasTerminal)('a mapping that is drafted at a terminal', () => {
  const place = ownWorkplaceForEachTest();
  beforeEach(() => {
    writeCsv(place.path('broker.csv'), broker);
  });

  const mapping = () =>
    JSON.parse(readFileSync(place.path('broker.json'), 'utf8')) as { sheets: { columns: unknown }[] };

  it('asks for each column that is not sure and each value that is not allowed, and writes what was decided', async () => {
    const said = await answer(
      place,
      ['map', 'broker.csv', '--as', 'deals', '-o', 'broker.json'],
      [
        ['Column "Funding wanted"', 'Amount requested\r'],
        ['Column "Internal note"', '-\r'],
        ['"Prospect" in column', 'lead\r'],
      ],
    );
    expect(said).toContain('Column "Funding wanted", such as: 12000 | 9000');
    expect(said).toContain('"Prospect" in column "Stage"');
    expect(said).toContain('- leaves it blank, which means Lead; Enter leaves it open');
    for (const taken of ['It is taken as Amount requested.', 'It is left out.', 'It is taken as Lead.'])
      expect(said).toContain(taken);
    expect(said).toContain('Columns with a field: 4. Left out and not sent: 1.');
    expect(mapping().sheets[0]?.columns).toEqual({
      'Merchant name': 'Company name',
      'Owner last name': 'Owner 1 last name',
      'Funding wanted': 'Amount requested',
      Stage: { field: 'Stage', values: { Prospect: 'Lead' } },
      'Internal note': null,
    });
    const { exitCode, stderr } = await place.run(['check', 'broker.csv', '--mapping', 'broker.json']);
    expect(exitCode, stderr).toBe(0);
  });

  it('asks again after an answer that means nothing, and keeps the rest open when the input ends', async () => {
    const said = await answer(
      place,
      ['map', 'broker.csv', '--as', 'deals', '-o', 'broker.json'],
      [
        ['Column "Funding wanted"', 'Amuont reqested\r'],
        ['Did you mean "Amount requested"?', '1\r'],
        ['Column "Internal note"', '\u0004'],
      ],
    );
    expect(said).toContain('"Amuont reqested" is no field of a deal. Did you mean "Amount requested"?');
    expect(mapping().sheets[0]?.columns).toMatchObject({
      'Funding wanted': 'Amount requested',
      'Internal note': { field: null },
    });
    expect(said).toContain('1 column is open:');
  });

  it.each<[string, string, readonly (readonly [string, string])[]]>([
    ['a sheet', 'broker.xlsx', [['What are its rows?', ctrlC]]],
    [
      'a column',
      'broker.csv',
      [
        ['Column "Funding wanted"', '1\r'],
        ['Column "Internal note"', ctrlC],
      ],
    ],
    [
      'a value',
      'broker.csv',
      [
        ['Column "Funding wanted"', '1\r'],
        ['Column "Internal note"', '-\r'],
        ['"Prospect" in column', ctrlC],
      ],
    ],
  ])('is given up by Ctrl-C at the question about %s, and nothing is written', async (_what, file, answers) => {
    await writeWorkbook(place.path('broker.xlsx'), { Deals: broker, Rates: [['Colour'], ['blue']] });
    const before = readdirSync(place.folder).sort();
    const kind = file === 'broker.csv' ? ['--as', 'deals'] : [];
    const words = ['map', file, ...kind, '-o', 'broker.json'];
    const { said, exitCode } = await endedAtTerminal(place, words, answers);
    expect(said).not.toMatch(/See whether it fits|Something went wrong/);
    expect(said).toMatch(/Nothing was written\.\n$/);
    expect(exitCode).toBe(130);
    expect(readdirSync(place.folder).sort()).toEqual(before);
  });

  it.each([
    ['the input is ended', '\u0004'],
    ['Enter alone is typed', '\r'],
  ])('leaves a value open where %s', async (_what, typed) => {
    const said = await answer(
      place,
      ['map', 'broker.csv', '--as', 'deals', '-o', 'broker.json'],
      [
        ['Column "Funding wanted"', '1\r'],
        ['Column "Internal note"', '-\r'],
        ['"Prospect" in column', typed],
      ],
    );
    expect(said).toContain('1 value is open:');
    expect(mapping().sheets[0]?.columns).toMatchObject({ Stage: { field: 'Stage', values: { Prospect: null } } });
  });

  it('asks nothing with --yes, and nothing before it has a place for the answers', async () => {
    const said = await answer(place, ['map', 'broker.csv', '--as', 'deals', '-o', 'broker.json', '--yes'], []);
    expect(said).not.toContain('Which field');
    expect(existsSync(place.path('broker.json'))).toBe(true);
    const again = await answer(place, ['map', 'broker.csv', '--as', 'deals', '-o', 'broker.json'], []);
    expect(again).toContain('already exists');
    expect(again).not.toContain('Which field');
  });
});

describe('an answer about a column', () => {
  const suggestions = [
    { field: 'Company name', score: 0.8 },
    { field: 'Company DBA', score: 0.6 },
  ];
  const open = { field: null, suggestions };
  async function decided(answer: string) {
    const said: string[] = [];
    const typed = [answer];
    const terminal = { say: (text: string) => said.push(text), askText: async () => typed.shift() ?? null };
    const mapping = { sheets: [{ kind: 'deals' as const, columns: { Shop: open } }] };
    const draft = { mapping, unknown: [], ruleOf: (_: unknown, { label }: { label: string }) => label };
    const { sheets } = await walkThrough(draft, terminal);
    return [sheets[0]?.columns.Shop, said.at(-1)];
  }
  it.each([
    ['2', 'Company DBA', 'It is taken as Company DBA.'],
    [' 1 ', 'Company name', 'It is taken as Company name.'],
    ['company ein', 'Company EIN', 'It is taken as Company EIN.'],
    ['-', null, 'It is left out.'],
    ['', open, 'It stays open.'],
    ['3', open, expect.stringContaining('"3" is no field of a deal.')],
    ['Compny nme', open, expect.stringContaining('Company name')],
    ['?', open, expect.stringMatching(/^The fields of a deal: .*Company phone · .* such as Company address 2/)],
  ])('%j decides: %j', async (answer, rule, said) => expect(await decided(answer)).toEqual([rule, said]));
});
