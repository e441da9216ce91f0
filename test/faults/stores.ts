/** What keeps the ledger of a fault test: a file, or the server of a team. The same tests run on each. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { readTeamAddress } from '../../src/ledger/postgres/address.ts';
import { createTeamLedger } from '../../src/ledger/postgres/create.ts';
import { hasPostgres, startPostgres } from '../builders/postgres.ts';
import type { Workplace } from '../builders/workplace.ts';

export interface StoredLedger {
  /** As `--ledger` names it. */
  readonly name: string;
  /** What a statement reads in it, once it is settled what killed loads have left; nothing while there is none. */
  read(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** The lease of a load that was killed is over, and so is the time of its requests. */
  letTimePass(): Promise<void>;
}

interface RunningStore {
  /** A ledger of its own. @param home  where its key is, if it has one before its first load */
  begin(place: Workplace, home: Workplace): Promise<StoredLedger>;
  stop(): Promise<void>;
}

export interface Store {
  readonly name: string;
  readonly isTeam: boolean;
  /** How many rows to each request in flight may be in doubt after a kill. */
  readonly inDoubt: number;
  start(): Promise<RunningStore>;
}

const inFile: Store = {
  name: 'a file',
  isTeam: false,
  inDoubt: 1,
  start: async () => ({ begin: async (place) => ledgerIn(place.path('ledger.db')), stop: async () => {} }),
};

function ledgerIn(name: string): StoredLedger {
  return {
    name,
    read: async (sql) => {
      if (!existsSync(name)) return [];
      await openLedger(name).close();
      const db = new Database(name);
      try {
        return db.prepare(sql).raw().all() as unknown[][];
      } finally {
        db.close();
      }
    },
    letTimePass: async () => {},
  };
}

const shortLeaseMs = 1_000;

const onServer: Store = {
  name: 'PostgreSQL',
  isTeam: true,
  inDoubt: 2,
  start: async () => {
    const server = await startPostgres();
    return {
      begin: async (_place, home) => {
        await server.query('DROP SCHEMA IF EXISTS dealsheet CASCADE');
        const files = home.path(`data/dealsheet/teams/127.0.0.1-${server.port}-postgres`);
        const place = { address: readTeamAddress(server.url()), files };
        await createTeamLedger(place);
        await server.query(`UPDATE ledger SET lease_ms = ${shortLeaseMs}`);
        return {
          name: server.url(),
          read: async (sql) => {
            const ledger = openLedger(place);
            await ledger.runs();
            await ledger.close();
            return server.query(sql);
          },
          letTimePass: async () => void (await server.query(`UPDATE leases SET until = 'epoch', request_ms = 0`)),
        };
      },
      stop: () => server.remove(),
    };
  },
};

export const stores: readonly Store[] = [inFile, ...(hasPostgres() ? [onServer] : [])];

/** Has all commands of a place use a ledger of its own in the store. To be called below what makes the place. */
export function ledgerForEachTest(store: Store, place: Workplace): void {
  if (!store.isTeam) return;
  let running: RunningStore;
  beforeAll(async () => {
    running = await store.start();
  });
  afterAll(() => running.stop());
  beforeEach(async () => {
    const { name } = await running.begin(place, place);
    const configuration = place.path('config/dealsheet/dealsheet.config.json');
    mkdirSync(dirname(configuration), { recursive: true });
    writeFileSync(configuration, JSON.stringify({ ledger: name }));
  });
}
