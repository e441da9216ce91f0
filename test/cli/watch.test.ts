import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { type CannedAnswer, created, serviceForEachTest } from '../builders/recording-service.ts';
import { readWorkbook, writeCsv } from '../builders/tables.ts';
import { until } from '../builders/until.ts';
import { environmentOf, main, withCalls } from '../builders/workplace.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name'];

describe('a watched folder', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest((_request, number) => answer(number));
  let answer: (number: number) => CannedAnswer;

  beforeEach(() => {
    mkdirSync(place.path('inbox'));
    answer = created;
  });

  const arrives = (file: string, amounts: readonly (number | string)[], names = headers) =>
    writeCsv(place.path(`inbox/${file}`), [
      names,
      ...amounts.map((amount, row) => [amount, `${file} ${row}`, 'Moreno']),
    ]);
  const words = (...further: string[]) => [
    ...['watch', 'inbox', '--url', service.url, '--yes', '--rest', '0.05', '--concurrency', '1', ...further],
  ];
  const env = { DEALSHEET_TOKEN: 'token' };
  const watch = (...further: string[]) => place.run(words('--once', ...further), { env });
  const filesIn = (folder: string) =>
    readdirSync(place.path(`inbox/${folder}`))
      .filter((name) => !name.startsWith('.'))
      .sort();
  const started = (...further: string[]) =>
    spawn(process.execPath, [main, ...words(...further)], {
      cwd: place.folder,
      env: environmentOf(place.folder, env),
      stdio: 'ignore',
    });

  it('loads what is in it, one file after another, and moves each with its results to done or to failed', async () => {
    arrives('june.csv', [100, 200]);
    arrives('july.csv', [300, 'TBD']);
    place.write('inbox/license.pdf', 'of no table');
    place.write('inbox/loading/results/july.results.xlsx', 'of a watch on another computer');
    await expectExit(watch(), 1);
    expect(filesIn('done')).toEqual(['june.csv', 'june.results.xlsx']);
    expect(filesIn('failed')).toEqual(['july.csv', 'july.results-2.xlsx', 'july.results.xlsx']);
    expect(
      (await readWorkbook(place.path('inbox/failed/july.results.xlsx'), 'july')).map(({ Status }) => Status),
    ).toEqual(['Created', 'Invalid']);
    const { runs } = JSON.parse((await place.run(['runs', '--json'])).stdout) as {
      runs: Record<'run' | 'file', string>[];
    };
    const july = runs.find(({ file }) => file.endsWith('july.csv'))?.run ?? '';
    await expectExit(place.run(['results', july, '--only', 'wrong']), 0, 'inbox/failed/july.wrong.xlsx');
    await expectExit(place.run(['results', july]), 0, 'inbox/failed/july.results-3.xlsx');
    for (const name of ['wrong', 'results-3']) rmSync(place.path(`inbox/failed/july.${name}.xlsx`));
    expect(readdirSync(place.path('inbox')).sort()).toEqual(['done', 'failed', 'license.pdf', 'loading']);
    expect(service.requests).toHaveLength(3);
    arrives('june.csv', [100, 200]);
    expect((await expectExit(watch(), 0)).stderr).not.toContain('Results: ');
    expect(filesIn('done')).toEqual(['june-2.csv', 'june.csv', 'june.results-2.xlsx', 'june.results.xlsx']);
    const newest = await readWorkbook(place.path('inbox/done/june.results.xlsx'), 'june');
    expect(newest.map(({ Status }) => Status)).toEqual(['Already loaded', 'Already loaded']);
    expect(service.requests).toHaveLength(3);
  });

  it('reads a file by its remembered mapping, and leaves one that it cannot read in failed, with the reason beside it', async () => {
    const mapping = {
      sheets: [{ kind: 'deals', columns: { Ask: 'Amount requested', Shop: 'Company name', Boss: 'Owner last name' } }],
    };
    place.write('config/dealsheet/mappings/broker.json', mapping);
    arrives('broker.csv', [100], ['Ask', 'Shop', 'Boss']);
    arrives('o$&.csv', [100], ['Wish', 'Shop', 'Boss']);
    place.write('inbox/cut.xlsx', 'PK half of it');
    const { stderr } = await expectExit(watch(), 1);
    expect(filesIn('done')).toEqual(['broker.csv', 'broker.results.xlsx']);
    expect(filesIn('failed')).toEqual(['cut.xlsx', 'cut.xlsx.reason.txt', 'o$&.csv', 'o$&.csv.reason.txt']);
    // What it says names each file where it is now, so that a command in it can be typed.
    const next = `dealsheet map '${place.path('inbox/failed/o$&.csv')}'`;
    for (const said of [place.read('inbox/failed/o$&.csv.reason.txt'), stderr]) expect(said).toContain(next);
    expect(service.requests).toHaveLength(1);
    expect(stderr).toContain(`, its results ${place.path('inbox/done/broker.results.xlsx')}\n`);
  });

  const whileMoved = (moved: string) => {
    const rename = `fs.promises.rename = async (from, to) => to.endsWith('done/june.csv') ? ${moved} : rename(from, to)`;
    return { env: { ...env, ...withCalls(rename) } };
  };

  it('says where a file is now, and ends, where the ledger cannot be opened to note that', async () => {
    arrives('june.csv', [100]);
    const unnoted = whileMoved(`rename(from, to).then(() => fs.writeFileSync('data/dealsheet/ledger.db', 'cut'))`);
    const told = /june\.csv is now .*xlsx\nThe ledger .* is damaged/s;
    await expectExit(place.run(words('--once'), unnoted), 2, told);
  });

  it('ends, and loads no row again, where another program has the file open', async () => {
    arrives('june.csv', [100]);
    const ended = place.run(words('--once'), whileMoved(`fail('EBUSY')`));
    const { stderr } = await expectExit(ended, 1, /june\.csv cannot be moved .*open/);
    expect(stderr).not.toContain('Nothing was sent');
    await expectExit(watch(), 0);
    expect([filesIn('done')[0], service.requests.length]).toEqual(['june.csv', 1]);
  });

  it('P4, P9: is killed and started again: no row is lost, and none sent twice', async () => {
    let isUnderWay = false;
    answer = (number) => {
      isUnderWay ||= number === 3;
      return created(number);
    };
    arrives('june.csv', Array(60).fill(100));
    const first = started();
    await until(() => isUnderWay);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(filesIn('loading')).toContain('june.csv');
    await watch();
    const sent = service.requests.map(({ body }) => /june\.csv \d+/.exec(body)?.[0]);
    expect(new Set(sent).size).toBe(sent.length);
    const folder = filesIn('done').length > 0 ? 'done' : 'failed';
    const told = await readWorkbook(place.path(`inbox/${folder}/june.results.xlsx`), 'june');
    expect(told).toHaveLength(60);
    for (const row of told)
      expect(row.Status).toMatch(sent.includes(String(row['Company name'])) ? /Created|Already|In doubt/ : /In doubt/);
    expect(filesIn('loading')).toEqual(['results']);
  });

  it('loads the rows that were written into a file while it was loaded, and none of the others again', async () => {
    answer = (number) => {
      if (number === 1) appendFileSync(place.path('inbox/loading/june.csv'), '\n300,june.csv 2,Moreno\n');
      return created(number);
    };
    arrives('june.csv', [100, 200]);
    await expectExit(watch(), 0);
    expect(service.requests).toHaveLength(3);
    expect(filesIn('done')).toContain('june.csv');
  });

  it('keeps a file while the service is away, and goes on with it later', async () => {
    answer = () => ({ status: 401, body: '' });
    arrives('june.csv', [100]);
    arrives('july.csv', [100]);
    expect((await watch()).exitCode).toBe(4);
    expect(filesIn('loading')).toHaveLength(2);
    answer = created;
    expect((await watch()).exitCode).toBe(0);
    expect(filesIn('done')).toEqual(['july.csv', 'july.results.xlsx', 'june.csv', 'june.results.xlsx']);
  });

  it('has one watch at a time, loads what arrives while it is watched, and ends when it is told to', async () => {
    const first = started();
    await until(() => existsSync(place.path('inbox/loading/.watch')));
    arrives('june.csv', [100]);
    await until(() => existsSync(place.path('inbox/done/june.csv')));
    await expectExit(watch(), 2, 'Another watch is running on the folder');
    first.kill('SIGTERM');
    expect(await once(first, 'exit')).toEqual([0, null]);
  });

  it('loads the file that a link leads to, and leaves it where it is', async () => {
    arrives('june.csv', [100]);
    renameSync(place.path('inbox/june.csv'), place.path('june.csv'));
    symlinkSync('../june.csv', place.path('inbox/june.csv'));
    symlinkSync('nowhere', place.path('inbox/july.csv'));
    await expectExit(watch(), 0);
    expect(filesIn('done')).toEqual(['june.csv', 'june.results.xlsx']);
    expect(existsSync(place.path('june.csv'))).toBe(true);
  });

  it('P17: ends with 130 where files are left, once it is told to', async () => {
    arrives('june.csv', [100]);
    const ended = started('--once', '--rest', '60');
    await until(() => existsSync(place.path('inbox/loading/.watch')));
    ended.kill('SIGTERM');
    expect(await once(ended, 'exit')).toEqual([130, null]);
  });

  it('is not begun without a yes, a folder, or a service, nor where files cannot be moved', async () => {
    mkdirSync(place.path('apart'));
    symlinkSync('/proc', place.path('apart/done'));
    for (const [begun, said] of [
      [['watch', 'inbox', '--url', service.url], 'A watch sends without asking'],
      [['watch', 'nowhere', '--url', service.url, '--yes'], 'There is no folder'],
      [['watch', 'inbox', '--yes'], 'No service was chosen'],
      [['watch', 'apart', '--url', service.url, '--yes', '--once'], 'apart/done: it is on another disk'],
    ] as const) {
      await expectExit(place.run([...begun], { env }), 2, said);
    }
  });
});
