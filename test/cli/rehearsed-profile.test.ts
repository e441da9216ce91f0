/** A profile is rehearsed on this computer before it meets its service, and its token stays where it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { serviceForEachTest, startRecordingService } from '../builders/recording-service.ts';
import { writeManyDeals } from '../builders/tables.ts';
import { environmentOf, main } from '../builders/workplace.ts';

const contract = {
  requests: { deals: { rename: { amountRequested: 'requested_amount' }, envelope: 'deal' } },
  answers: { '*': { record: ['data'], id: ['uuid'], yes: '2xx' } },
};
const asked = ['--profile', 'live', '--config', 'config.json', '--as', 'deals', '--yes', '--json'];
const place = workplaceForEachTest();
const live = serviceForEachTest();

beforeEach(() => {
  writeManyDeals(place.path('deals.csv'), 3);
  place.write('token', 'live-token', { mode: 0o600 });
  const profiles = { live: { url: live.url, tokenFile: 'token', contract }, other: { url: 'https://other.example' } };
  place.write('config.json', { profiles });
});
afterEach(() => expect(live.requests).toHaveLength(0));

describe('a profile that is rehearsed', () => {
  it('is spoken by the sandbox of the command, and a run of it goes on in the same way', async () => {
    const first = await place.run(['import', 'deals.csv', '--sandbox', ...asked, '--limit', '1']);
    expect(first.exitCode, first.stderr).toBe(1);
    const { run } = JSON.parse(first.stdout);
    expect((await place.run(['resume', run, '--config', 'config.json', '--yes'])).exitCode).toBe(1);
    const rest = await place.run(['import', 'deals.csv', '--sandbox', ...asked]);
    expect(JSON.parse(rest.stdout)).toMatchObject({ counts: { created: 2, alreadyLoaded: 1 } });
  });

  it('is spoken by a sandbox that runs by itself, which tells how to load into it', async () => {
    const words = ['sandbox', '--port', '0', '--data', ':memory:', '--profile', 'config.json', '--name', 'live'];
    const child = spawn(process.execPath, [main, ...words], {
      cwd: place.folder,
      env: environmentOf(place.folder, {}),
    });
    try {
      const told = createInterface({ input: child.stderr });
      let line = '';
      for await (line of told) if (line.startsWith('Load into it')) break;
      const [, token = '', url = ''] = /DEALSHEET_TOKEN=(\S+) .*--url (\S+) --profile live/.exec(line) ?? [];
      const loaded = await place.run(['import', 'deals.csv', '--url', url, ...asked], {
        env: { DEALSHEET_TOKEN: token },
      });
      expect(JSON.parse(loaded.stdout), line).toMatchObject({ counts: { created: 3 } });
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('keeps its token for its own address', async () => {
    const other = await startRecordingService();
    const { exitCode, stderr } = await place.run(['import', 'deals.csv', '--url', other.url, ...asked]);
    await other.stop();
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toMatch(/token/);
    expect(other.requests).toHaveLength(0);
  });

  it.each([
    ['several', [], /several profiles.*--name: live, other/s],
    ['none of that name', ['--name', 'gone'], /no profile "gone"/],
  ])('is chosen from its file: %s', async (_what, further, told) => {
    const { exitCode, stderr } = await place.run(['sandbox', '--port', '0', '--profile', 'config.json', ...further]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(told);
  });
});
