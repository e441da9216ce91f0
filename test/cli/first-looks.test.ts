/** What a person or a schedule can have looked at before a load: last month's size, a colleague's yes, a clean rehearsal. */

import { readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { personHere } from '../../src/ledger/run-records.ts';
import { workplaceForEachTest } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { serviceForEachTest, startRecordingService } from '../builders/recording-service.ts';
import { writeCsv } from '../builders/tables.ts';
import { aLoad } from '../ledger/place.ts';

const headers = ['Amount requested', 'Company name', 'Owner last name'];

describe('before a load', () => {
  const place = workplaceForEachTest();
  const service = serviceForEachTest();

  const deals = (file: string, amounts: readonly number[]) =>
    writeCsv(place.path(file), [headers, ...amounts.map((amount, row) => [amount, `${file} ${row}`, 'Moreno'])]);
  const run = (...words: string[]) => place.run(words, { env: { DEALSHEET_TOKEN: 'token' } });
  const load = (file: string, ...further: string[]) => run('import', file, '--url', service.url, '--yes', ...further);

  describe('rows and sums beside those of the last one of its sort', () => {
    const like = (file: string, ...further: string[]) => load(file, '--expect-like-last', '20%', ...further);

    it('are compared by the name but for its month, and a file far from it is refused before anything is sent', async () => {
      deals('2026-05 deals.csv', [100, 100, 100, 100, 100]);
      expect((await load('2026-05 deals.csv')).exitCode).toBe(0);
      deals('2026-06 deals.csv', [100, 100, 100]);
      const far = await expectExit(like('2026-06 deals.csv'), 2, 'deals: 3 rows, and 5 in 2026-05 deals.csv of ');
      expect(far.stderr).toContain('(40 % less)');
      expect(far.stderr).toContain('deals: a total of 300, and 500 in ');
      expect(service.requests).toHaveLength(5);
      deals('2026-06 deals.csv', [120, 120, 120, 120]);
      await expectExit(like('2026-06 deals.csv'), 0);
    });

    it('are asked of another file than this one, in this service, with rows that were left out in no count', async () => {
      deals('deals-1.csv', [100, 100]);
      expect((await load('deals-1.csv', '--limit', '1')).exitCode).toBe(1);
      await expectExit(like('deals-1.csv'), 2, 'There is no earlier load to compare deals-1.csv with');
      deals('deals-2.csv', [90, 90]);
      const other = await startRecordingService();
      expect((await like('deals-2.csv', '--url', other.url)).exitCode).toBe(2);
      await other.stop();
      expect((await like('deals-2.csv')).exitCode).toBe(0);
    });

    it('want a percentage', async () => {
      deals('deals.csv', [1]);
      await expectExit(load('deals.csv', '--expect-like-last', '20'), 2, 'not a percentage such as 20%');
    });
  });

  describe('a profile that wants another person to approve', () => {
    beforeEach(() => {
      deals('june.csv', [100, 200]);
      const live = { url: service.url, tokenFile: 'live.token', approval: 'other' };
      place.write('dealsheet.config.json', { profiles: { live } });
      place.write('live.token', 'token', { mode: 0o600 });
    });
    const toLive = (...words: string[]) =>
      place.run([...words, '--profile', 'live', '--config', 'dealsheet.config.json']);

    it.each([
      ['a load without a plan', ['import', 'june.csv', '--yes']],
      ['a row that is tried', ['probe', 'june.csv', '--row', '2', '--yes']],
    ])('refuses %s', async (_what, words) => {
      await expectExit(toLive(...words), 2, 'accepts a load only from a plan that another person made');
      expect(service.requests).toEqual([]);
    });

    it('takes the plan of a colleague, and neither an own one nor one that was changed to look like theirs', async () => {
      expect((await toLive('import', 'june.csv', '--plan', 'plan.json')).exitCode).toBe(0);
      const apply = () => toLive('import', 'june.csv', '--apply', 'plan.json', '--yes');
      expect((await apply()).stderr).toContain(`You made this plan yourself (${personHere()} on ${hostname()})`);
      const plan = JSON.parse(place.read('plan.json'));
      const madeBy = (maker: object) => place.write('plan.json', { ...plan, maker });
      const colleague = { person: 'ada', host: 'desk-7' };
      madeBy({ ...plan.maker, ...colleague });
      expect((await apply()).stderr).toContain('Dealsheet cannot tell who made this plan');
      expect(service.requests).toEqual([]);
      const ledger = openLedger(place.path('data/dealsheet/ledger.db'));
      const sealed = ['the maker of a plan', colleague.person, colleague.host, plan.made, plan.digest];
      const seal = ledger.digest(JSON.stringify(sealed));
      await ledger.close();
      madeBy({ ...colleague, seal });
      await expectExit(apply(), 0);
      expect(service.requests).toHaveLength(2);
    });

    it('lets anyone rehearse', async () => {
      await expectExit(toLive('import', 'june.csv', '--sandbox', '--yes'), 0);
    });
  });

  describe('a fresh rehearsal', () => {
    it('begins each time with a clean sandbox and ledger, and leaves those of the person as they are', async () => {
      deals('june.csv', [100, 200]);
      const folders = new Set<string>();
      for (const again of [1, 2]) {
        const { exitCode, stderr } = await run('import', 'june.csv', '--sandbox', '--fresh', '--yes');
        expect(exitCode, `${again}: ${stderr}`).toBe(0);
        expect(stderr).toContain('      2  Created');
        expect(stderr).toMatch(/Run \S+ into the sandbox/);
        expect(stderr).not.toContain('nothing of earlier loads');
        const [, folder = ''] = /clean ledger are in (\S+)\. Delete/.exec(stderr) ?? [];
        expect(readdirSync(folder)).toEqual(expect.arrayContaining(['ledger.db', 'sandbox.db']));
        folders.add(folder);
      }
      expect(readdirSync(place.folder)).not.toContain('data');
      expect(folders.size).toBe(2);
      for (const folder of folders) rmSync(folder, { recursive: true });
    });

    it.each([[[]], [['--sandbox', '--ledger', 'ledger.db']], [['--sandbox', '--sandbox-data', 'records.db']]])(
      'is refused with %j',
      async (further) => {
        deals('june.csv', [100]);
        const { stderr } = await expectExit(run('import', 'june.csv', '--fresh', '--yes', ...further), 2);
        expect(stderr).toContain('Give it with --sandbox, and without --ledger and --sandbox-data');
      },
    );
  });

  it('and after it, every list of runs says which service it went into', async () => {
    deals('june.csv', [100]);
    await load('june.csv');
    await run('import', 'june.csv', '--sandbox', '--yes');
    const { stdout } = await run('runs');
    expect(stdout).toContain(`${service.url}/`);
    expect(stdout).toContain(`the sandbox ${place.path('data/dealsheet/sandbox.db')}`);
  });

  it('the newest hundred runs are listed, and all that have not ended', async () => {
    const ledger = openLedger(place.path('ledger.db'));
    const ids: string[] = [];
    for (let run = 0; run < 102; run += 1) {
      const begun = await ledger.begin(aLoad());
      await begun.end(run === 0 ? 'stopped' : 'ended');
      ids.push(begun.id);
    }
    await ledger.close();
    const { stdout } = await run('runs', '--ledger', 'ledger.db');
    expect(ids.filter((id) => !stdout.includes(id))).toEqual([ids[1]]);
    expect(stdout).toMatch(/… and 1 older run: dealsheet runs .*--json lists all$/);
  });
});
