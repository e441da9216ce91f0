import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { answer, hasTerminal } from '../builders/pseudo-terminal.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { oneRow, typeIdOfDoubt, writeCsv } from '../builders/tables.ts';
import type { Ended } from '../builders/workplace.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name'];
const serverError = { status: 500, body: '{"message":"try later"}' };

/** A service that has two deals, and says of every create that something went wrong. */
const records: Readonly<Record<string, object>> = {
  '/v1/deal/deal_1': { id: 'deal_1', amountRequested: '1,000.50', company: { name: 'HARBOR, L.L.C.' } },
  '/v1/deal/deal_2': { data: { id: 'deal_2', amountRequested: 2000, company: { name: 'Kite' } } },
};

describe('rows in doubt that a person looked up', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((request) => {
    if (request.method !== 'GET') return serverError;
    const record = records[request.path];
    return record === undefined ? { status: 404, body: '{}' } : { status: 200, body: JSON.stringify(record) };
  });
  let run = '';

  beforeEach(async () => {
    writeCsv(place.path('deals.csv'), [headers, [1000.5, 'Harbor LLC', 'Moreno'], [2000, 'Kite', 'Moreno']]);
    place.write('own.json', { person: 'Ana Ruiz' });
    const load = ['import', 'deals.csv', '--url', service.url, '--yes', '--json', '--config', 'own.json'];
    const loaded = await expectExit(dealsheet(...load), 6);
    run = (JSON.parse(loaded.stdout) as { run: string }).run;
  });

  const dealsheet = (...words: string[]): Promise<Ended> => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const settle = (row: number, ...found: string[]) => dealsheet('resolve', run, '--row', `deals!${row}`, ...found);
  const counts = async () => {
    const { stdout } = await dealsheet('runs', '--json');
    return (JSON.parse(stdout) as { runs: { counts: object }[] }).runs[0]?.counts;
  };

  it('are settled by the id of a record that says what the row says, however it writes it', async () => {
    const settled = await expectExit(settle(2, '--created', 'deal_1', '--config', 'own.json'), 0);
    const by = String.raw`, by Ana Ruiz \(\S+\) on`;
    expect((await dealsheet('runs', run)).stdout).toMatch(new RegExp(`Began .*${by}[^]*deals!2 .*${by} 2`));
    expect(settled.stderr).toContain(
      'deals!2: the service has deal_1 as Company name "HARBOR, L.L.C.", Amount requested 1000.5.',
    );
    expect(settled.stderr).toContain('1 row is settled.');
  });

  it('go out as it is said once they are settled as not created', async () => {
    expect((await settle(2, '--created', 'deal_1')).stderr).not.toContain('dealsheet resume');
    const goesOut =
      /^A row that was not created is sent when you import the file again, or with: (dealsheet resume .*)$/m;
    const settled = await settle(3, '--not-created');
    const [, command = ''] = goesOut.exec(settled.stderr) ?? [];
    const before = service.requests.length;
    const unnamed = await dealsheet('resume', '--yes');
    expect(unnamed.stderr).toContain('There is nothing to resume');
    expect(unnamed.stderr).toContain(`newest run are not in. dealsheet resume ${run} sends those that can go now.`);
    await dealsheet(...command.split(' ').slice(1), '--yes');
    const sent = service.requests.slice(before).filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual([expect.stringContaining('"Kite"')]);
    expect((await dealsheet('resolve', run, '--all-not-created', '--yes')).stderr).toMatch(goesOut);
  });

  it('go out in their own run alone where it sent rows again, because without --again the file has none to send', async () => {
    for (const [row, id] of [
      [2, 'deal_1'],
      [3, 'deal_2'],
    ] as const)
      expect((await settle(row, '--created', id)).exitCode).toBe(0);
    const again = await dealsheet('import', 'deals.csv', '--url', service.url, '--yes', '--json', '--again');
    ({ run } = JSON.parse(again.stdout) as { run: string });
    const settled = await settle(2, '--not-created');
    expect(settled.stderr).toContain(`A row that was not created is sent with: dealsheet resume ${run}`);
    const before = service.requests.length;
    await dealsheet('import', 'deals.csv', '--url', service.url, '--yes');
    expect(service.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
    await dealsheet('resume', run, '--yes');
    expect(service.requests.slice(before).filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('are named by their sheet and number, and listed by the run', async () => {
    const howTo = `Give --row SHEET!N, as in --row 'Deals!12', or a list with --from FILE. The rows in doubt: dealsheet runs ${run}`;
    const numbered = await expectExit(dealsheet('resolve', run, '--row', '3', '--not-created'), 2);
    expect(numbered.stderr).toBe(
      `"3" does not name a row: give its sheet and its number, with ! between them.\n${howTo}`,
    );
    const unnamed = await dealsheet('resolve', run, '--not-created');
    expect(unnamed.stderr).toBe(`No row was named.\n${howTo}`);
  });

  it('are settled by an id that was copied with blanks around it, or with what nobody sees', async () => {
    const settled = await dealsheet('resolve', `${run} `, '--row', ' deals!2', '--created', '\u200bdeal_1 ');
    expect(settled.stderr).toContain('1 row is settled.');
    expect(settled.exitCode).toBe(0);
    writeCsv(place.path('found.csv'), oneRow({ Row: ' deals!3 ', ID: ' deal_\u20602\u200b ' }));
    await expectExit(dealsheet('resolve', run, '--from', 'found.csv'), 0);
    expect(await counts()).toEqual({ created: 2 });
    for (const other of [' ', 'not created'])
      await expectExit(settle(3, '--created', other), 2, 'Say whether the row was created.');
    await expectExit(settle(3, '--created', 'duplicate'), 2, '"duplicate", given for deals!3, is not an id');
    await expectExit(settle(3, '--created', 'https://app.test/deals/deal_2'), 0, '1 had been settled before');
  });

  it('are not settled by the id of a record that says something else', async () => {
    const settled = await expectExit(settle(2, '--created', 'deal_2'), 2);
    expect(settled.stderr).toContain(
      'deals!2: deal_2 is another record: Company name is "Kite" there and "Harbor LLC" in the row; Amount requested is 2000 there and 1000.5 in the row.',
    );
    expect(settled.stderr).toContain('--changed-since');
    expect(await counts()).toEqual({ inDoubt: 2 });
  });

  it('are settled when the file of the run is gone, and that nothing was compared is said', async () => {
    await settle(3, '--not-created');
    writeCsv(place.path('deals.csv'), [headers, [1, 'Mill', 'Moreno']]);
    const { rmSync, readdirSync } = await import('node:fs');
    const kept = place.path('data/dealsheet/ledger.db.sources');
    for (const name of readdirSync(kept)) if (name.endsWith('.source')) rmSync(`${kept}/${name}`);
    await expectExit(settle(2, '--created', 'deal_2'), 0, 'the file of the run is gone or was changed');
  });

  it('are settled anew where a person was mistaken, and that is said', async () => {
    await settle(2, '--created', 'deal_2', '--changed-since');
    const taken = await expectExit(settle(3, '--created', 'deal_2'), 2);
    expect(taken.stderr).toMatch(
      /deals!3: deal_2 is the record of deals row 2 in the run \S+\. If somebody typed it there by mistake, correct that first: dealsheet resolve \S+ --row 'deals!2' --created ID/,
    );
    await expectExit(settle(2, '--created', 'deal_1'), 0, /deals!2 was settled as deal_2 before; now it is deal_1\./);
    await expectExit(settle(3, '--created', 'deal_2'), 0);
    expect(await counts()).toEqual({ created: 2 });
  });

  it('are settled anew by a list that changes two ids over', async () => {
    const list = (one: string, other: string) =>
      writeCsv(place.path('list.csv'), [
        ['Row', 'ID'],
        ['deals!2', one],
        ['deals!3', other],
      ]);
    list('deal_2', 'deal_1');
    expect((await dealsheet('resolve', run, '--from', 'list.csv', '--changed-since')).exitCode).toBe(0);
    list('deal_1', 'deal_2');
    await expectExit(dealsheet('resolve', run, '--from', 'list.csv'), 0, '2 rows are settled.', 'now it is deal_1.');
  });

  it('are not settled as "not created" by a file that may be older than their id', async () => {
    await settle(2, '--created', 'deal_1');
    writeCsv(place.path('list.csv'), [
      ['Row', 'ID'],
      ['deals!2', 'not created'],
    ]);
    const refused = await expectExit(dealsheet('resolve', run, '--from', 'list.csv'), 2);
    expect(refused.stderr).toContain('deals!2 was settled as deal_1 before. This "not created" may be older');
    await expectExit(settle(2, '--not-created'), 0, 'deals!2 was settled as deal_1 before; now it is not created.');
  });

  it('are settled anew also when a later load has met their doubt, and sent nothing', async () => {
    await dealsheet('import', 'deals.csv', '--url', service.url, '--yes');
    await settle(2, '--not-created');
    await expectExit(settle(2, '--created', 'yes'), 0, 'now it is created.');
    await expectExit(settle(2, '--created', 'deal_1'), 0, 'now it is deal_1.');
    expect(await counts()).toMatchObject({ alreadyLoaded: 1, inDoubt: 1 });
  });

  it('stay as they are once they were sent again', async () => {
    await settle(2, '--not-created');
    await dealsheet('import', 'deals.csv', '--url', service.url, '--yes');
    await expectExit(settle(2, '--created', 'deal_1'), 2, 'was sent again since, from deals.csv');
  });

  it('are all settled as not created without a question where nobody sits', async () => {
    await expectExit(dealsheet('resolve', run, '--all-not-created'), 0, '2 rows are settled.');
    const again = await expectExit(dealsheet('resolve', run, '--all-not-created'), 0);
    expect(again.stderr).toBe(`No row of the run ${run} is in doubt: there is nothing to settle.`);
  });

  it.runIf(hasTerminal)('are all settled as not created at a terminal once the person has said yes', async () => {
    const question =
      '2 rows are in doubt. If the service has one of them after all, it would be created twice. Are you sure that it has none of them? [y/N]';
    const refused = await answer(place, ['resolve', run, '--all-not-created'], [['created twice', 'n\n']]);
    expect(refused).toContain(question);
    expect(refused).toContain('Nothing was changed.');
    expect(await counts()).toEqual({ inDoubt: 2 });
    await answer(place, ['resolve', run, '--all-not-created'], [['created twice', 'y\n']]);
    expect(await counts()).toEqual({ notSent: 2 });
  });

  it.runIf(hasTerminal)('are settled by their ID cells at a terminal once the person has said yes', async () => {
    await settle(3, '--created', 'deal_2');
    await dealsheet('results', run, '-o', 'found.csv');
    typeIdOfDoubt(place.path('found.csv'), 'deal_1');
    const question = 'Take the answers of the ID cells and write the results?';
    const env = { DEALSHEET_TOKEN: 'token' };
    const said = await answer(place, ['import', 'found.csv', '--url', service.url], [[question, 'y\n']], env);
    expect(await counts(), said).toEqual({ alreadyLoaded: 2 });
  });
});
