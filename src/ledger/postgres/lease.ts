/**
 * The lease of a service in a team ledger: a session lock, a row with holder and expiry, and a growing fence. Its one rule: a load whose
 * last renewal is older than its lease sends nothing, by the wall clock and by the monotonic one: a sleeping computer stops one of them.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DealsheetError } from '../../errors.ts';
import { errorOf } from '../../messages/text.ts';
import { killPoint } from '../kill-points.ts';
import type { RunLease } from '../ledger.ts';
import { stopLeftBehind } from '../run-records.ts';
import { applicationId } from '../schema.ts';
import type { BegunRun, Holding, LeaseLoss, Row, Statement, Steps } from '../store.ts';
import { ask, type Connections, hangUp, inTransaction, serverFailed, writeAtOnce } from './connections.ts';

/** The first key of the advisory locks; the second is the number of the service. */
const lockSpace = applicationId;

const renewalsPerLease = 4;
/** The last part of a lease is not used, because a request takes a moment to leave. */
const usableShare = 0.9;
const betweenTriesMs = 100;

export interface Load {
  readonly service: number;
  readonly serviceUrl: string;
  readonly person: string;
  readonly leaseMs: number;
  readonly shown: string;
  readonly begin: (service: number) => Steps<BegunRun>;
  readonly now: () => string;
}

const waitMs = 'greatest(0, ceil(extract(epoch FROM until - clock_timestamp()) * 1000))::int';

export class TeamLease implements RunLease, Holding {
  readonly begun: BegunRun;
  readonly fence: number;
  readonly lease = this;
  readonly #client: Client;
  readonly #leaseMs: number;
  readonly #shown: string;
  #renewedAt: Moment;
  #renewing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #requestMs: number | null = null;
  failure: DealsheetError | null = null;

  private constructor(client: Client, taken: Taken, { leaseMs, shown }: Load, renewedAt: Moment) {
    this.begun = taken.begun;
    this.fence = taken.fence;
    this.#client = client;
    this.#leaseMs = leaseMs;
    this.#shown = shown;
    this.#renewedAt = renewedAt;
    this.#timer = setInterval(() => void this.#renew(), leaseMs / renewalsPerLease);
  }

  /**
   * Takes the lease, and stops runs that an earlier load left behind. If that load was cut off, waits until its lease has expired.
   * @throws DealsheetError `ledger-refused` while another load is running; the message names its holder
   */
  static async take(connections: Connections, load: Load): Promise<TeamLease> {
    let lease: TeamLease | null = null;
    let lost: Error | null = null;
    const client = await connections.single(load.leaseMs, (error) => {
      lost ??= error;
      lease?.lose('lease-lost', error.message);
    });
    try {
      await lockWhenOver(client, load);
      const renewedAt = now();
      const taken = await inTransaction(client, takeLocked(load));
      killPoint('begin-after-commit');
      if (lost !== null) throw lost;
      lease = new TeamLease(client, taken, load, renewedAt);
      return lease;
    } catch (error) {
      hangUp(client);
      throw serverFailed(error, load.shown);
    }
  }

  isHeld(): boolean {
    const { wall, steady } = this.#renewedAt;
    const usableMs = usableShare * this.#leaseMs;
    return this.failure === null && Math.abs(Date.now() - wall) < usableMs && performance.now() - steady < usableMs;
  }

  async confirm(): Promise<boolean> {
    if (this.failure === null && !this.isHeld()) await this.#renew();
    return this.isHeld();
  }

  async takesUpTo(requestMs: number): Promise<void> {
    this.#requestMs = requestMs;
    await this.#renewing;
    await this.#renew();
  }

  lose(reason: LeaseLoss | 'lease-lost', detail = ''): void {
    this.failure ??= errorOf(reason, { ledger: this.#shown, detail });
    this.#stop();
  }

  /** Releases the lease together with the last writes, so that the next load can begin at once. */
  async giveBack(last: readonly Statement[] | null): Promise<void> {
    this.#stop();
    try {
      if (this.failure !== null) throw this.failure;
      await this.#renewing;
      const values = [this.begun.service, this.fence];
      const sql = 'UPDATE leases SET until = clock_timestamp() WHERE service = ?1 AND fence = ?2';
      killPoint('end-before-commit');
      await writeAtOnce(this.#client, [...(last ?? []), { sql, values }]);
      killPoint('end-after-commit');
    } catch (error) {
      throw serverFailed(error, this.#shown);
    } finally {
      this.lose('lease-lost');
      hangUp(this.#client);
    }
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#tellServer().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #tellServer(): Promise<void> {
    const said = now();
    try {
      const answer = await ask(this.#client, {
        sql: `UPDATE leases SET until = clock_timestamp() + ?3 * interval '1 ms', request_ms = coalesce(?4, request_ms)
          WHERE service = ?1 AND fence = ?2 RETURNING 1`,
        values: [this.begun.service, this.fence, this.#leaseMs, this.#requestMs],
      });
      if (answer.length === 0) this.lose('lease-taken-over');
      else this.#renewedAt = said;
    } catch (error) {
      this.lose('lease-lost', (error as Error).message);
    }
  }
}

interface Moment {
  readonly wall: number;
  readonly steady: number;
}

function now(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/** Waits while a load that was cut off may still send. Throws for one that is running. */
async function lockWhenOver(client: Client, { service, serviceUrl, leaseMs }: Load): Promise<void> {
  const values = [service];
  const lastTry = performance.now() + 2 * leaseMs;
  for (;;) {
    const [, [[isLocked] = []], [holder = []]] = await Promise.all([
      ask(client, { sql: 'INSERT INTO leases (service) VALUES (?1) ON CONFLICT DO NOTHING', values }),
      ask(client, { sql: `SELECT pg_try_advisory_lock(${lockSpace}, ?1)`, values }),
      ask(client, {
        sql: `SELECT ${waitMs}, host, person, process, run, since FROM leases WHERE service = ?1`,
        values,
      }),
    ]);
    const waits = Number(holder[0]);
    if (isLocked === true && waits === 0) return;
    if (isLocked === true) await ask(client, { sql: `SELECT pg_advisory_unlock(${lockSpace}, ?1)`, values });
    const mayEnd = isLocked === true || waits === 0;
    if (!mayEnd || performance.now() > lastTry) throw inUse(holder, serviceUrl);
    await sleep(Math.max(betweenTriesMs, Math.min(waits, leaseMs / renewalsPerLease)));
  }
}

type Taken = Pick<Holding, 'begun' | 'fence'>;

function* takeLocked({ service, leaseMs, person, begin, now }: Load): Steps<Taken> {
  yield settleLeft(service, now());
  const begun = yield* begin(service);
  const [[fence] = []] = yield {
    sql: `UPDATE leases SET fence = fence + 1, until = clock_timestamp() + ?2 * interval '1 ms', host = ?3, person = ?4, process = ?5,
      backend = pg_backend_pid(), run = ?6, since = ?7, request_ms = DEFAULT WHERE service = ?1 RETURNING fence`,
    values: [service, leaseMs, hostname(), person, process.pid, begun.id, now()],
  };
  killPoint('begin-before-commit');
  return { begun, fence: Number(fence) };
}

/** Requests of a load that was cut off may still be in flight, so the time of the last possible one is stored. */
function settleLeft(service: number, endedAt: string): readonly Statement[] {
  const silentFrom = {
    sql: `UPDATE runs SET silent_from = (SELECT l.until + l.request_ms * interval '1 ms' FROM leases l WHERE l.service = runs.service)
      WHERE service = ?1 AND state = 'running'`,
    values: [service],
  };
  return [silentFrom, ...stopLeftBehind(service, endedAt)];
}

/** Stops the runs left in a service, unless a load is running or one that was cut off may still send. */
export function* settleIfLeft(service: number, endedAt: string): Steps<void> {
  const [[isFree] = []] = yield {
    sql: `SELECT pg_try_advisory_xact_lock(${lockSpace}, service) FROM leases WHERE service = ?1 AND until <= clock_timestamp()
      FOR UPDATE`,
    values: [service],
  };
  if (isFree === true) yield settleLeft(service, endedAt);
}

/** Ends the lease of a running load, which can send nothing more. Returns the milliseconds until the next load may begin. */
export function* endLease(service: number): Steps<number> {
  const [[waits] = []] = yield {
    sql: `UPDATE leases SET fence = fence + 1 WHERE service = ?1 RETURNING ${waitMs}, pg_terminate_backend(backend)`,
    values: [service],
  };
  return Number(waits ?? 0);
}

function inUse(holder: Row, service: string): DealsheetError {
  const [host = '', person = '', process = '', run = '', since = ''] = holder.slice(1).map(String);
  return errorOf('team-ledger-in-use', { host, person, process, run, since, service });
}
