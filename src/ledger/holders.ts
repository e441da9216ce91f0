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

const leftInDoubt = storedMessage(rowMessage('left-in-doubt'));
const leftToRepeat = storedMessage(rowMessage('left-to-repeat'));

export class Holders {
  readonly #file: string;
  readonly #read: Statement;
  readonly #write: Statement;
  readonly #remove: Statement;
  readonly #runningServices: Statement;
  readonly #stopRuns: Statement;
  readonly #doubt: Statement;
  readonly #takeBack: Statement;
  readonly #runningRuns: Statement;

  /** @param file  the path of the ledger without symbolic links: by two names it would have two locks */
  constructor(db: Database, file: string) {
    this.#file = file;
    this.#read = db.prepare('SELECT process, host, run FROM holders WHERE service = ?').raw();
    this.#write = db.prepare(
      `INSERT INTO holders (service, process, host, run, since) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (service) DO UPDATE SET
         process = excluded.process, host = excluded.host, run = excluded.run, since = excluded.since`,
    );
    this.#remove = db.prepare('DELETE FROM holders WHERE service = ?');
    this.#runningServices = db.prepare("SELECT DISTINCT service FROM runs WHERE state = 'running'").raw();
    this.#runningRuns = db.prepare("SELECT number FROM runs WHERE service = ? AND state = 'running'").raw();
    this.#stopRuns = db.prepare(
      "UPDATE runs SET state = 'stopped', ended_at = ? WHERE service = ? AND state = 'running'",
    );
    const ofRun = 'sheet IN (SELECT number FROM sheets WHERE run = ?)';
    this.#doubt = db.prepare(
      `UPDATE entries SET state = 'in-doubt', message = ?
       WHERE ${ofRun} AND state = 'sending' AND kind <> '${updates}'`,
    );
    this.#takeBack = db.prepare(
      `UPDATE entries SET state = 'not-sent', message = ?
       WHERE ${ofRun} AND state = 'sending' AND kind = '${updates}'`,
    );
  }

  /**
   * Takes a service for this process, and settles what a dead process left in it.
   * @throws DealsheetError `ledger-refused` when a load into it is going on; it names its process
   */
  take(service: number, serviceUrl: string, now: string): FileLock {
    const lock = this.#lockOf(service);
    if (lock === null) throw this.#inUse(service, serviceUrl);
    try {
      this.#settleAbandoned(service, now);
      return lock;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Writes who holds a service that was taken, and for which run. */
  write(service: number, run: string, now: string): void {
    this.#write.run([service, process.pid, hostname(), run, now]);
  }

  /** Gives a service back: the lock too, within the transaction, so that nobody finds it held by nobody. */
  giveBack(service: number, lock: FileLock): void {
    this.#remove.run([service]);
    lock.release();
  }

  /** The services of runs that are not ended: each is going on, or its process is gone. */
  servicesOfRunningRuns(): readonly number[] {
    return (this.#runningServices.all([]) as [number][]).map(([service]) => service);
  }

  /** Settles what dead processes left in a service, unless a load into it is going on. */
  settleLeftBehind(service: number, now: string): void {
    const lock = this.#lockOf(service);
    if (lock === null) return;
    try {
      this.#settleAbandoned(service, now);
      this.#remove.run([service]);
    } finally {
      lock.release();
    }
  }

  /** The runs that {@link settleLeftBehind} would stop, for a disk on which that cannot be written. */
  runsLeftBehind(service: number): readonly number[] {
    const lock = this.#lockOf(service);
    if (lock === null) return [];
    lock.release();
    return (this.#runningRuns.all([service]) as [number][]).map(([run]) => run);
  }

  /** What was left on its way is in doubt; an update goes out again, for it says the same a second time. */
  settleSending(run: number): void {
    this.#doubt.run([leftInDoubt, run]);
    this.#takeBack.run([leftToRepeat, run]);
  }

  /** To be taken inside a write transaction on the ledger: who finds it held finds its holder written there too. */
  #lockOf(service: number): FileLock | null {
    return FileLock.take(`${this.#file}.lock-${service}`);
  }

  #settleAbandoned(service: number, now: string): void {
    for (const [run] of this.#runningRuns.all([service]) as [number][]) this.settleSending(run);
    this.#stopRuns.run([now, service]);
  }

  #inUse(service: number, serviceUrl: string): DealsheetError {
    const [holder] = this.#read.all([service]) as [number, string, string][];
    const who = holder === undefined ? 'Another process' : nameOf(...holder);
    return new DealsheetError(
      'ledger-refused',
      `${who} is loading into ${serviceUrl} with this ledger. One load at a time goes into a service.`,
      'Wait until it is done, or end that process; then try again.',
    );
  }
}

function nameOf(pid: number, host: string, run: string): string {
  if (host !== hostname()) return `The process ${pid} on ${host} (run ${run})`;
  return pid === process.pid ? `This process, ${pid}, (run ${run})` : `The process ${pid} (run ${run})`;
}
