import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DealsheetError } from '../../src/errors.ts';
import type { RunLease } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { readTeamAddress } from '../../src/ledger/postgres/address.ts';
import { connectionsTo } from '../../src/ledger/postgres/connections.ts';
import { createTeamLedger } from '../../src/ledger/postgres/create.ts';
import { byDigest } from '../../src/ledger/row-reads.ts';
import { hasPostgres, type Server, startPostgres } from '../builders/postgres.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { contract } from './contract/contract.ts';
import { aLoad, Desk, type Place, placeForEachTest, placeOf, service } from './place.ts';

describe.skipIf(!hasPostgres())('A ledger in PostgreSQL', () => {
  let server: Server;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  async function teamPlace(): Promise<Place> {
    const folder = mkdtempSync(join(tmpdir(), 'dealsheet-team-'));
    const address = readTeamAddress(server.url());
    const place = { address, files: join(folder, 'team') };
    await createTeamLedger(place);
    // No request is sent here: none can arrive once the lease of a load that was cut off is over.
    await server.query('ALTER TABLE dealsheet.leases ALTER request_ms SET DEFAULT 0');
    return placeOf({
      folder,
      path: address.shown,
      open: (options) => openLedger(place, options),
      read: (sql) => server.query(sql),
      remove: async () => {
        await server.query('DROP SCHEMA dealsheet CASCADE');
        rmSync(folder, { recursive: true, force: true });
      },
    });
  }

  contract(teamPlace, 8);

  describe('with the right to load', () => {
    const place = placeForEachTest(teamPlace);
    let desk: Desk;

    beforeEach(async () => {
      desk = await Desk.open(place.open());
    });
    afterEach(() => void vi.restoreAllMocks());

    const lease = () => desk.run.lease as RunLease;

    it.each(['the clock on the wall', 'the steady clock'] as const)(
      'P11: holds nothing for certain once %s has left its last word behind, and asks',
      async (clock) => {
        expect(lease().isHeld()).toBe(true);
        const later = 19_000 + (clock === 'the steady clock' ? performance.now() : Date.now());
        const spy = clock === 'the steady clock' ? vi.spyOn(performance, 'now') : vi.spyOn(Date, 'now');
        spy.mockReturnValue(later);
        expect(lease().isHeld()).toBe(false);
        expect(await lease().confirm()).toBe(true);
      },
    );

    it('writes no intent of a row that changes while it waits for that', async () => {
      await desk.register({ row: 2 }, { row: 3 });
      const isAsleep = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      const changed = server.query(
        `BEGIN; UPDATE dealsheet.rows SET state = 'committed' WHERE id = ${desk.id(3)}; SELECT pg_sleep(1); COMMIT`,
      );
      await vi.waitUntil(async () => (await server.query(isAsleep)).length > 0, { timeout: 30_000 });
      expect(await desk.run.intend([desk.intent(2), desk.intent(3)])).toEqual(new Set([desk.id(2)]));
      await changed;
      expect([await desk.phase(2), await desk.phase(3)]).toEqual(['sending', 'committed']);
    });

    it('P11: sends nothing more once it is taken over, and what came back is still written', async () => {
      await desk.send({ row: 2 }, { row: 3 });
      await desk.register({ row: 4 });
      const other = place.open();
      const waitMs = await other.takeOver(desk.run.id);
      expect(waitMs).toBeGreaterThan(0);
      await expect(desk.run.intend([desk.intent(4)])).rejects.toMatchObject({ code: 'ledger-failed' });
      expect(await lease().confirm()).toBe(false);
      expect(await desk.phase(4)).toBe('open');
      await desk.record(2, 'created');
      expect(await desk.phase(2)).toBe('committed');
      await place.read(`UPDATE leases SET until = now(), request_ms = 60000`);
      const next = await Desk.open(other);
      expect(await desk.phase(3)).toBe('in-doubt');
      await expect(desk.resolve(3, 'not-created')).rejects.toThrow('may still arrive');
      await place.read('UPDATE runs SET silent_from = now()');
      await desk.resolve(3, 'not-created');
      await next.register({ row: 3, says: 'row 3', id: desk.id(3) });
      await next.run.intend([{ ...next.intent(3), content: other.digest('row 3') }]);
      await expect(desk.record(3, 'created')).rejects.toThrow('not under way');
    });

    it('P4: takes no "not created" of a load that was cut off while its request may arrive, also once it goes on', async () => {
      await desk.send({ row: 2 }, { row: 3 });
      const other = place.open();
      await other.takeOver(desk.run.id);
      await place.read('UPDATE leases SET until = now(), request_ms = 60000');
      await other.resume(desk.run.id);
      await expect(desk.resolve(3, 'not-created')).rejects.toThrow('may still arrive');
      expect(await desk.phase(3)).toBe('in-doubt');
    });

    it.each(['begins', 'ends', 'records'] as const)(
      'is told of a server that is lost while a load %s',
      async (when) => {
        await desk.send({ row: 2 });
        const ended = (which: string) =>
          server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which}`);
        const [isAsleep, isWaiting] = ["wait_event = 'PgSleep'", "wait_event_type = 'Lock'"];
        const soon = (which: string) =>
          vi.waitUntil(async () => (await server.query(`SELECT 1 FROM pg_stat_activity WHERE ${which}`)).length > 0, {
            timeout: 30_000,
          });
        const held = server
          .query('BEGIN; LOCK TABLE dealsheet.runs, dealsheet.rows IN EXCLUSIVE MODE; SELECT pg_sleep(60)')
          .catch(() => {});
        await soon(isAsleep);
        const other = { ...aLoad(), service: 'https://other.example' };
        const works = { begins: () => place.open().begin(other), ends: () => desk.run.end('ended') };
        const work = when === 'records' ? desk.record(2, 'created') : works[when]();
        const failure = work.then(
          () => null,
          (error: unknown) => error,
        );
        await soon(isWaiting);
        await ended(isWaiting);
        expect(await failure).toMatchObject({
          code: 'ledger-failed',
          message: expect.stringContaining('its server cannot be reached') as string,
        });
        await ended(isAsleep);
        await held;
        if (when === 'records') await expect(desk.run.end('stopped')).rejects.toMatchObject({ code: 'ledger-failed' });
        await place.close();
        const left = async () =>
          (await server.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'dealsheet'")).length;
        if (when !== 'begins') await expect.poll(left, { timeout: 5000 }).toBe(0);
      },
    );

    it('ends a session that stalls within a transaction before others give up waiting for it', async () => {
      const connections = connectionsTo({ address: readTeamAddress(server.url()), files: '' });
      const [[isSooner] = []] = await connections.read({
        sql: `SELECT current_setting('idle_in_transaction_session_timeout')::interval < current_setting('lock_timeout')::interval`,
      });
      await connections.close();
      expect(isSooner).toBe(true);
    });

    it('P11: is not let in while another has it, and waits for one that was cut off', async () => {
      const other = place.open();
      const refusal = await other.begin(aLoad()).catch((error: unknown) => error as DealsheetError);
      expect(refusal).toMatchObject({ code: 'ledger-refused' });
      expect((refusal as DealsheetError).message).toContain(`pat on ${hostname()} (process ${process.pid}`);
      await place.read(`UPDATE leases SET until = now() + interval '1 second'`);
      await place.read('SELECT pg_terminate_backend(backend) FROM leases');
      await expect.poll(() => place.read('SELECT pid FROM pg_stat_activity JOIN leases ON pid = backend')).toEqual([]);
      const [[until] = []] = await place.read('SELECT until FROM leases');
      await other.begin(aLoad());
      const [[since] = []] = await place.read('SELECT clock_timestamp()');
      expect((since as Date).getTime()).toBeGreaterThanOrEqual((until as Date).getTime());
    });
  });

  describe('is not made where', () => {
    const folder = folderForEachTest();
    const made = (url = server.url()) => createTeamLedger({ address: readTeamAddress(url), files: folder('team') });
    const refused = (said: string) => ({ code: 'ledger-refused', message: expect.stringContaining(said) as string });

    it.each(['synchronous_commit', 'fsync'])('its server keeps nothing for certain (%s)', async (setting) => {
      const set = async (how: string) => {
        await server.query(`ALTER SYSTEM ${how}`);
        await server.query('SELECT pg_reload_conf()');
      };
      const isOff = async () => String(await server.query(`SHOW ${setting}`)) === 'off';
      await set(`SET ${setting} = off`);
      try {
        await expect.poll(isOff).toBe(true);
        await expect(made()).rejects.toMatchObject(refused(`${setting} = off`));
      } finally {
        await set(`RESET ${setting}`);
        await expect.poll(isOff).toBe(false);
      }
    });

    it('a pooler is in between, which tells the number of another session', async () => {
      const pooler = createServer((client) => {
        const target = connect(server.port, '127.0.0.1');
        client.pipe(target);
        target.on('data', (chunk: Buffer) => {
          const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
          if (at >= 0) chunk.writeInt32BE(1, at + 5);
          client.write(chunk);
        });
        for (const socket of [client, target]) socket.on('error', () => {});
      });
      await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
      try {
        const url = new URL(server.url());
        url.port = String((pooler.address() as AddressInfo).port);
        await expect(made(url.href)).rejects.toMatchObject(refused('a connection pooler answers'));
      } finally {
        pooler.close();
      }
    });
  });

  it('finds 500 rows among many with one statement, by index', async () => {
    const many = process.env.DEALSHEET_LONG === '1' ? 1_000_000 : 20_000;
    const place = await teamPlace();
    try {
      const desk = await Desk.open(place.open());
      await desk.register({ row: 1 });
      await place.read(`INSERT INTO rows (service, kind, state, attempt, attempts, content, sheet, place, origin)
        SELECT 1, 'deals', 'open', 0, 0, sha256(n::text::bytea), 1, n, 1 FROM generate_series(2, ${many}) n`);
      await place.read('INSERT INTO digests SELECT content, id, 0 FROM rows ON CONFLICT DO NOTHING');
      const q = 'SELECT n AS nr, sha256(n::text::bytea) AS digest FROM generate_series(2, 501) n';
      const sql = `WITH q AS (${q}) ${byDigest([]).sql.replace('?1', `'${service}'`)}`;
      for (const analyzed of [false, true]) {
        if (analyzed) await place.read('ANALYZE');
        const plan = (await place.read(`EXPLAIN ${sql}`)).flat().join('\n');
        expect(plan).toMatch(/Index .*(using|on) digests_pkey.*\n.*Index Cond: \(digest = /);
        expect(plan).toMatch(/Index .*(using|on) rows_pkey.*\n.*Index Cond: \(id = /);
        expect(plan).not.toMatch(/Seq Scan on (rows|digests)/);
      }
      expect((await desk.ledger.lookup(service, [desk.ledger.digest('row 1')])).size).toBe(1);
    } finally {
      await place.remove();
    }
  });
});

describe('The address of a team', () => {
  it.each([
    ['postgres://pat@db.example.com/deals', { host: 'db.example.com', port: 5432, user: 'pat', database: 'deals' }],
    ['postgresql://db.example.com:6000/deals?sslmode=verify-full', { port: 6000, user: null }],
    ['postgres:///deals?host=/run/postgresql', { host: '/run/postgresql', tls: false }],
    ['postgres://127.0.0.1/deals', { tls: false }],
    ['postgres://[::1]/deals?sslmode=disable', { host: '::1', tls: false }],
    ['postgres://localhost/deals?sslmode=verify-full', { tls: { rejectUnauthorized: true, servername: 'localhost' } }],
    ['postgres://pat:s%20ecret@db/deals', { password: 's ecret', shown: 'postgres://pat@db/deals' }],
  ])('is read (%s)', (address, parts) => {
    expect(readTeamAddress(address)).toMatchObject(parts);
  });

  it('P23: speaks to another computer over checked TLS alone', () => {
    const checked = { rejectUnauthorized: true, servername: 'db.example.com' };
    expect(readTeamAddress('postgres://db.example.com/deals').tls).toEqual(checked);
    expect(readTeamAddress('postgres://127.0.0.1.example.com/deals').tls).not.toBe(false);
    for (const mode of ['disable', 'require', 'prefer', 'no-verify'])
      expect(() => readTeamAddress(`postgres://pat:secret@db.example.com/deals?sslmode=${mode}`)).toThrow('pose as');
  });

  it.each(['postgres://', 'postgres://db', 'postgres:///deals', 'postgres://db/deals?options=-c', 'postgres:db'])(
    'is refused when it says too little or too much (%s)',
    (address) => {
      expect(() => readTeamAddress(address)).toThrow(expect.objectContaining({ code: 'usage' }) as Error);
    },
  );
});
