import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { tidySources } from '../../src/load/run-source.ts';
import { copySource } from '../../src/staging/source/source-copy.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { readWorkbook, writeCsv } from '../builders/tables.ts';
import { aLoad, newPlace } from '../ledger/place.ts';
import { runLoad, runWhole } from './loads.ts';

const oneByOne = ['--yes', '--concurrency', '1', '--ledger', 'own.db'];

describe('the private copy of a source', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest(({ method, path }, number) => {
    if (method === 'GET') return { status: 200, body: JSON.stringify({ id: path.split('/').at(-1) }) };
    if (number === 1) meanwhile();
    return number === refused ? { status: 500, body: '{}' } : created(number);
  });
  let refused: number;
  /** Done once, before the first answer. */
  let meanwhile: () => void;

  beforeEach(() => {
    refused = 0;
    meanwhile = () => {};
    writeCsv(place.path('deals.csv'), [
      ['Company name', 'Amount requested', 'Owner 1 SSN'],
      ...['Harbor', 'Summit', 'Ridge', 'Valley'].map((name) => [name, 100, '219-09-9999']),
    ]);
  });

  /** Where digests of results stand, which tell nothing of a row. */
  const resultsDigests = 'results';
  const copies = () =>
    existsSync(place.path('own.db.sources'))
      ? readdirSync(place.path('own.db.sources')).filter((name) => name !== resultsDigests)
      : [];
  const load = (further: readonly string[] = []) =>
    runWhole(place, ['import', 'deals.csv', '--url', service.url, ...oneByOne, ...further]);
  const run = (words: readonly string[]) => runWhole(place, [...words, '--ledger', 'own.db']);
  const killed = (further: readonly string[] = []) =>
    runLoad(place, ['import', 'deals.csv', '--url', service.url, ...oneByOne, ...further], {
      env: { DEALSHEET_STOP_AT: 'intent-after-commit:2' },
    });

  const many = 800;
  /** So many and so long that the checked rows go to a private file as well, and not all of them are read before the first is sent. */
  const writeManyDeals = () =>
    writeCsv(place.path('deals.csv'), [
      ['Company name', 'Amount requested', 'Owner 1 SSN', '(Remarks)'],
      ...Array.from({ length: many }, (_, row) => [`Harbor ${row}`, 100 + row, '219-09-9999', 'x'.repeat(4_000)]),
    ]);
  const privateFiles = () => copies().map((name) => place.path(`own.db.sources/${name}`));
  const isOfRows = (path: string) => readFileSync(path, 'latin1').startsWith('SQLite format 3');

  it('that is cut off during the load does no harm: its rows were staged before', async () => {
    writeManyDeals();
    meanwhile = () => {
      for (const path of privateFiles()) if (!isOfRows(path)) truncateSync(path, 1_000);
    };
    await expectExit(load(['--concurrency', '32']), 0);
    const rows = await readWorkbook(place.path('deals.results.xlsx'), 'deals');
    expect(rows.filter(({ Status: status }) => status === 'Created')).toHaveLength(many);
  });

  it('of rows that is written over during the load stops it, and the resume loads the others', async () => {
    writeManyDeals();
    meanwhile = () => {
      for (const path of privateFiles()) if (isOfRows(path)) writeFileSync(path, Buffer.alloc(statSync(path).size, 7));
    };
    const stopped = await load(['--concurrency', '32']);
    expect(stopped.exitCode, stopped.stderr).toBe(5);
    expect(stopped.stderr).toMatch(/private copy of the rows, .*, was changed by another program.*\n.*resume/);
    expect(service.requests.length).toBeLessThan(many);
    await expectExit(run(['resume', '--yes']), 0);
    expect(service.requests).toHaveLength(many);
  });

  it('that a resume takes of the source itself is taken away also where the mapping of the run was changed since', async () => {
    const names = ['Company name', 'Amount requested', 'Owner 1 SSN'];
    const columns = Object.fromEntries(names.map((name) => [name, name]));
    const writeMapping = (further: object) =>
      place.write('m.json', { sheets: [{ kind: 'deals', columns, ...further }] });
    writeMapping({});
    await killed(['--mapping', 'm.json']);
    for (const path of privateFiles()) rmSync(path);
    writeMapping({ dateOrder: 'mdy' });
    await expectExit(run(['resume', '--yes']), 2, 'm.json');
    expect(copies()).toEqual([]);
  });

  it('of a killed load is left for its resume alone, by whatever command comes next', async () => {
    await killed();
    expect((await run(['runs'])).exitCode).toBe(0);
    expect(copies()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-01-.*\.source$/)]);
    expect(statSync(place.path(`own.db.sources/${copies()[0]}`)).mode & 0o777).toBe(0o600);
  });

  it.each([
    [['runs'], 0],
    [['runs', '2026-01-01-01-none'], 2],
  ])(
    'goes with the checked rows of a killed load of many, by whatever command comes next: %j',
    async (next, exitCode) => {
      writeManyDeals();
      await killed();
      expect(copies().filter((name) => /^copy-.*\.source$/.test(name))).toHaveLength(2);
      expect((await run(next)).exitCode).toBe(exitCode);
      expect(copies()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d-01-.*\.source$/)]);
    },
  );

  it('goes once every row of a killed load is settled by a resume and an answer to the doubt', async () => {
    await killed();
    place.write('deals.csv', 'Company name,Amount requested\nQuay,100');
    const resumed = await run(['resume', '--yes']);
    expect(resumed.exitCode).toBe(6);
    expect(resumed.stderr).toMatch(
      /^deals\.csv was changed or moved since this run began\. .*sent as they were then\./,
    );
    expect(resumed.stderr).not.toContain('during the load');
    const listed = await place.run(['runs', '--json', '--ledger', 'own.db']);
    const [{ run: id }] = (JSON.parse(listed.stdout) as { runs: [{ run: string }] }).runs;
    expect(copies()).toEqual([`${id}.source`]);
    const row = /deals!\d/.exec((await place.run(['runs', id, '--ledger', 'own.db'])).stdout)?.[0] ?? '';
    await expectExit(run(['resolve', id, '--row', row, '--created', 'rec_9', '--url', service.url]), 0);
    expect(copies()).toEqual([]);
  });

  it('of a row that was not created after all stays until that row is in', async () => {
    refused = 2;
    expect((await load()).exitCode).toBe(6);
    const id = (copies()[0] ?? '').replace('.source', '');
    expect((await run(['resolve', id, '--all-not-created'])).exitCode).toBe(0);
    expect(copies()).toEqual([`${id}.source`]);
    expect((await load()).exitCode).toBe(0);
    expect(copies()).toEqual([]);
  });

  it('of a trial goes when all of its rows went in by another run', async () => {
    await load(['--limit', '2']);
    expect(copies()).toHaveLength(1);
    expect((await load()).exitCode).toBe(0);
    expect(copies()).toEqual([]);
  });

  it('of a load that is going on stays, whoever tidies meanwhile', async () => {
    const ledgerPlace = newPlace();
    const ledger = ledgerPlace.open();
    const folder = place.path('copies');
    const mine = await copySource(place.path('deals.csv'), folder, process.stdin);
    const begun = await ledger.begin(aLoad());
    writeFileSync(`${folder}/${begun.id}.source`, 'kept');
    await tidySources(folder, ledger);
    await copySource(place.path('deals.csv'), folder, process.stdin);
    expect(existsSync(mine.path)).toBe(true);
    expect(existsSync(`${folder}/${begun.id}.source`)).toBe(true);
    ledgerPlace.remove();
  });

  it('goes with its run, also where a disk kept it until that was forgotten', async () => {
    const ledgerPlace = newPlace();
    const ledger = ledgerPlace.open();
    const folder = place.path('copies');
    await copySource(place.path('deals.csv'), folder, process.stdin).then(({ lock }) => lock.remove());
    const ended = await ledger.begin(aLoad());
    await ended.end('ended');
    const stopped = await ledger.begin(aLoad());
    await stopped.end('stopped');
    expect((await ledger.prune('9999-01-01')).runs).toBe(1);
    for (const { id } of [stopped, ended]) writeFileSync(`${folder}/${id}.source`, 'kept');
    await tidySources(folder, ledger);
    expect(readdirSync(folder)).toEqual([`${stopped.id}.source`]);
    ledgerPlace.remove();
  });

  it('that a killed process left without a lock is taken away by the next copy', async () => {
    const folder = place.path('copies');
    const first = await copySource(place.path('deals.csv'), folder, process.stdin);
    writeFileSync(`${folder}/copy-0b.source`, 'left');
    chmodSync(`${folder}/copy-0b.source`, 0o600);
    first.lock.remove();
    const second = await copySource(place.path('deals.csv'), folder, process.stdin);
    expect(readdirSync(folder).filter((name) => name.endsWith('.source'))).toEqual([second.path.split('/').at(-1)]);
  });

  it('that cannot be taken away stops no command', async () => {
    // A folder stands for a file that the disk does not give away.
    mkdirSync(place.path('own.db.sources/copy-0a.source/inside'), { recursive: true });
    await killed();
    expect((await run(['runs'])).exitCode).toBe(0);
    expect(copies().sort()).toEqual([
      expect.stringMatching(/^\d{4}-.*\.source$/),
      'copy-0a.source',
      'copy-0a.source.lock',
    ]);
  });

  it('that is not given away at the end of a load changes nothing of its end', async () => {
    const folder = place.path('copies');
    const copy = await copySource(place.path('deals.csv'), folder, process.stdin);
    rmSync(copy.path);
    mkdirSync(`${copy.path}/inside`, { recursive: true });
    copy.lock.remove();
    expect(existsSync(copy.path)).toBe(true);
  });

  it('that has no folder to lie in is told with that folder, and nothing is sent', async () => {
    await expect(
      copySource(place.path('deals.csv'), place.path('deals.csv/copies'), process.stdin),
    ).rejects.toMatchObject({
      code: 'unreadable-source',
      message: expect.stringMatching(/^The private copy of .* cannot be written to the folder .*deals\.csv\/copies/),
      remedy: expect.stringContaining('Nothing was sent.'),
    });
  });
});
