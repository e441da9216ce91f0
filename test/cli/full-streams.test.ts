import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';
import { type Ended, environmentOf, main } from '../builders/workplace.ts';

/** As a disk without room behind `> file`. */
const full = '/dev/full';

describe('a command as a schedule starts it', () => {
  const place = ownWorkplaceForEachTest();
  const service = serviceForEachTest();
  beforeEach(() => {
    writeCsv(place.path('deals.csv'), [
      ['Amount requested', 'Company name', 'Owner last name'],
      [100, 'Harbor Bakery', 'Moreno'],
      [200, 'Hill Brewery', 'Novak'],
    ]);
  });

  interface Surroundings {
    readonly env?: Record<string, string>;
    readonly full?: readonly ('stdout' | 'stderr')[];
  }

  async function run(words: readonly string[], { env = {}, full: fullStreams = [] }: Surroundings): Promise<Ended> {
    const room = openSync(full, 'w');
    const streamOf = (name: 'stdout' | 'stderr') => (fullStreams.includes(name) ? room : 'pipe');
    const child = spawn(process.execPath, [main, ...words], {
      cwd: place.folder,
      env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'token', ...env }),
      stdio: ['ignore', streamOf('stdout'), streamOf('stderr')],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      saidBy(child.stdout),
      saidBy(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    closeSync(room);
    return { exitCode, stdout, stderr };
  }
  const load = (surroundings: Surroundings, ...further: string[]) =>
    run(['import', 'deals.csv', '--url', service.url, '--yes', ...further], surroundings);

  function expectNoTrace({ stderr }: Ended): void {
    expect(stderr).not.toMatch(/^\s+at |node:internal/m);
  }

  it('that loads keeps the exit code of its rows where its object has no room, and tells where the counts are', async () => {
    const ended = await load({ full: ['stdout'] }, '--json', '--results', 'results.xlsx', '--ledger', 'team.db');
    expect(ended.stderr).toMatch(/could not be written to standard output \(ENOSPC\)/);
    expect(ended.exitCode).toBe(0);
    expectNoTrace(ended);
    const told = /dealsheet runs (.+ --json)/.exec(ended.stderr)?.[1]?.split(' ') ?? [];
    const again = await run(['runs', ...told], {});
    expect(JSON.parse(again.stdout)).toMatchObject({ counts: { created: 2 } });
  });

  it.each([
    ['check', ['check', 'deals.csv', '--json']],
    ['runs', ['runs']],
    ['config', ['config']],
    ['map', ['map', 'deals.csv']],
  ])('that gives nothing but its answer fails where that has no room (%s)', async (_name, words) => {
    const ended = await run(words, { full: ['stdout'] });
    expect(ended.stderr).toMatch(/could not be written to standard output \(ENOSPC\)/);
    expect(ended.exitCode).toBe(1);
    expectNoTrace(ended);
  });

  it('loads and writes its results where no message can be written', async () => {
    const ended = await expectExit(load({ full: ['stderr'] }, '--json', '--results', 'results.xlsx'), 0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { created: 2 } });
    expect(existsSync(place.path('results.xlsx'))).toBe(true);
    expect(service.requests).toHaveLength(2);
  });

  it('refuses with its own exit code where nothing at all can be written', async () => {
    await expectExit(run(['import', 'nothing.csv', '--url', service.url], { full: ['stdout', 'stderr'] }), 2);
  });

  it.each([
    [
      'its folder is gone',
      "import { mkdirSync, rmdirSync } from 'node:fs'; mkdirSync('gone'); process.chdir('gone'); rmdirSync('../gone');",
      /^The folder that this command was started in is gone\.\nChange into a folder that exists \(cd\), and try again\.$/,
    ],
    [
      'its Node is too old',
      "import zlib from 'node:zlib'; delete zlib.crc32;",
      /^Node \d\S+ is too old for dealsheet\.\nInstall a newer one \(nodejs\.org has it\), and try again\.$/,
    ],
  ])('says that %s', async (_what, before, says) => {
    const ended = await expectExit(load({ env: { NODE_OPTIONS: `--import ${encodedModule(before)}` } }, '--json'), 2);
    expect(ended.stderr).toMatch(says);
    expect(JSON.parse(ended.stdout)).toMatchObject({ run: null, error: { code: 'usage' } });
    expect(existsSync(place.path('gone'))).toBe(false);
  });

  it.each([
    ['HOME', '', /HOME is empty, which is not an absolute path\..*Set HOME/s],
    ['HOME', 'here', /HOME is here, which is not an absolute path\./],
    ['XDG_DATA_HOME', './data', /XDG_DATA_HOME is \.\/data, which is not an absolute path\./],
  ])('takes no ledger that would lie elsewhere with every folder (%s=%s)', async (name, value, says) => {
    const ended = await expectExit(load({ env: { [name]: value } }), 2);
    expect(ended.stderr).toMatch(says);
    expectNoTrace(ended);
    expect(service.requests).toEqual([]);
  });

  it('that fails in a way nobody thought of ends as a run that can be resumed, without a trace unless it is asked for', async () => {
    const late = "setTimeout(() => { throw new Error('unthought') }, 0)";
    const env = {
      NODE_OPTIONS: `--import ${encodedModule(`globalThis.process.on('newListener', (name) => { if (name === 'uncaughtException') ${late} })`)}`,
    };
    const ended = await expectExit(load({ env }, '--json'), 5);
    expect(ended.stderr).toMatch(/Something went wrong inside dealsheet\..*dealsheet runs.*--debug/s);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'unexpected', reason: 'unexpected' } });
    expectNoTrace(ended);
    expect((await load({ env }, '--debug')).stderr).toMatch(/Error: unthought\n\s+at /);
  });
});

function encodedModule(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

async function saidBy(stream: Readable | null): Promise<string> {
  return stream === null ? '' : (await text(stream)).trimEnd();
}
