import { beforeEach, describe, expect, it } from 'vitest';
import type { EndpointName } from '../../src/contract/record-kind.ts';
import { type FaultName, noFaults } from '../../src/sandbox/faults.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { readWorkbook, typeIdOfDoubt, writeCsv } from '../builders/tables.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';
import { dealSample, kindSamples, sampleTable } from './kind-samples.ts';
import { runWhole } from './loads.ts';

const isLong = process.env.DEALSHEET_LONG === '1';

const afterMaking: readonly FaultName[] = ['reset-after', '500-after', 'stall', 'close-after', 'cut-status'];
const pairs = kindSamples.flatMap((sample, index) =>
  afterMaking
    .filter((_, number) => isLong || number === index % afterMaking.length)
    .map((fault) => [sample.kind, fault, sample] as const),
);

describe('P8: a record that was made and not answered for', () => {
  const place = workplaceForEachTest();
  const service = sandboxForEachTest();

  beforeEach(async () => {
    writeCsv(place.path('first.csv'), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [1, 'First Company', 'Park'],
    ]);
    const words = ['import', 'first.csv', '--as', 'deals', '--url', service.url, '--yes', '--results', 'first.xlsx'];
    await runWhole(place, words);
  });

  const made = (endpoint: EndpointName) =>
    [...service.accepted()].filter((entry) => entry.endpoint === endpoint).length;
  const load = (kind: string, results: string) =>
    runWhole(place, [
      ...['import', 'row.csv', '--as', kind, '--url', service.url, '--yes', '--timeout', '1'],
      ...['--results', results],
    ]);
  const newestRun = async () => {
    const listed = await place.run(['runs', '--json']);
    return (JSON.parse(listed.stdout) as { runs: { run: string }[] }).runs[0]?.run ?? '';
  };
  const statusIn = async (results: string) => (await readWorkbook(place.path(results), 'row'))[0]?.Status;

  it.each(pairs)(
    'is in doubt, and sent again neither by a resume nor by a second import (%s, %s)',
    async (kind, fault, sample) => {
      writeCsv(place.path('row.csv'), sampleTable(sample, 1, place));
      const before = made(sample.endpoint);
      service.change({ faults: { ...noFaults, at: [{ fault, from: 1, to: 1 }], on: [sample.endpoint] } });
      await expectExit(load(kind, 'one.xlsx'), 6);
      expect(await statusIn('one.xlsx')).toBe('In doubt');
      service.change({ faults: noFaults });
      await expectExit(runWhole(place, ['resume', await newestRun(), '--yes', '--results', 'one.xlsx']), 6);
      await expectExit(load(kind, 'two.xlsx'), 6);
      expect(await statusIn('two.xlsx')).toBe('In doubt');
      expect(made(sample.endpoint) - before).toBe(1);
    },
  );

  it('is created when its answer is cut, and the Location names it', async () => {
    writeCsv(place.path('row.csv'), sampleTable(dealSample, 1, place));
    service.change({ faults: { ...noFaults, at: [{ fault: 'cut-body', from: 1, to: 1 }], on: ['addDeal'] } });
    expect((await load('deals', 'one.xlsx')).exitCode).toBe(0);
    expect((await readWorkbook(place.path('one.xlsx'), 'row'))[0]).toMatchObject({
      Status: 'Created',
      ID: 'deal_000002',
    });
  });

  it('is settled by hand, and the results follow', async () => {
    writeCsv(place.path('row.csv'), sampleTable(dealSample, 1, place));
    service.change({ faults: { ...noFaults, at: [{ fault: 'reset-after', from: 1, to: 1 }], on: ['addDeal'] } });
    await load('deals', 'one.xlsx');
    service.change({ faults: noFaults });
    const run = await newestRun();

    const unknown = await runWhole(place, ['resolve', run, '--row', 'row!2', '--created', 'deal_999999']);
    expect(unknown.exitCode, unknown.stderr).toBe(2);
    expect(unknown.stderr).toMatch(/The service has no record deal_999999/);

    await expectExit(runWhole(place, ['resolve', run, '--row', 'row!2', '--created', 'deal_000002']), 0);
    await place.run(['results', run, '-o', 'again.xlsx']);
    expect((await readWorkbook(place.path('again.xlsx'), 'row'))[0]).toMatchObject({
      Status: 'Created',
      ID: 'deal_000002',
    });
    expect((await load('deals', 'two.xlsx')).exitCode).toBe(0);
    expect(await statusIn('two.xlsx')).toBe('Already loaded');
    expect(made('addDeal')).toBe(2);
  });

  it('is settled by a list of what was found, all of its rows or none', async () => {
    const rows = Array.from({ length: 4 }, (_, index) => [100 + index, `Harbor ${index}`, 'Moreno']);
    writeCsv(place.path('row.csv'), [['Amount requested', 'Company name', 'Owner last name'], ...rows]);
    const at = [
      { fault: 'reset-after', from: 1, to: 3 },
      { fault: 'stall-before', from: 4, to: 4 },
    ] as const;
    service.change({ faults: { ...noFaults, at, on: ['addDeal'] } });
    expect((await load('deals', 'one.xlsx')).exitCode).toBe(6);
    service.change({ faults: noFaults });
    const run = await newestRun();
    const resolve = (file: string) => runWhole(place, ['resolve', run, '--from', file]);
    const idOf = new Map(
      [...service.accepted()].map(({ id, body }) => [JSON.parse(body).amountRequested as number, id]),
    );
    const found = [0, 1, 2, 3].map((index) => [`row!${index + 2}`, idOf.get(100 + index) ?? 'not created']);

    writeCsv(place.path('wrong.csv'), [
      ['Row', 'ID'],
      ...found.slice(1),
      ['row!2', 'deal_999999'],
      ['row!9', 'deal_999998'],
    ]);
    const refused = await expectExit(resolve('wrong.csv'), 2, /Rows cannot be settled:\n.*\n.*\n/);
    expect(refused.stderr).toMatch(/row!2: The service has no record deal_999999/);
    expect(refused.stderr).toMatch(/row!9 is not in doubt/);
    expect((await place.run(['runs', run])).stdout).toMatch(/row!5/);

    writeCsv(place.path('found.csv'), [['Row', 'ID'], ...found]);
    await expectExit(resolve('found.csv'), 0, /4 rows are settled/);
    expect((await resolve('found.csv')).stderr).toMatch(/0 rows are settled. 4 had been settled before/);
    const before = made('addDeal');
    expect((await load('deals', 'two.xlsx')).exitCode).toBe(0);
    expect(made('addDeal') - before).toBe(found.filter(([, id]) => id === 'not created').length);
  });

  it('is settled by the results sheet that names its id, given to resolve', async () => {
    writeCsv(place.path('row.csv'), sampleTable(dealSample, 1, place));
    service.change({ faults: { ...noFaults, at: [{ fault: 'reset-after', from: 1, to: 1 }], on: ['addDeal'] } });
    await load('deals', 'one.csv');
    service.change({ faults: noFaults });
    const run = await newestRun();
    const resolve = () => runWhole(place, ['resolve', run, '--from', 'one.csv']);
    await expectExit(place.run(['resolve', run, '--from', 'one.csv', '--all-not-created']), 2, /No row was settled/);
    await expectExit(resolve(), 2, /has no answer for a row in doubt/);
    typeIdOfDoubt(place.path('one.csv'), 'deal_000002');
    await expectExit(resolve(), 0);
    await place.run(['results', run, '-o', 'again.csv']);
    expect(place.read('again.csv')).toMatch(/Created,.*,deal_000002,/s);
  });
});
