import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { ownWorkplaceForEachTest } from '../builders/command-here.ts';
import { created, startRecordingService } from '../builders/recording-service.ts';
import { writeCsv, writeManyDeals } from '../builders/tables.ts';
import { mayTrace, tracing } from '../builders/tools.ts';
import { environmentOf, main } from '../builders/workplace.ts';
import { type SandboxProcess, startSandboxProcess } from '../sandbox/sandbox-process.ts';

const rows = 50;

describe.skipIf(!mayTrace())('P7: a request', () => {
  const place = ownWorkplaceForEachTest();
  let service: SandboxProcess;

  beforeEach(async () => {
    service = await startSandboxProcess({ fixedToken: 'token' });
  });
  afterEach(() => service.kill());

  it('leaves only after its intent is synced to the disk', () => {
    writeManyDeals(place.path('deals.csv'), rows);
    const trace = place.path('trace');
    const words = [
      ...['import', 'deals.csv', '--url', service.url, '--yes', '--concurrency', '1'],
      ...['--ledger', place.path('ledger.db')],
    ];
    const calls = 'fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg';
    execFileSync(
      'strace',
      [...tracing, '-s', '24', '-y', '-e', `trace=${calls}`, '-o', trace, process.execPath, main, ...words],
      { cwd: place.folder, env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'token' }), stdio: 'ignore' },
    );
    const events = eventsOf(readFileSync(trace, 'utf8'));
    expect(events.filter((event) => event === 'request')).toHaveLength(rows);
    // Each request needs a sync of its own intent, after the last one left: what was written since then is synced.
    let [unsynced, synced] = [false, false];
    for (const event of events) {
      if (event === 'ledger-write') [unsynced, synced] = [true, false];
      if (event === 'ledger-sync') [unsynced, synced] = [false, true];
      if (event !== 'request') continue;
      expect(unsynced).toBe(false);
      expect(synced).toBe(true);
      synced = false;
    }
  });
});

/** The disk takes so long to keep a commit that a request which does not wait for it arrives long before. */
const slowSync = 'inject=fsync,fdatasync:delay_enter=15000';
const requestsASecond = '50';
const slowRows = 20;
const firstAmount = 1000;
const headerRows = 1;

describe.skipIf(!mayTrace())('P7: the intent of a request', () => {
  const place = ownWorkplaceForEachTest();

  it('stands in the ledger when the request arrives, however slow the disk is', async () => {
    const deals = Array.from({ length: slowRows }, (_, index) => [firstAmount + index, `Company ${index}`, 'Moreno']);
    writeCsv(place.path('deals.csv'), [['Amount requested', 'Company name', 'Owner last name'], ...deals]);
    const stateOnArrival: unknown[] = [];
    const service = await startRecordingService((request, number) => {
      const { amountRequested } = JSON.parse(request.body) as { amountRequested: number };
      stateOnArrival.push(stateOfRow(place.path('ledger.db'), amountRequested - firstAmount + 1 + headerRows));
      return created(number);
    });
    // At a rate below what the service takes, a connection is idle when a row's turn comes: nothing but its intent holds it back.
    const words = [
      ...['import', 'deals.csv', '--url', service.url, '--yes', '--concurrency', '4', '--rate', requestsASecond],
      ...['--ledger', place.path('ledger.db')],
    ];
    const slowly = [...tracing, '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', slowSync];
    const ended = await execa('strace', [...slowly, process.execPath, main, ...words], {
      cwd: place.folder,
      env: environmentOf(place.folder, { DEALSHEET_TOKEN: 'token' }),
      extendEnv: false,
      stdin: 'ignore',
    });
    await service.stop();
    expect(ended.exitCode).toBe(0);
    expect(stateOnArrival).toEqual(Array.from({ length: slowRows }, () => 'sending'));
  });
});

function stateOfRow(ledger: string, row: number): unknown {
  const db = new Database(ledger);
  try {
    return (
      db.prepare('SELECT r.state FROM rows r JOIN appearances a ON a.id = r.id WHERE a.place = ?').raw().all([row]) as [
        string,
      ][]
    )[0]?.[0];
  } finally {
    db.close();
  }
}

type TracedEvent = 'ledger-write' | 'ledger-sync' | 'request';

/** What matters in a trace, in its order. A call that others interrupt counts where it was resumed: then it is done. */
function eventsOf(trace: string): readonly TracedEvent[] {
  const unfinished = new Map<string, TracedEvent>();
  const events: TracedEvent[] = [];
  for (const line of trace.split('\n')) {
    const thread = line.split(' ')[0] ?? '';
    const resumed = line.includes('resumed>') ? unfinished.get(thread) : undefined;
    if (resumed !== undefined) {
      events.push(resumed);
      unfinished.delete(thread);
      continue;
    }
    const event = eventOf(line);
    if (event === null) continue;
    if (line.includes('<unfinished')) unfinished.set(thread, event);
    else events.push(event);
  }
  return events;
}

function eventOf(line: string): TracedEvent | null {
  if (/(pwrite64|write)\(\d+<[^>]*ledger\.db(-wal)?>/.test(line)) return 'ledger-write';
  if (/(fsync|fdatasync)\(\d+<[^>]*ledger\.db-wal>/.test(line)) return 'ledger-sync';
  return /(write|writev|sendto|sendmsg)\(.*"?POST \/v1\/deal/.test(line) ? 'request' : null;
}
