/**
 * Who loads into which service. Taking a service also settles what a load left behind whose process is gone.
 * Its one rule: all of it happens inside a write transaction, so two processes never decide at the same time.
 */
import { hostname } from 'node:os';
import type { Database, Statement } from '../disk/database.ts';
import { FileLock } from '../disk/file-lock.ts';
import { DealsheetError } from '../errors.ts';
import { planMessage } from '../messages/plan.ts';
import { storedMessage, updates } from './schema.ts';

export interface Lease {
  readonly service: number;
  /** Grows with each lease of the service: an owner of an older one can intend nothing more. */
  readonly fence: number;
  readonly lock: FileLock;
}

type Holder = [fence: number, process: number, host: string, person: string, run: string];

const underWay = `state = 'sending' AND sheet IN (SELECT number FROM sheets WHERE run = ?2) AND kind`;

/** What becomes of that which a run leaves on its way, in every ledger: by a message and the run. */
export const leaving = {
  doubt: `UPDATE rows SET state = 'in-doubt', outcome = 'in-doubt', message = ?1 WHERE ${underWay} <> '${updates}'`,
  open: `UPDATE rows SET state = 'open', outcome = 'not-sent', message = ?1 WHERE ${underWay} = '${updates}'`,
} as const;
export const leftInDoubt = storedMessage(planMessage('left-in-doubt'));
export const leftToRepeat = storedMessage(planMessage('left-to-repeat'));

export class Leases {
  readonly #file: string;
  readonly #read: Statement;
  readonly #write: Statement;
  readonly #running: Statement;
  readonly #stopRuns: Statement;
  readonly #doubt: Statement;
  readonly #open: Statement;

  /** @param file  the path of the ledger without symbolic links: by two names it would have two locks */
  constructor(db: Database, file: string) {
    this.#file = file;
    this.#read = db.prepare('SELECT fence, process, host, person, run FROM leases WHERE service = ?').raw();
    this.#write = db.prepare(
      `INSERT INTO leases (service, process, host, person, run, since, fence) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (service) DO UPDATE SET process = excluded.process, host = excluded.host, person = excluded.person,
         run = excluded.run, since = excluded.since, fence = excluded.fence`,
    );
    this.#running = db.prepare("SELECT number, service FROM runs WHERE state = 'running'").raw();
    this.#stopRuns = db.prepare(
      "UPDATE runs SET state = 'stopped', ended_at = ? WHERE service = ? AND state = 'running'",
    );
    this.#doubt = db.prepare(leaving.doubt);
    this.#open = db.prepare(leaving.open);
  }

  /**
   * Takes a service for this process, and settles what a dead process left in it.
   * @throws DealsheetError `ledger-refused` when a load into it is going on; it names who loads
   */
  take(service: number, serviceUrl: string, now: string): Lease {
    const lock = this.#lock(service);
    if (lock === null) throw this.#inUse(service, serviceUrl);
    try {
      this.#settleAbandoned(service, now);
      return { service, fence: (this.#holder(service)?.[0] ?? 0) + 1, lock };
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  write({ service, fence }: Lease, { run, person, now }: { run: string; person: string; now: string }): void {
    this.#write.run([service, process.pid, hostname(), person, run, now, fence]);
  }

  /** Whether no other load has taken the service since. */
  holds({ service, fence }: Lease): boolean {
    return this.#holder(service)?.[0] === fence;
  }

  /** The services of runs that are not ended: each is going on, or its process is gone. */
  servicesOfRunningRuns(): readonly number[] {
    return [...new Set(this.#allRunning().map(([, service]) => service))];
  }

  /** Settles what dead processes left in a service, unless a load into it is going on. */
  settleLeftBehind(service: number, now: string): void {
    const lock = this.#lock(service);
    if (lock === null) return;
    try {
      this.#settleAbandoned(service, now);
    } finally {
      lock.release();
    }
  }

  /** The runs that {@link settleLeftBehind} would stop, for a disk on which that cannot be written. */
  runsLeftBehind(service: number): readonly number[] {
    const lock = this.#lock(service);
    if (lock === null) return [];
    lock.release();
    return this.#runningIn(service);
  }

  /** What was left on its way is in doubt; an update goes out again, for it says the same a second time. */
  settleSending(run: number): void {
    this.#doubt.run([leftInDoubt, run]);
    this.#open.run([leftToRepeat, run]);
  }

  #settleAbandoned(service: number, now: string): void {
    for (const run of this.#runningIn(service)) this.settleSending(run);
    this.#stopRuns.run([now, service]);
  }

  #lock(service: number): FileLock | null {
    return FileLock.take(`${this.#file}.lock-${service}`);
  }

  #allRunning(): readonly (readonly [run: number, service: number])[] {
    return this.#running.all([]) as [number, number][];
  }

  #runningIn(service: number): readonly number[] {
    return this.#allRunning().flatMap(([run, of]) => (of === service ? [run] : []));
  }

  #holder(service: number): Holder | undefined {
    return this.#read.get([service]) as Holder | undefined;
  }

  #inUse(service: number, serviceUrl: string): DealsheetError {
    const holder = this.#holder(service);
    const who = holder === undefined ? 'Another process' : nameOf(holder);
    return new DealsheetError(
      'ledger-refused',
      `${who} is loading into ${serviceUrl} with this ledger. One load at a time goes into a service.`,
      'Wait until it is done, or end that process; then try again.',
    );
  }
}

function nameOf([, pid, host, person, run]: Holder): string {
  if (host !== hostname()) return `${person} on ${host} (process ${pid}, run ${run})`;
  return pid === process.pid ? `This process, ${pid}, (run ${run})` : `The process ${pid} of ${person} (run ${run})`;
}
