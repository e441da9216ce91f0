/**
 * Loads on several computers with one ledger. `N=200` for so many rounds of faults:
 * `N=200 npx vitest run test/faults/team-ledger.test.ts`
 */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import { workplaceHere } from '../builders/command-here.ts';
import { type Hosts, mayMakeHosts, startHosts } from '../builders/host.ts';
import { hasPostgres, type Server, startPostgres } from '../builders/postgres.ts';
import { readWorkbook, writeCsv } from '../builders/tables.ts';
import { startTcpProxy, type TcpProxy } from '../builders/tcp-proxy.ts';
import { until } from '../builders/until.ts';
import { newWorkplace, type Workplace } from '../builders/workplace.ts';
import { type Begun, begin, startService } from './loads.ts';

const rounds = Number(process.env.N ?? (process.env.DEALSHEET_LONG === '1' ? 200 : 4));
const rows = 120;
const overlap = 60;
const inFlight = 8;
const leaseMs = 1_000;
const token = { DEALSHEET_TOKEN: 'sandbox-token' };

const faults = ['kill -9', 'asleep', 'cut off', 'server killed'] as const;
type Fault = (typeof faults)[number];

describe.skipIf(!hasPostgres())('A ledger that computers share', () => {
  let server: Server;
  let service: RunningSandbox;
  let proxy: TcpProxy;
  let desks: readonly [Workplace, Workplace];
  let ledger: string;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  beforeEach(async () => {
    service = await startService({ latency: { from: 5, to: 30 } });
    proxy = await startTcpProxy(server.url(), () => ({}));
    ledger = `postgres://owner@127.0.0.1:${new URL(proxy.url).port}/postgres`;
    desks = [workplaceHere(), newWorkplace()];
    for (const [at, desk] of desks.entries()) {
      const deals = Array.from({ length: rows }, (_, n) => n + at * (rows - overlap));
      const table = deals.map((n) => [1000 + n, `Company ${n}`, 'Moreno']);
      writeCsv(desk.path('deals.csv'), [['Amount requested', 'Company name', 'Owner last name'], ...table]);
    }
    const made = await desks[0].run(['ledger', 'create'], { env: { DEALSHEET_LEDGER: ledger } });
    expect(made.exitCode, made.stderr).toBe(0);
    cpSync(desks[0].path('data'), desks[1].path('data'), { recursive: true });
    await server.query(`UPDATE ledger SET lease_ms = ${leaseMs}`);
  });
  afterEach(async () => {
    await service.stop();
    await proxy.stop();
    await server.query('DROP SCHEMA dealsheet CASCADE');
    for (const desk of desks) desk.remove();
  });

  /** @param host  the computer on which it runs, where it has one of its own */
  const start = (desk: Workplace, host: ReturnType<Hosts['on']> = { words: [], env: {} }): Begun =>
    begin(desk, load(), { by: host.words, env: { DEALSHEET_LEDGER: ledger, ...host.env } });

  const load = () => [
    ...['import', 'deals.csv', '--as', 'deals', '--url', service.url, '--yes', '--results', 'results.xlsx'],
    ...['--concurrency', String(inFlight)],
  ];

  /** Whoever was stopped goes on, and whoever was refused comes again, until both have ended. */
  async function finish(desk: Workplace): Promise<void> {
    for (;;) {
      const { exitCode, stderr } = await desk.run(load(), { env: { ...token, DEALSHEET_LEDGER: ledger } });
      if ([0, 1, 6].includes(exitCode)) return;
      expect([2, 5], stderr).toContain(exitCode);
    }
  }

  /** Each desk after the other, so that both meet what the other has loaded. */
  async function finishBoth(): Promise<void> {
    for (const desk of [desks[1], desks[0], desks[1]]) await finish(desk);
    await expectNothingLostOrDoubled();
  }

  const portOf = (url: string) => Number(new URL(url).port);

  const madeDeals = () => service.accepted().filter(({ endpoint }) => endpoint === 'addDeal');

  /** What both results together say of every row, beside what the service has accepted. */
  async function expectNothingLostOrDoubled(): Promise<void> {
    const accepted = new Map<string, number>();
    for (const { body } of madeDeals()) {
      const { company } = JSON.parse(body) as { company: { name: string } };
      accepted.set(company.name, (accepted.get(company.name) ?? 0) + 1);
    }
    expect([...accepted].filter(([, count]) => count > 1)).toEqual([]);
    const told = new Map<string, string>();
    for (const desk of desks)
      for (const row of await readWorkbook(desk.path('results.xlsx'), 'deals'))
        told.set(String(row['Company name']), String(row.Status));
    expect(told.size).toBe(2 * rows - overlap);
    const isIn = (status: string) => status === 'Created' || status === 'Already loaded';
    const wrong = [...told].filter(([name, status]) =>
      isIn(status) ? !accepted.has(name) : status !== 'In doubt' || undefined,
    );
    expect(wrong).toEqual([]);
    expect([...accepted.keys()].filter((name) => !told.has(name))).toEqual([]);
    const inDoubt = [...told.values()].filter((status) => status === 'In doubt').length;
    expect(inDoubt).toBeLessThanOrEqual(2 * inFlight);
  }

  const befall: Readonly<Record<Fault, (load: Begun) => Promise<unknown>>> = {
    'kill -9': async ({ child }) => child.kill('SIGKILL'),
    asleep: async ({ child }) => {
      child.kill('SIGSTOP');
      await wait(2 * leaseMs);
      const other = finish(desks[1]);
      await wait(leaseMs * Math.random());
      child.kill('SIGCONT');
      await other;
    },
    'cut off': async () => proxy.cut(),
    'server killed': async () => {
      await server.kill();
      await server.start();
    },
  };

  it('P11: lets one load in at a time, and tells the others who it is', async () => {
    const hosts = mayMakeHosts()
      ? await startHosts(mkdtempSync(join(tmpdir(), 'dealsheet-hosts-')), [ledger, service.url].map(portOf))
      : null;
    const loads = [...desks, ...desks].map((desk, at) => start(desk, hosts?.on(`desk-${at}`)));
    const ends = await Promise.all(loads.map(({ ended }) => ended));
    hosts?.stop();
    const refused = ends.filter(({ code }) => code === 2);
    expect(refused.length).toBeGreaterThan(0);
    const holder = hosts === null ? '\\S+' : 'desk-\\d';
    const told = new RegExp(` on ${holder} \\(process \\d+, run \\S+\\) has been loading into`);
    for (const { stderr } of refused) expect(stderr).toMatch(told);
    for (const desk of desks) await finish(desk);
    await expectNothingLostOrDoubled();
    expect(await server.query(`SELECT count(*)::int FROM rows WHERE state = 'committed'`)).toEqual([
      [2 * rows - overlap],
    ]);
  });

  it.each(Array.from({ length: rounds }, (_, round) => [faults[round % faults.length] as Fault, round] as const))(
    'P4: loses nothing and doubles nothing when a load is or has its %s at a random instant (round %i)',
    async (fault) => {
      const first = start(desks[0]);
      const instant = Math.floor(rows * Math.random());
      await until(() => madeDeals().length >= instant);
      await befall[fault](first);
      const { code, stderr } = await first.ended;
      expect([null, 0, 2, 5, 6], stderr).toContain(code);
      await finishBoth();
    },
  );
});
