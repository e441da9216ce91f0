/**
 * The right to load into a service with a team's ledger: a lock that goes with a session of its own, a row that tells who has it
 * and until when, and a fence that grows. Its one rule: a load whose last word from the server is older than its lease sends
 * nothing, by the clock on the wall and by the one that only goes forward: a computer that sleeps stops one of them.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientBase } from 'pg';
import { DealsheetError } from '../../errors.ts';
import { leaving, leftInDoubt, leftToRepeat } from '../leases.ts';
import type { RunLease } from '../ledger.ts';
import { type Connections, inTransaction, rowsOf } from './connections.ts';
import { leaseLost } from './errors.ts';
import { lockSpace } from './schema.ts';

/** Words to the server within the time of a lease. */
const wordsInTime = 4;
/** What is left of a lease is not used to its end: a request takes a moment to leave. */
const usableShare = 0.9;
const betweenTriesMs = 100;

export interface Holding {
  readonly service: number;
  readonly serviceUrl: string;
  readonly person: string;
  readonly leaseMs: number;
  readonly shown: string;
  /** Writes the run within the transaction, and gives its id. */
  readonly begin: (client: ClientBase) => Promise<string>;
  readonly now: () => string;
}

type Holder = readonly [
  ...[waitMs: number, host: string | null, person: string | null],
  ...[process: number | null, run: string | null, since: string | null],
];

const readHolder = `SELECT greatest(0, ceil(extract(epoch FROM until - clock_timestamp()) * 1000))::int, host, person,
  process, run, since FROM leases WHERE service = ?1`;

export class TeamLease implements RunLease {
  readonly service: number;
  readonly fence: number;
  readonly #client: Client;
  readonly #leaseMs: number;
  readonly #shown: string;
  #heardAt: Moment;
  #beating: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #requestMs: number | null = null;
  failure: DealsheetError | null = null;

  private constructor(client: Client, fence: number, { service, leaseMs, shown }: Holding, heardAt: Moment) {
    this.service = service;
    this.fence = fence;
    this.#client = client;
    this.#leaseMs = leaseMs;
    this.#shown = shown;
    this.#heardAt = heardAt;
    this.#timer = setInterval(() => void this.#beat(), leaseMs / wordsInTime);
  }

  /**
   * Takes the lease, and settles what a load before has left. One that was cut off is waited for until its lease is over.
   * @throws DealsheetError `ledger-refused` when a load is going on; it names who loads
   */
  static async take(connections: Connections, holding: Holding): Promise<TeamLease> {
    const { service, leaseMs } = holding;
    let lease: TeamLease | null = null;
    let lost: Error | null = null;
    const client = await connections.single((error) => {
      lost ??= error;
      lease?.lose(error.message);
    });
    try {
      // Silent for so long, its session ends, and with it the lock.
      await client.query(`SET idle_session_timeout = ${leaseMs}`);
      await lockWhenOver(client, holding);
      const heardAt = now();
      const fence = await inTransaction(client, async () => {
        await settleLeft(client, service, holding.now());
        const run = await holding.begin(client);
        const [[taken] = []] = await rowsOf(
          client,
          `UPDATE leases SET fence = fence + 1, until = clock_timestamp() + ?2 * interval '1 ms', host = ?3, person = ?4, process = ?5,
             backend = pg_backend_pid(), run = ?6, since = ?7, request_ms = DEFAULT WHERE service = ?1 RETURNING fence`,
          [service, leaseMs, hostname(), holding.person, process.pid, run, holding.now()],
        );
        return Number(taken);
      });
      if (lost !== null) throw lost;
      lease = new TeamLease(client, fence, holding, heardAt);
      return lease;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  isHeld(): boolean {
    const { wall, steady } = this.#heardAt;
    const usableMs = usableShare * this.#leaseMs;
    return this.failure === null && Math.abs(Date.now() - wall) < usableMs && performance.now() - steady < usableMs;
  }

  async confirm(): Promise<boolean> {
    if (this.failure === null && !this.isHeld()) await this.#beat();
    return this.isHeld();
  }

  async takesUpTo(requestMs: number): Promise<void> {
    this.#requestMs = requestMs;
    await this.#beating;
    await this.#beat();
  }

  lose(why: string): void {
    this.failure ??= leaseLost(this.#shown, why);
    this.#stop();
  }

  /** Gives it back with what is written last, and lets the next load in at once. */
  async giveBack(write: (client: ClientBase) => Promise<void>): Promise<void> {
    if (this.failure !== null) throw this.failure;
    this.#stop();
    await this.#beating;
    try {
      await inTransaction(this.#client, async () => {
        await write(this.#client);
        await rowsOf(this.#client, 'UPDATE leases SET until = clock_timestamp() WHERE service = ?1 AND fence = ?2', [
          this.service,
          this.fence,
        ]);
      });
    } finally {
      this.lose('it was given back');
      await this.#client.end().catch(() => {});
    }
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#say().finally(() => {
      this.#beating = null;
    });
    return this.#beating;
  }

  async #say(): Promise<void> {
    const said = now();
    try {
      const answer = await rowsOf(
        this.#client,
        `UPDATE leases SET until = clock_timestamp() + ?3 * interval '1 ms', request_ms = coalesce(?4, request_ms)
         WHERE service = ?1 AND fence = ?2 RETURNING 1`,
        [this.service, this.fence, this.#leaseMs, this.#requestMs],
      );
      if (answer.length === 0) this.lose('another load has taken it over');
      else this.#heardAt = said;
    } catch (error) {
      this.lose((error as Error).message);
    }
  }
}

/** By both clocks, in milliseconds. */
interface Moment {
  readonly wall: number;
  readonly steady: number;
}

function now(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/** Waits while a load that was cut off may still send, never for one that goes on. */
async function lockWhenOver(client: Client, { service, serviceUrl, leaseMs }: Holding): Promise<void> {
  await rowsOf(client, 'INSERT INTO leases (service) VALUES (?1) ON CONFLICT DO NOTHING', [service]);
  const lastTry = performance.now() + 2 * leaseMs;
  for (;;) {
    const [[isLocked] = []] = await rowsOf(client, `SELECT pg_try_advisory_lock(${lockSpace}, ?1)`, [service]);
    const [holder] = (await rowsOf(client, readHolder, [service])) as unknown as [Holder];
    if (isLocked === true && holder[0] === 0) return;
    if (isLocked === true) await rowsOf(client, `SELECT pg_advisory_unlock(${lockSpace}, ?1)`, [service]);
    const mayEnd = isLocked === true || holder[0] === 0;
    if (!mayEnd || performance.now() > lastTry) throw inUse(holder, serviceUrl);
    await sleep(Math.max(betweenTriesMs, Math.min(holder[0], leaseMs / wordsInTime)));
  }
}

/** What was left on its way is in doubt; an update goes out again. A load that was cut off may have requests out for a while yet. */
async function settleLeft(client: ClientBase, service: number, endedAt: string): Promise<void> {
  const running = `SELECT number FROM runs WHERE service = ?1 AND state = 'running'`;
  for (const [run] of await rowsOf(client, running, [service])) {
    await settleSending(client, Number(run));
    await rowsOf(
      client,
      `UPDATE runs SET state = 'stopped', ended_at = ?2, silent_from =
         (SELECT l.until + l.request_ms * interval '1 ms' FROM leases l WHERE l.service = runs.service) WHERE number = ?1`,
      [run, endedAt],
    );
  }
}

export async function settleSending(client: ClientBase, run: number): Promise<void> {
  await rowsOf(client, leaving.doubt, [leftInDoubt, run]);
  await rowsOf(client, leaving.open, [leftToRepeat, run]);
}

/** Settles what was left in a service, unless a load goes on or one that was cut off may still send. Within a transaction. */
export async function settleIfLeft(client: ClientBase, service: number, endedAt: string): Promise<void> {
  const [[isFree] = []] = await rowsOf(
    client,
    `SELECT pg_try_advisory_xact_lock(${lockSpace}, service) FROM leases WHERE service = ?1 AND until <= clock_timestamp()
     FOR UPDATE`,
    [service],
  );
  if (isFree === true) await settleLeft(client, service, endedAt);
}

/** Ends the lease of a load that goes on: it sends nothing more, and the next one begins once the last word to it wears off. */
export async function takeOver(client: ClientBase, service: number): Promise<number> {
  const [[waitMs] = []] = await rowsOf(
    client,
    `UPDATE leases SET fence = fence + 1 WHERE service = ?1
     RETURNING greatest(0, ceil(extract(epoch FROM until - clock_timestamp()) * 1000))::int, pg_terminate_backend(backend)`,
    [service],
  );
  return Number(waitMs ?? 0);
}

function inUse([, host, person, process, run, since]: Holder, serviceUrl: string): DealsheetError {
  return new DealsheetError(
    'ledger-refused',
    `${person} on ${host} (process ${process}, run ${run}) is loading into ${serviceUrl} with this ledger since ${since}. One load at a time goes into a service.`,
    `Wait until it is done. If that computer is gone for good: dealsheet runs ${run} --take-over`,
  );
}
