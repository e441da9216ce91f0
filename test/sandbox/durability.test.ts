import { statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/disk/database.ts';
import { defaultSandboxOptions, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { aDeal } from './bodies.ts';
import { get, made, post, send, type Target } from './requests.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';

const isLong = process.env.DEALSHEET_LONG === '1';
const kills = isLong ? 20 : 4;

const inFolder = folderForEachTest();
let dataFile: string;
const running: SandboxProcess[] = [];

beforeEach(() => {
  dataFile = inFolder('sandbox.db');
});
afterEach(async () => {
  for (const child of running.splice(0)) await child.kill();
});

async function start(options: Partial<SandboxOptions> = {}): Promise<SandboxProcess> {
  const child = await startSandboxProcess({ dataFile, ...options });
  running.push(child);
  return child;
}

/** Adds numbered deals over some connections until the service is gone; gives the answered ones, id by number. */
async function addUntilGone(target: Target, first: number, connections: number): Promise<Map<number, string>> {
  const answered = new Map<number, string>();
  let number = first;
  const work = async () => {
    for (;;) {
      const own = number;
      number += 1;
      const answer = await post(target, '/v1/deal', aDeal({ amountRequested: own })).catch(() => null);
      if (answer === null) return;
      if (answer.status === 201) answered.set(own, String(answer.body.id));
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return answered;
}

/** How many entries of the log stand behind a sequence, forty at most. */
async function acceptedAfter(target: Target, sequence: number): Promise<number> {
  const { body } = await get(target, `/sandbox/accepted?after=${sequence}&limit=40`);
  return (body.accepted as unknown[]).length;
}

describe('what was answered', () => {
  it('is there after kill -9, again and again, with every id given once', async () => {
    const answered = new Map<number, string>();
    for (let round = 0; round < kills; round += 1) {
      const child = await start();
      const adding = addUntilGone(child, round * 1_000_000, 8);
      while ((await acceptedAfter(child, answered.size)) < 40) {}
      await child.kill();
      for (const [number, id] of await adding) answered.set(number, id);
    }
    const sandbox = await startSandbox({ ...defaultSandboxOptions, dataFile });
    try {
      const kept = new Map(
        [...sandbox.accepted()].map(({ id, body }) => [JSON.parse(body).amountRequested as number, id]),
      );
      expect(answered.size).toBeGreaterThan(kills * 20);
      expect(new Set(answered.values()).size).toBe(answered.size);
      for (const [number, id] of answered) expect(kept.get(number)).toBe(id);
      const [number, id] = [...answered][0] ?? [0, ''];
      expect((await get(sandbox, `/v1/deal/${id}`)).body.amountRequested).toBe(number);
    } finally {
      await sandbox.stop();
    }
  });

  it('stays under its idempotency key after kill -9', async () => {
    const sent = { method: 'POST', path: '/v1/deal', json: aDeal(), headers: { 'idempotency-key': 'once' } };
    const before = await start();
    const { body } = await send(before, sent);
    await before.kill();
    const after = await start();
    const again = await send(after, sent);
    expect(again.body.id).toBe(body.id);
    expect((await get(after, '/sandbox/accepted')).body.accepted).toHaveLength(1);
  });
});

describe('the data file', () => {
  const open = () => startSandbox({ ...defaultSandboxOptions, dataFile });

  const changeDirectly = (sql: string) => {
    const database = new Database(dataFile);
    database.exec(sql);
    database.close();
  };

  it('is for its owner alone, and so is its folder', async () => {
    dataFile = inFolder('nowhere', 'sandbox.db');
    const sandbox = await open();
    expect(statSync(inFolder('nowhere')).mode & 0o777).toBe(0o700);
    await made(sandbox, '/v1/deal', aDeal());
    expect(statSync(dataFile).mode & 0o777).toBe(0o600);
    expect(statSync(`${dataFile}-wal`).mode & 0o777).toBe(0o600);
    await sandbox.stop();
  });

  const noDatabase = 'no database at all, but long enough to have a header of one hundred bytes'.repeat(20);
  it.each<[what: string, spoil: () => unknown, says: string]>([
    ['something else', () => writeFileSync(dataFile, noDatabase), 'cannot use'],
    ['another program’s database', () => changeDirectly('CREATE TABLE mine (a)'), 'not by the sandbox'],
    ['that of another version', () => changeDirectly('PRAGMA user_version = 99'), 'another version'],
  ])('is refused when it is %s, and left as it was', async (what, spoil, says) => {
    if (what === 'that of another version') await (await open()).stop();
    spoil();
    const before = statSync(dataFile).size;
    await expect(open()).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(says) });
    expect(statSync(dataFile).size).toBe(before);
  });

  it('keeps nothing of a commit that the disk refused, and says 500', async () => {
    const sandbox = await startSandbox({ ...defaultSandboxOptions, dataFile });
    const other = new Database(dataFile);
    other.exec(
      "CREATE TRIGGER full BEFORE INSERT ON accepted WHEN NEW.endpoint = 'addDeal' BEGIN SELECT RAISE(ABORT, 'disk'); END",
    );
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.message);
    process.on('warning', listen);
    try {
      expect((await post(sandbox, '/v1/deal', aDeal())).status).toBe(500);
      other.exec('DROP TRIGGER full');
      expect(await made(sandbox, '/v1/deal', aDeal())).toBe('deal_000001');
      expect([...sandbox.accepted()]).toHaveLength(1);
      expect(warnings).toEqual([expect.stringContaining('The sandbox failed')]);
    } finally {
      process.off('warning', listen);
      other.close();
      await sandbox.stop();
    }
  });
});

it('a start says that a port is taken, or takes the next one', async () => {
  const first = await startSandbox(defaultSandboxOptions);
  const options = { ...defaultSandboxOptions, port: first.port };
  try {
    await expect(startSandbox(options)).rejects.toMatchObject({ code: 'usage', cause: { code: 'EADDRINUSE' } });
    const second = await startSandbox({ ...options, whenPortTaken: 'next' });
    expect(second.port).toBeGreaterThan(first.port);
    await second.stop();
  } finally {
    await first.stop();
  }
});
