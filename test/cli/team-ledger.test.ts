import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { workplaceHere } from '../builders/command-here.ts';
import { expectExit } from '../builders/expected.ts';
import { hasPostgres, type Server, startPostgres } from '../builders/postgres.ts';
import { readWorkbook, writeManyDeals } from '../builders/tables.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { startService } from '../faults/loads.ts';

describe.skipIf(!hasPostgres())('The ledger of a team', () => {
  let server: Server;
  let service: RunningSandbox;
  let pat: Workplace;
  let kim: Workplace;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  beforeEach(async () => {
    service = await startService();
    [pat, kim] = [workplaceHere(), newWorkplace()];
    writeManyDeals(pat.path('deals.csv'), 6);
  });
  afterEach(async () => {
    await service.stop();
    await server.query('DROP SCHEMA IF EXISTS dealsheet CASCADE');
    for (const desk of [pat, kim]) desk.remove();
  });

  const team = () => server.url();
  const load = (...further: string[]) => [
    ...['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--json', ...further],
  ];

  async function run(desk: Workplace, words: readonly string[], env: Record<string, string> = {}) {
    return desk.run(words, { env: { DEALSHEET_TOKEN: 'sandbox-token', ...env } });
  }

  async function good(desk: Workplace, ...words: readonly string[]): Promise<string> {
    const { stdout } = await expectExit(run(desk, words), 0);
    return stdout;
  }

  /** Pat makes it and gives it to Kim. */
  async function shared(): Promise<void> {
    await good(pat, 'ledger', 'create', '--ledger', team());
    await good(pat, 'ledger', 'share', 'team.json', '--ledger', team());
    await good(kim, 'ledger', 'join', pat.path('team.json'));
  }

  it('is made, shared and joined, and knows from then on what either has loaded', async () => {
    await shared();
    await good(pat, ...load('--ledger', team()));
    cpSync(pat.path('deals.csv'), kim.path('deals.csv'));
    expect(JSON.parse(await good(kim, ...load())).counts).toMatchObject({ alreadyLoaded: 6, created: 0 });
    expect(service.accepted().filter(({ endpoint }) => endpoint === 'addDeal')).toHaveLength(6);
    const { runs } = JSON.parse(await good(kim, 'runs', '--json')) as { runs: { person: string; host: string }[] };
    expect(runs).toHaveLength(2);
    expect(runs[0]?.host).toMatch(/./);
  });

  it('takes over what a ledger in a file knows, which is used no more', async () => {
    const { run: loaded } = JSON.parse(await good(pat, ...load('--ledger', 'own.db'))) as { run: string };
    const move = ['ledger', 'move', '--to', team(), '--ledger', 'own.db'];
    await good(pat, ...move);
    expect((await run(pat, move)).exitCode).toBe(2);
    const refused = await run(pat, load('--ledger', 'own.db'));
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has moved to') as string });
    expect(JSON.parse(await good(pat, ...load('--ledger', team()))).counts).toMatchObject({ alreadyLoaded: 6 });
    expect(await good(pat, 'runs', loaded, '--ledger', team())).toContain('6 created');
  });

  it('is moved to no place where there is one, and then stays in its file', async () => {
    await good(pat, ...load('--ledger', 'own.db'));
    await good(kim, 'ledger', 'create', '--ledger', team());
    expect((await run(pat, ['ledger', 'move', '--to', team(), '--ledger', 'own.db'])).exitCode).toBe(2);
    expect(JSON.parse(await good(pat, ...load('--ledger', 'own.db'))).counts).toMatchObject({ alreadyLoaded: 6 });
  });

  it('lets a colleague go on with a run where the same file is at hand, and says else where it is', async () => {
    await shared();
    const slowly = load('--ledger', team(), '--concurrency', '1');
    await expectExit(run(pat, slowly, { DEALSHEET_STOP_AT: 'intent-after-commit:2' }), -1);
    await server.query(`UPDATE leases SET until = now()`);
    await server.query(`UPDATE runs SET host = 'elsewhere', source_path = '/home/pat/deals.csv'`);
    const [{ run: id = '' } = {}] = (JSON.parse(await good(kim, 'runs', '--json')) as { runs: { run: string }[] }).runs;
    const away = await expectExit(run(kim, ['resume', '--yes']), 2);
    expect(away.stderr).toMatch(/is not on this computer: \S+ loaded \/home\/pat\/deals.csv on elsewhere/);
    await good(kim, 'results', id, '-o', 'ledger-alone.csv');
    expect(readFileSync(kim.path('ledger-alone.csv'), 'utf8').trim().split('\n')).toHaveLength(7);
    cpSync(pat.path('deals.csv'), kim.path('deals.csv'));
    const resumed = await run(kim, ['resume', '--yes']);
    expect([0, 6], resumed.stderr).toContain(resumed.exitCode);
    expect(await readWorkbook(kim.path('deals.results.xlsx'), 'deals')).toHaveLength(6);
  });

  it('lets a person end a load that holds on, and shows whose it is', async () => {
    await shared();
    const slowly = load('--ledger', team(), '--concurrency', '1');
    await run(pat, slowly, { DEALSHEET_STOP_AT: 'intent-after-commit:2' });
    await server.query(`UPDATE leases SET until = now() + interval '1 hour'`);
    const [going] = (JSON.parse(await good(kim, 'runs', '--json')) as { runs: { run: string; state: string }[] }).runs;
    expect(going?.state).toBe('running');
    const id = going?.run ?? '';
    expect((await run(kim, ['runs', id, '--take-over'])).exitCode).toBe(2);
    const ended = await run(kim, ['runs', id, '--take-over', '--yes', '--json']);
    expect(ended.stderr).toMatch(/is running, by \S+ on \S+ since .* UTC: /);
    expect(JSON.parse(ended.stdout)).toMatchObject({ takenOver: id, seconds: expect.any(Number) as number });
  });

  it('is not used without its key, nor with another one', async () => {
    await good(pat, 'ledger', 'create', '--ledger', team());
    const without = await run(kim, ['runs', '--ledger', team()]);
    expect(without).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is not on this computer') as string,
    });
    cpSync(pat.path('data'), kim.path('data'), { recursive: true });
    const key = kim.path(`data/dealsheet/teams/127.0.0.1-${server.port}-postgres.key`);
    writeFileSync(key, Buffer.alloc(32));
    const other = await run(kim, ['runs', '--ledger', team()]);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not the key of') as string });
    rmSync(key);
    const mine = { ledger: team(), ledgerKeyCommand: ['base64', '-w0', key.replace(kim.folder, pat.folder)] };
    mkdirSync(kim.path('config/dealsheet'), { recursive: true });
    writeFileSync(kim.path('config/dealsheet/dealsheet.config.json'), JSON.stringify(mine));
    await good(kim, 'runs');
  });

  it('P23: keeps a password out of the command line, of messages and of what it hands on', async () => {
    const secret = new URL(team());
    secret.password = 'hunter2hunter2';
    const seen = await run(pat, ['runs', '--ledger', secret.href]);
    expect(seen).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('list of processes') as string });
    expect((await run(pat, ['ledger', 'create'], { DEALSHEET_LEDGER: secret.href })).exitCode).toBe(0);
    const told = [
      await run(pat, load(), { DEALSHEET_LEDGER: secret.href }),
      await run(pat, ['config'], { DEALSHEET_LEDGER: secret.href }),
      await run(pat, ['ledger', 'share', 'team.json'], { DEALSHEET_LEDGER: secret.href }),
      await run(pat, ['runs'], { DEALSHEET_LEDGER: secret.href.replace(String(server.port), '1') }),
    ];
    const all = [seen, ...told].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(all + readFileSync(pat.path('team.json'), 'utf8')).not.toContain('hunter2');
    expect(told.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 2]);
  });

  it('P5: stops a load that can be gone on with when its server is away', async () => {
    await good(pat, 'ledger', 'create', '--ledger', team());
    await server.kill();
    try {
      const stopped = await run(pat, load('--ledger', team()));
      expect(stopped).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('cannot be reached') as string });
      expect(service.accepted()).toEqual([]);
    } finally {
      await server.start();
    }
    await good(pat, ...load('--ledger', team()));
  });
});
