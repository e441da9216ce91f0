import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Dealsheet, type DealsheetOptions, openDealsheet, type RowEvent, writeTemplate } from '../../src/index.ts';
import { readWorkbook } from '../builders/tables.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { useSandbox } from '../sandbox/running.ts';

const inFolder = folderForEachTest();
const sandbox = useSandbox();
let sheet: Dealsheet;

const settings = (): DealsheetOptions => ({
  url: sandbox().url,
  token: sandbox().token,
  ledger: inFolder('ledger.db'),
});

beforeEach(() => {
  sheet = openDealsheet(settings());
});
afterEach(() => sheet.close());

function writeDeals(name: string, ...amounts: readonly (number | string)[]): string {
  const rows = amounts.map((amount, place) => `D-${name}-${place},${amount},Harbor ${name} ${place},Moreno`);
  writeFileSync(inFolder(name), ['Ref,Amount requested,Company name,Owner last name', ...rows].join('\n'));
  return inFolder(name);
}

describe('a script', () => {
  it('loads a file, is told of each row, and loads none of it twice', async () => {
    const file = writeDeals('june.csv', 100, 200);
    const told: RowEvent[] = [];
    const first = await sheet.import(file, { onRow: (row) => told.push(row) });
    expect(first?.counts).toMatchObject({ rows: 2, created: 2 });
    expect(told).toHaveLength(2);
    expect(existsSync(first?.results ?? '')).toBe(true);
    expect((await sheet.import(file))?.counts).toMatchObject({ created: 0, alreadyLoaded: 2 });
    expect((await sheet.runs()).map(({ id }) => id)).toContain(first?.run);
  });

  it('checks a file, with what is in by earlier loads', async () => {
    await sheet.import(writeDeals('june.csv', 100));
    const lines: number[] = [];
    const longer = writeDeals('june.csv', 100, 'x12', 300);
    const { counts, findings } = await sheet.check(longer, { onProblemRow: ({ row }) => lines.push(row) });
    expect(counts).toMatchObject({ alreadyLoaded: 1, invalid: 1, ready: 1 });
    expect(findings[0]).toMatchObject({ code: 'not-a-number', severity: 'error', count: 1 });
    expect(lines).toContain(3);
  });

  it('asks before it sends, where it wants to', async () => {
    const file = writeDeals('june.csv', 100);
    expect(await sheet.import(file, { confirm: ({ sheets }) => sheets[0]?.toSend !== 1 })).toBeNull();
    expect(await sheet.runs()).toHaveLength(0);
  });

  it('stops a load, and goes on with it', async () => {
    const stop = new AbortController();
    const file = writeDeals('june.csv', ...Array.from({ length: 200 }, (_, row) => row + 1));
    const stopped = await sheet.import(file, { signal: stop.signal, onRow: () => stop.abort() });
    expect(stopped).toMatchObject({ interrupted: true });
    const resumed = await sheet.resume();
    expect(resumed?.run).toBe(stopped?.run);
    expect(resumed?.counts).toMatchObject({ rows: 200, created: 200 });
    await expect(sheet.resume()).rejects.toMatchObject({ code: 'usage', reason: 'no-run-to-resume' });
    // Stopped when nothing is left to send, it has ended.
    expect(await sheet.import(file, { signal: AbortSignal.abort() })).toMatchObject({ interrupted: true });
    expect((await sheet.import(file, { again: true }))?.counts).toMatchObject({ created: 200 });
  });

  it('writes a plan, and applies it once', async () => {
    const file = writeDeals('june.csv', 100);
    const { plan } = await sheet.plan(file);
    writeFileSync(inFolder('june.plan.json'), JSON.stringify(plan));
    const applied = { apply: inFolder('june.plan.json') };
    expect((await sheet.import(file, applied))?.counts).toMatchObject({ created: 1 });
    await expect(sheet.import(file, applied)).rejects.toMatchObject({ code: 'usage' });
  });

  it('reads a file of other headers by a mapping', async () => {
    const mapping = { sheets: [{ kind: 'notes', columns: { Deal: 'Deal ID', State: 'Deal status', Said: 'Note' } }] };
    writeFileSync(inFolder('mapping.json'), JSON.stringify(mapping));
    writeFileSync(inFolder('log.csv'), 'Deal,State,Said\nD1,Open,Called\n');
    const chosen = { mapping: inFolder('mapping.json'), checks: { 'total-row': 'skip', 'link-text': 'off' } } as const;
    const { counts, preview } = await sheet.check(inFolder('log.csv'), { ...chosen, results: inFolder('read.csv') });
    expect(counts).toMatchObject({ rows: 1, invalid: 0, ready: 1 });
    expect(preview.notices[0]).toMatch(/ its flags: --allow link-text --mapping \S+$/);
  });

  it('brings balances and records back', async () => {
    await sheet.import(writeDeals('june.csv', 100));
    const [row] = await readWorkbook(inFolder('june.results.xlsx'), 'june');
    await sheet.exportBalances(inFolder('balances.xlsx'));
    expect(existsSync(inFolder('balances.xlsx'))).toBe(true);
    const { counts } = await sheet.exportRecords('deals', inFolder('deals.json'), { ids: [String(row?.ID)] });
    expect(counts).toMatchObject({ asked: 1, found: 1 });
    expect(readFileSync(inFolder('deals.json'), 'utf8')).toContain('Harbor june.csv 0');
    const [own, previous] = [inFolder('june.csv'), inFolder('balances.xlsx')];
    for (const refused of [
      () => sheet.exportBalances(own),
      () => sheet.exportBalances(previous, { previous }),
      () => sheet.exportRecords('deals', own, { ids: ['1'] }),
      () => writeTemplate(own, { kinds: ['deals'] }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'usage' });
    expect(readFileSync(own, 'utf8')).toContain('Harbor june.csv 0');
  });

  it('asks whether the service is there, and makes a template', async () => {
    expect(await sheet.health()).toMatchObject({ state: 'ok' });
    await writeTemplate(inFolder('deals.csv'), { kinds: ['deals'] });
    expect(readFileSync(inFolder('deals.csv'), 'utf8')).toContain('Amount requested');
  });

  it('keeps the names of its token from attachments', async () => {
    writeFileSync(inFolder('token.txt'), sandbox().token, { mode: 0o600 });
    const other = openDealsheet({
      ...settings(),
      token: { file: inFolder('token.txt') },
      ledger: inFolder('other.db'),
    });
    writeFileSync(inFolder('files.csv'), 'Deal ID,File\nD1,token.txt\n');
    const { counts } = await other.check(inFolder('files.csv'));
    expect(counts).toMatchObject({ rows: 1, invalid: 1 });
    await other.close();
  });
});

describe('an error of its own', () => {
  it.each(['onProgress', 'confirm', 'onHealth', 'onBegin', 'onRow', 'onReport'] as const)(
    'thrown by %s ends the load, which can be done again',
    async (name) => {
      // Progress is told every thousand rows.
      const rows = name === 'onProgress' ? 1000 : 40;
      const file = writeDeals('june.csv', ...Array.from({ length: rows }, (_, row) => row + 1));
      const throwing = () => {
        throw new Error('of its own');
      };
      await expect(sheet.import(file, { [name]: throwing })).rejects.toThrow('of its own');
      const again = await sheet.import(file);
      expect((again?.counts.created ?? 0) + (again?.counts.alreadyLoaded ?? 0)).toBe(rows);
    },
  );
});

describe('an option that is not right is refused before anything is read', () => {
  it.each([
    [{ url: 'service.example' }],
    [{ url: 7 }],
    [{ token: '' }],
    [{ token: { command: [] } }],
    [{ ledger: undefined }],
    [{ ledger: 'postgres://pat@127.0.0.1/deals' }],
    [{ concurrency: 0 }],
    [{ concurrency: '8' }],
    [{ rate: Number.NaN }],
    [{ timeout: Number.POSITIVE_INFINITY }],
    [{ batch: 1.5 }],
    [{ contract: { paths: { nowhere: '/x' } } }],
    [{ onPace: true }],
    [{ tokn: 'x' }],
  ])('of the service: %o', (wrong) => {
    expect(() => openDealsheet({ ...settings(), ...wrong } as DealsheetOptions)).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });

  it.each([
    [{ as: 'deal' }, 'as'],
    [{ dateOrder: 'dym' }, 'dateOrder'],
    [{ limit: -1 }, 'limit'],
    [{ mask: true }, 'mask'],
    [{ expect: 'rows=1' }, 'expect'],
    [{ allOrNothing: 'no' }, 'allOrNothing'],
    [{ onRow: 'all' }, 'onRow'],
    [{ signal: 'stop' }, 'signal'],
    [{ kind: 'deals' }, 'kind'],
  ])('of a load: %o', async (wrong, name) => {
    const given = { ...wrong } as object;
    await expect(sheet.import(writeDeals('june.csv', 100), given)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(name),
    });
    expect(await sheet.runs()).toHaveLength(0);
  });

  it('shows no token that it was given', () => {
    const wrong = { ...settings(), token: { secret: 'tok_4f3e2d1c0b9a' } } as unknown as DealsheetOptions;
    expect(() => openDealsheet(wrong)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('tok_') }),
    );
  });
});
