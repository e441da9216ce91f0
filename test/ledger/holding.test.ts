import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { type Child, startChild } from './child.ts';
import { aLoad, Desk, otherService, placeForEachTest } from './place.ts';

const place = placeForEachTest();
let children: Child[];

beforeEach(() => {
  children = [];
});
afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map((child) => child.ended));
});

function startHolder(): Child {
  const child = startChild('hold', [place.path]);
  children.push(child);
  return child;
}

async function firstWord(child: Child): Promise<Record<string, unknown>> {
  return JSON.parse((await child.line(1)) ?? '{"code":"no word"}') as Record<string, unknown>;
}

/** A load of another process that was killed. */
async function killedHolder(): Promise<string> {
  const holder = startHolder();
  const { run } = await firstWord(holder);
  holder.process.kill('SIGKILL');
  await holder.ended;
  return String(run);
}

const refused = { code: 'ledger-refused' };

describe('P11: A second load into a service', () => {
  it('is refused in the same process, also through another opening of the ledger', async () => {
    const ledger = place.open();
    const run = await ledger.begin(aLoad());
    const message = expect.stringContaining(String(process.pid)) as string;
    for (const opened of [ledger, place.open()]) {
      await expect(opened.begin(aLoad())).rejects.toMatchObject({ ...refused, message });
      await expect(opened.resume(run.id)).rejects.toMatchObject(refused);
    }
    expect(await ledger.runs()).toHaveLength(1);
  });

  it('is still refused to other processes after it was refused in this one', async () => {
    await place.open().begin(aLoad());
    await expect(place.open().begin(aLoad())).rejects.toMatchObject(refused);
    expect(await firstWord(startHolder())).toMatchObject(refused);
    await expect(place.open().begin(aLoad())).rejects.toMatchObject(refused);
  });

  it('is refused also where the ledger has another name, and what the first has on its way stays so', async () => {
    const desk = await Desk.open(place.open());
    await desk.send({ row: 2 });
    const named = join(place.folder, 'linked.db');
    symlinkSync(place.path, named);
    symlinkSync(`${place.path}.key`, `${named}.key`);
    const other = openLedger(named);
    try {
      expect(await desk.phase(2, other)).toBe('sending');
      expect((await other.run(desk.run.id))?.state).toBe('running');
      await expect(other.begin(aLoad())).rejects.toMatchObject(refused);
    } finally {
      await other.close();
    }
  });

  it('is refused while another process loads, and told its process id and person', async () => {
    const { pid } = await firstWord(startHolder());
    const ledger = place.open();
    const message = expect.stringContaining(`process ${String(pid)} of kim`) as string;
    await expect(ledger.begin(aLoad())).rejects.toMatchObject({ ...refused, message });
    expect(await ledger.runs()).toMatchObject([{ state: 'running' }]);
  });

  it('is let in when the first has ended', async () => {
    const holder = startHolder();
    await firstWord(holder);
    holder.process.stdin.end();
    await holder.ended;
    const ledger = place.open();
    await ledger.begin(aLoad());
    expect((await ledger.runs()).map(({ state }) => state)).toEqual(['running', 'stopped']);
  });

  it('is let in when the first was killed while the ledger was open here', async () => {
    const ledger = place.open();
    const killed = await killedHolder();
    expect(await ledger.run(killed)).toMatchObject({ state: 'running', person: 'kim' });
    const next = await ledger.begin(aLoad());
    expect((await ledger.run(killed))?.state).toBe('stopped');
    expect((await ledger.run(next.id))?.state).toBe('running');
  });

  it('is let in when the process id that was noted belongs to another process by now', async () => {
    await killedHolder();
    const db = new Database(place.path);
    db.prepare('UPDATE leases SET process = ?').run([process.pid]);
    db.close();
    const ledger = place.open();
    expect((await ledger.run((await ledger.begin(aLoad())).id))?.state).toBe('running');
  });

  it('into another service is not held up', async () => {
    const ledger = place.open();
    await ledger.begin(aLoad());
    await ledger.begin(aLoad({ service: otherService }));
    expect((await ledger.runs()).map(({ state }) => state)).toEqual(['running', 'running']);
  });
});

it('P11: A load whose service another one has taken can intend nothing more, and what came back for it is still written', async () => {
  const first = await Desk.open(place.open());
  await first.send({ row: 2 });
  await first.register({ row: 3 });
  unlinkSync(`${place.path}.lock-1`);
  const second = await Desk.open(place.open());
  expect((await first.run.intend([first.intent(3)])).size).toBe(0);
  expect([await first.phase(2), await first.phase(3)]).toEqual(['in-doubt', 'open']);
  await first.record(2, 'created');
  expect(await first.phase(2)).toBe('committed');
  await second.send({ row: 3 });
  expect(await second.phase(3)).toBe('sending');
});

it.each([false, true])(
  'Loads that are started at the same time are one load, the others are refused; after a dead load: %s',
  async (isAfterDead) => {
    if (isAfterDead) await killedHolder();
    const words = await Promise.all(Array.from({ length: 4 }, startHolder).map(firstWord));
    const [begun, ...others] = words.filter(({ run }) => run !== undefined);
    expect(others).toEqual([]);
    const message = expect.stringContaining(`process ${String(begun?.pid)} `) as string;
    const left = words.filter((word) => word !== begun);
    expect(left).toMatchObject(Array.from({ length: 3 }, () => ({ ...refused, message })));
  },
);
