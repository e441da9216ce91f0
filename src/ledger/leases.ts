/**
 * Who loads into which service. Taking a service also settles what a load left behind whose process is gone.
 * Its one rule: all of it happens inside a write transaction, so two processes never decide at the same time.
 */
import { hostname } from 'node:os';
import type { Database, Statement } from '../disk/database.ts';
import { FileLock } from '../disk/file-lock.ts';
import { DealsheetError } from '../errors.ts';
import { rowMessage } from '../messages/rows.ts';
import { updates } from './guarding.ts';
import { storedMessage } from './stored-message.ts';

export interface Lease {
  readonly service: number;
  /** Grows with each lease of the service: an owner of an older one can intend nothing more. */
  readonly fence: number;
  readonly lock: FileLock;
}

const leftInDoubt = storedMessage(rowMessage('left-in-doubt'));
const leftToRepeat = storedMessage(rowMessage('left-to-repeat'));

export class Leases {
  readonly #file: string;
  readonly #read: Statement;
  readonly #fence: Statement;
  readonly #write: Statement;
  readonly #running: Statement;
  readonly #stopRuns: Statement;
  readonly #doubt: Statement;
  readonly #open: Statement;

  /** @param file  the path of the ledger without symbolic links: by two names it would have two locks */
  constructor(db: Database, file: string) {
    this.#file = file;
    this.#read = db.prepare('SELECT process, host, person, run FROM leases WHERE service = ?').raw();
    this.#fence = db.prepare('SELECT fence FROM leases WHERE service = ?').raw();
    this.#write = db.prepare(
      `INSERT INTO leases (service, process, host, person, run, since, fence) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (service) DO UPDATE SET process = excluded.process, host = excluded.host, person = excluded.person,
         run = excluded.run, since = excluded.since, fence = excluded.fence`,
    );
    this.#running = db.prepare("SELECT number, service FROM runs WHERE state = 'running'").raw();
    this.#stopRuns = db.prepare(
      "UPDATE runs SET state = 'stopped', ended_at = ? WHERE service = ? AND state = 'running'",
    );
    const left = `WHERE state = 'sending' AND sheet IN (SELECT number FROM sheets WHERE run = ?) AND kind`;
    this.#doubt = db.prepare(
      `UPDATE rows SET state = 'in-doubt', outcome = 'in-doubt', message = ? ${left} <> '${updates}'`,
    );
    this.#open = db.prepare(`UPDATE rows SET state = 'open', outcome = 'not-sent', message = ? ${left} = '${updates}'`);
  }

  /**
   * Takes a service for this process, and settles what a dead process left in it.
   * @throws DealsheetError `ledger-refused` when a load into it is going on; it names who loads
   */
  take(service: number, serviceUrl: string, now: string): Lease {
    const lock = FileLock.take(`${this.#file}.lock-${service}`);
    if (lock === null) throw this.#inUse(service, serviceUrl);
    try {
      this.#settleAbandoned(service, now);
      const [fence] = (this.#fence.get([service]) as [number] | undefined) ?? [0];
      return { service, fence: fence + 1, lock };
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
    return (this.#fence.get([service]) as [number] | undefined)?.[0] === fence;
  }

  /** Gives a service back: the lock too, within the transaction, so that no load finds it locked without a holder. */
  giveBack({ lock }: Lease): void {
    lock.release();
  }

  /** The services of runs that are not ended: each is going on, or its process is gone. */
  servicesOfRunningRuns(): readonly number[] {
    return [...new Set((this.#running.all([]) as [number, number][]).map(([, service]) => service))];
  }

  /** Settles what dead processes left in a service, unless a load into it is going on. */
  settleLeftBehind(service: number, now: string): void {
    const lock = FileLock.take(`${this.#file}.lock-${service}`);
    if (lock === null) return;
    try {
      this.#settleAbandoned(service, now);
    } finally {
      lock.release();
    }
  }

  /** The runs that {@link settleLeftBehind} would stop, for a disk on which that cannot be written. */
  runsLeftBehind(service: number): readonly number[] {
    const lock = FileLock.take(`${this.#file}.lock-${service}`);
    if (lock === null) return [];
    lock.release();
    return (this.#running.all([]) as [number, number][]).flatMap(([run, of]) => (of === service ? [run] : []));
  }

  /** What was left on its way is in doubt; an update goes out again, for it says the same a second time. */
  settleSending(run: number): void {
    this.#doubt.run([leftInDoubt, run]);
    this.#open.run([leftToRepeat, run]);
  }

  #settleAbandoned(service: number, now: string): void {
    for (const [run, of] of this.#running.all([]) as [number, number][]) if (of === service) this.settleSending(run);
    this.#stopRuns.run([now, service]);
  }

  #inUse(service: number, serviceUrl: string): DealsheetError {
    const holder = this.#read.all([service])[0] as [number, string, string, string] | undefined;
    const who = holder === undefined ? 'Another process' : nameOf(...holder);
    return new DealsheetError(
      'ledger-refused',
      `${who} is loading into ${serviceUrl} with this ledger. One load at a time goes into a service.`,
      'Wait until it is done, or end that process; then try again.',
    );
  }
}

function nameOf(pid: number, host: string, person: string, run: string): string {
  if (host !== hostname()) return `${person} on ${host} (process ${pid}, run ${run})`;
  return pid === process.pid ? `This process, ${pid}, (run ${run})` : `The process ${pid} of ${person} (run ${run})`;
}
