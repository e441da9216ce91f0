import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { mayMount } from '../builders/tools.ts';
import { environmentOf, main } from '../builders/workplace.ts';
import { sandboxForEachTest } from '../sandbox/running.ts';

const outputFailed = 1;
const usage = 2;
const noRoom = 'the disk is full';

const place = workplaceForEachTest();
const service = sandboxForEachTest();

beforeEach(() => {
  mkdirSync(place.path('disk'));
  const rows = Array.from({ length: 60 }, (_, index) => `Harbor ${index} LLC,${1000 + index}`).join('\n');
  place.write('deals.csv', `Company name,Amount requested\n${rows}\n`);
});

/** Runs the command beside a disk with room for one page, and tells what stands on that disk afterwards. */
function runBesideFullDisk(...words: readonly string[]): { code: number | null; stderr: string; left: string } {
  const script =
    'mount -t tmpfs -o size=8k tmpfs disk && echo full > disk/full; "$@"; code=$?; ls -A disk > left; exit $code';
  const { status, stderr } = spawnSync(
    'unshare',
    ['-m', 'sh', '-c', `${script}`, 'sh', process.execPath, main, ...words],
    { cwd: place.folder, env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'sandbox-token' }), encoding: 'utf8' },
  );
  const left = spawnSync('cat', ['left'], { cwd: place.folder, encoding: 'utf8' }).stdout.trim();
  return { code: status, stderr, left };
}

describe.skipIf(!mayMount())('on a disk without room', () => {
  it('a check says that its results were not written, and leaves nothing half', () => {
    const ended = runBesideFullDisk('check', 'deals.csv', '--as', 'deals', '--results', 'disk/checked.xlsx');
    expect(ended).toMatchObject({ code: outputFailed, left: 'full' });
    expect(ended.stderr).toContain(`disk/checked.xlsx: ${noRoom}. Nothing was sent.`);
    expect(ended.stderr).toContain('Make room. Then run the same command again.');
  });

  it('a load that holds everything back says the same', () => {
    place.write('deals.csv', 'Company name,Amount requested\nHarbor LLC,abc\n');
    const words = ['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--all-or-nothing'];
    const ended = runBesideFullDisk(...words, '--results', 'disk/results.xlsx');
    expect(ended).toMatchObject({ code: outputFailed, left: 'full' });
    expect(ended.stderr).toContain(`disk/results.xlsx: ${noRoom}. Nothing was sent.`);
  });

  it('a load whose rows have no room says where, and sends nothing', () => {
    symlinkSync(place.path('disk'), place.path('own.db.sources'));
    const words = ['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--ledger', 'own.db'];
    const ended = runBesideFullDisk(...words);
    expect(ended).toMatchObject({ code: usage, left: 'full' });
    expect(ended.stderr).toMatch(/^The private copy of the rows, in .*own\.db\.sources, has no room on its disk\.$/m);
    expect(ended.stderr).toContain('Make room there. Then import the file again');
  });

  it('results that are written again say so, whether their source is there or not', async () => {
    const words = ['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--json'];
    const loaded = await place.run(words, { env: { DEALSHEET_TOKEN: 'sandbox-token' } });
    const { run } = JSON.parse(loaded.stdout) as { run: string };
    for (const source of ['there', 'gone']) {
      if (source === 'gone') place.write('deals.csv', 'something else');
      const ended = runBesideFullDisk('results', run, '-o', 'disk/again.xlsx');
      expect(ended, source).toMatchObject({ code: outputFailed, left: 'full' });
      expect(ended.stderr).toContain(`disk/again.xlsx: ${noRoom}.`);
      expect(ended.stderr).toContain(`Make room. Then write them again with: dealsheet results ${run}`);
    }
  });

  it('a template and a mapping leave no half file that is in the way of the next try', () => {
    const template = runBesideFullDisk('template', 'all', '-o', 'disk/month.xlsx');
    expect(template).toMatchObject({ code: usage, left: 'full' });
    expect(template.stderr).toContain(`disk/month.xlsx cannot be written: ${noRoom}.`);
    const header = Array.from({ length: 900 }, (_, index) => `Own column ${index}`).join(',');
    place.write('broker.csv', `${header}\n${',x'.repeat(899)}\n`);
    const mapping = runBesideFullDisk('map', 'broker.csv', '--as', 'deals', '--yes', '-o', 'disk/broker.json');
    expect(mapping).toMatchObject({ code: usage, left: 'full' });
    expect(mapping.stderr).toContain(`disk/broker.json cannot be written: ${noRoom}.`);
  });
});
