import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { environmentOf, root } from '../builders/workplace.ts';

const script = join(root, 'test', 'tables', 'children', 'half.mjs');

describe('P23: half a file that a kill leaves behind', () => {
  const place = ownWorkplaceForEachTest();

  beforeEach(() => {
    mkdirSync(place.path('month'));
  });

  const halves = () => readdirSync(place.path('month')).filter((name) => /^\.a\.csv\.[0-9a-f]{12}\.tmp$/.test(name));
  const lists = () =>
    readdirSync(place.path(`dealsheet-${process.getuid?.()}`)).filter((name) => name.endsWith('.list'));

  async function begun(...others: readonly string[]) {
    const child = spawn(process.execPath, [script, place.path('month/a.csv'), ...others], {
      env: environmentOf(place.folder, {}),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  }

  it('goes with the next command, too, if its folder refused that at the end of the process, and others go at once', async () => {
    mkdirSync(place.path('other'));
    const child = await begun(place.path('other/b.csv'));
    renameSync(place.path('month'), place.path('away'));
    place.write('month', 'no folder');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(readdirSync(place.path('other'))).toEqual([]);
    rmSync(place.path('month'));
    renameSync(place.path('away'), place.path('month'));
    expect(halves()).toHaveLength(1);
    expect((await place.run(['config'])).exitCode).toBe(0);
    expect(halves()).toEqual([]);
  });

  it('is for its owner alone from its first byte, stays while its process lives, and goes with the next command', async () => {
    const child = await begun();
    const [half = ''] = halves();
    expect(statSync(place.path(`month/${half}`)).mode & 0o777).toBe(0o600);
    expect((await place.run(['runs'])).exitCode).toBe(0);
    expect(halves()).toEqual([half]);
    place.write('month/own.csv', 'mine');
    place.write('month/.a.csv.0123456789ab.tmp', 'not named in a list');
    for (const name of lists())
      appendFileSync(
        place.path(`dealsheet-${process.getuid?.()}/${name}`),
        `${JSON.stringify(place.path('month/own.csv'))}\n"cut of`,
      );
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect((await place.run(['config'])).exitCode).toBe(0);
    expect(readdirSync(place.path('month')).sort()).toEqual(['.a.csv.0123456789ab.tmp', 'own.csv']);
    expect(lists()).toEqual([]);
  });
});
