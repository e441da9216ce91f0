import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { type Child, startChild } from './child.ts';
import { aLoad, anIntent, newPlace, onlyOnce, type Place, service } from './place.ts';

let place: Place;
let children: Child[];

beforeEach(() => {
  place = newPlace();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map((child) => child.ended));
  place.remove();
});

function startHolder(): Child {
  const child = startChild('hold', [place.path]);
  children.push(child);
  return child;
}

async function firstWord(child: Child): Promise<Record<string, unknown>> {
  return JSON.parse((await child.line(1)) ?? '{"code":"no word"}') as Record<string, unknown>;
}

describe('A second load into a service', () => {
  it('is refused in the same process, also through another opening of the ledger', () => {
    const ledger = place.open();
    const run = ledger.beginRun(aLoad());
    for (const opened of [ledger, place.open()]) {
      expect(() => opened.beginRun(aLoad())).toThrow(
        expect.objectContaining({ code: 'ledger-refused', message: expect.stringContaining(String(process.pid)) }),
      );
      expect(() => opened.resumeRun(run.id)).toThrow(expect.objectContaining({ code: 'ledger-refused' }));
    }
    expect(ledger.runs()).toHaveLength(1);
  });

  it('is still refused to other processes after it was refused in this one', async () => {
    const ledger = place.open();
    ledger.beginRun(aLoad());
    expect(() => place.open().beginRun(aLoad())).toThrow();
    expect(await firstWord(startHolder())).toMatchObject({ code: 'ledger-refused' });
    expect(() => place.open().beginRun(aLoad())).toThrow();
  });

  it('is refused also where the ledger has another name, and what the first has on its way stays under way', async () => {
    const ledger = place.open();
    const run = ledger.beginRun(aLoad());
    await run.intend([anIntent(ledger, 2)], onlyOnce);
    const named = join(place.folder, 'linked.db');
    symlinkSync(place.path, named);
    symlinkSync(`${place.path}.key`, `${named}.key`);
    const other = openLedger(named);
    try {
      expect(other.entry(run.id, { sheet: 'Deals', row: 2 })?.state).toBe('sending');
      expect(other.run(run.id)?.state).toBe('running');
      expect(() => other.beginRun(aLoad())).toThrow(expect.objectContaining({ code: 'ledger-refused' }));
    } finally {
      other.close();
    }
  });

  it('is refused while another process loads, and named is its process id', async () => {
    const holder = startHolder();
    const { pid } = await firstWord(holder);
    const ledger = place.open();
    expect(() => ledger.beginRun(aLoad())).toThrow(
      expect.objectContaining({ code: 'ledger-refused', message: expect.stringContaining(`process ${String(pid)} `) }),
    );
    expect(ledger.runs()[0]?.state).toBe('running');
  });

  it('is let in when the first has ended', async () => {
    const holder = startHolder();
    await firstWord(holder);
    holder.process.stdin.end();
    await holder.ended;
    const ledger = place.open();
    ledger.beginRun(aLoad());
    expect(ledger.runs().map(({ state }) => state)).toEqual(['running', 'stopped']);
  });

  it('is let in when the first was killed, without a word from anybody', async () => {
    const ledger = place.open();
    const holder = startHolder();
    const { run } = await firstWord(holder);
    holder.process.kill('SIGKILL');
    await holder.ended;
    const next = ledger.beginRun(aLoad());
    expect(ledger.run(String(run))?.state).toBe('stopped');
    expect(ledger.run(next.id)?.state).toBe('running');
  });

  it('is let in when the process id that was noted belongs to another process by now', async () => {
    const holder = startHolder();
    await firstWord(holder);
    holder.process.kill('SIGKILL');
    await holder.ended;
    const db = new Database(place.path);
    db.prepare('UPDATE holders SET process = ?').run([process.pid]);
    db.close();
    const ledger = place.open();
    expect(ledger.run(ledger.beginRun(aLoad()).id)?.state).toBe('running');
  });

  it('into another service is not held up', () => {
    const ledger = place.open();
    const here = ledger.beginRun(aLoad());
    const elsewhere = ledger.beginRun(aLoad({ service: 'https://other.example.com' }));
    expect([here, elsewhere].map(({ id }) => ledger.run(id)?.state)).toEqual(['running', 'running']);
  });

  it('is let in when the ledger was closed without an end, and the run before it is stopped', async () => {
    const first = place.open();
    const run = first.beginRun(aLoad());
    await run.intend([anIntent(first, 2)], onlyOnce);
    first.close();
    const ledger = place.open();
    expect(ledger.run(run.id)).toMatchObject({ state: 'stopped' });
    expect(ledger.countsOf(run.id)).toEqual({ 'in-doubt': 1 });
    const next = ledger.beginRun(aLoad());
    expect([run, next].map(({ id }) => ledger.run(id)?.state)).toEqual(['stopped', 'running']);
  });
});

describe('Loads that are started at the same time', () => {
  it('are one load: the others are refused and name its process', async () => {
    const racers = Array.from({ length: 4 }, startHolder);
    const words = await Promise.all(racers.map(firstWord));
    const begun = words.filter((word) => word.run !== undefined);
    expect(begun).toHaveLength(1);
    for (const word of words.filter(({ run }) => run === undefined)) {
      expect(word.code).toBe('ledger-refused');
      expect(word.message).toContain(`process ${String(begun[0]?.pid)} `);
    }
  });

  it('take over from a dead load one at a time', async () => {
    const dead = startHolder();
    await firstWord(dead);
    dead.process.kill('SIGKILL');
    await dead.ended;
    const words = await Promise.all(Array.from({ length: 3 }, startHolder).map(firstWord));
    expect(words.filter((word) => word.run !== undefined)).toHaveLength(1);
    expect(words.filter((word) => word.code === 'ledger-refused')).toHaveLength(2);
  });
});

describe('A ledger that is open while another process is killed', () => {
  it('gives what that process had made durable', async () => {
    const ledger = place.open();
    const holder = startHolder();
    const { run } = await firstWord(holder);
    holder.process.kill('SIGKILL');
    await holder.ended;
    expect(ledger.newestRunOf(service, 'ab')?.id).toBe(run);
  });
});
