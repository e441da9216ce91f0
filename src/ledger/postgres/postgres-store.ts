/**
 * The team ledger in PostgreSQL. Its one rule: whether a row may be sent is checked by the statement that writes the intent,
 * because another machine may have changed what was read before.
 */
import { errorOf } from '../../messages/text.ts';
import { killPoint } from '../kill-points.ts';
import { needVersion } from '../ledger-errors.ts';
import { keyBeside, keyCheck, keyPathOf } from '../ledger-key.ts';
import { serviceNumber, servicesOfRunning } from '../run-records.ts';
import type { Store } from '../store.ts';
import { connectionsTo, isCollision, type TeamPlace } from './connections.ts';
import { endLease, settleIfLeft, TeamLease } from './lease.ts';

const mostTries = 5;

/** Does not connect. The first call does. */
export function postgresStore(place: TeamPlace, now: () => string): Store {
  const { files } = place;
  const path = place.address.shown;
  const key = place.key ?? keyBeside(files, path);
  const connections = connectionsTo(place);
  let opening: Promise<number> | null = null;
  let isClosed = false;

  const open = async (): Promise<number> => {
    const [[version, check, leaseMs] = []] = await connections.read({
      sql: 'SELECT version, key_check, lease_ms FROM ledger',
    });
    needVersion(path, Number(version));
    if (!keyCheck(key).equals(check as Buffer))
      throw errorOf('team-key-missing', { ledger: path, key: keyPathOf(files) });
    for (const [service] of await connections.read({ sql: servicesOfRunning }))
      await connections.transaction(settleIfLeft(Number(service), now()));
    return Number(leaseMs);
  };

  /** Resolves to the milliseconds of a lease. */
  const opened = (): Promise<number> => {
    if (isClosed) throw errorOf('ledger-closed', { path });
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };

  /** Tries again where two transactions merely collided. */
  const tried = async <Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    await opened();
    for (let tries = 1; ; tries += 1) {
      try {
        for (const name of names) killPoint(`${name}-before-commit`);
        const result = await work();
        for (const name of names) killPoint(`${name}-after-commit`);
        return result;
      } catch (error) {
        if (tries === mostTries || !isCollision((error as Error).cause)) throw error;
      }
    }
  };

  return {
    path,
    files,
    key,
    leftBehind: new Set(),
    rowsAtOnce: 2048,

    stillUnderWay: (row) => ({
      sql: `SELECT ceil(extract(epoch FROM u.silent_from - clock_timestamp()))::int
        FROM rows r JOIN sheets s ON s.number = r.sheet JOIN runs u ON u.number = s.run
        WHERE r.id = ?1 AND u.silent_from > clock_timestamp()`,
      values: [row],
    }),

    async read(statement) {
      await opened();
      return connections.read(statement);
    },

    transaction: (name, steps) => tried([name], () => connections.transaction(steps())),

    async write(names, statements) {
      const read = await tried(names, () => connections.write(statements));
      return new Map(statements.map((one, at) => [one, read[at] ?? []]));
    },

    async hold({ service: name, serviceUrl, person }, begin) {
      const leaseMs = await opened();
      const service = await connections.transaction(serviceNumber(name));
      return TeamLease.take(connections, { service, serviceUrl, person, leaseMs, shown: path, now, begin });
    },

    async takeOver(id) {
      await opened();
      const sql = `SELECT service FROM runs WHERE id = ?1 AND state = 'running'`;
      const [[service] = []] = await connections.read({ sql, values: [id] });
      if (service === undefined) throw errorOf('run-not-running', { run: id });
      return connections.transaction(endLease(Number(service)));
    },

    async backUp() {
      await opened();
      throw errorOf('team-ledger-not-copied', { ledger: path });
    },

    async close() {
      isClosed = true;
      await opening?.catch(() => {});
      await connections.close();
    },
  };
}
