/** What a person corrects on the page goes out and comes back in the results, and the source stays as it is. */
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { silentImport } from '../../src/load/defaults.ts';
import { importFile, planImport } from '../../src/load/import-file.ts';
import { resumeRun } from '../../src/load/resume-run.ts';
import { rewriteResults } from '../../src/load/rewrite-results.ts';
import { tidySources } from '../../src/load/run-source.ts';
import type { SendingResult } from '../../src/load/sending.ts';
import { systemClock } from '../../src/service/retry.ts';
import { type Correction, keepCorrections } from '../../src/staging/source/corrections.ts';
import { importDefaults } from '../builders/default-options.ts';
import { created, serviceForEachTest } from '../builders/recording-service.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { aClient } from '../service/builders.ts';

const inFolder = folderForEachTest();
const source = [
  'Amount requested,Company name,Owner last name,Entity type',
  '100,Harbor,Moreno,S-Corp',
  '-5,Mill,Roe,S-Corp',
  '300,Kite,Lee,Trust',
].join('\n');
const at = (column: number, row: number | null, from: string, to: string): Correction => ({
  ...{ sheet: 'deals', column, row, below: 1, from, to },
});
const everywhere = at(3, null, 'Trust', 'LLC');
const inOneCell = at(0, 3, '-5', '500');

let ledger: Ledger;
let isDown = false;
const service = serviceForEachTest((_, number) =>
  isDown && number > 1 ? { status: 401, body: '{}' } : created(number),
);
beforeEach(() => {
  isDown = false;
  ledger = openLedger(inFolder('ledger.db'));
  writeFileSync(inFolder('deals.csv'), source);
});
afterEach(() => ledger.close());

function means() {
  const url = new URL(service.url);
  const { contract } = importDefaults;
  const connect = () => aClient(url, { contract, timeoutMs: 5000, concurrency: 1 }, systemClock);
  const named = { service: url.origin, serviceUrl: url.href, sourcesFolder: inFolder('sources') };
  return { connect, named };
}

function optionsWith(corrections: readonly Correction[]) {
  const { named } = means();
  const kept = corrections.length === 0 ? null : keepCorrections(named.sourcesFolder, corrections);
  return { ...importDefaults, ...named, file: inFolder('deals.csv'), corrections: kept };
}

async function load(corrections: readonly Correction[], further = {}): Promise<SendingResult> {
  const options = { ...optionsWith(corrections), ...further };
  const result = await importFile(options, means().connect, ledger, silentImport);
  if (result === null) throw new Error('Nothing was sent.');
  return result;
}

async function runOf(result: SendingResult) {
  const run = await ledger.run(result.run ?? '');
  if (run === null) throw new Error('No run.');
  return run;
}

async function resume(stopped: SendingResult) {
  const { connect, named } = means();
  const options = { ...importDefaults, ...named, resultsPath: null, batch: null, privatePaths: [] };
  return resumeRun(await runOf(stopped), options, connect, ledger, silentImport);
}

async function writeAgain(result: SendingResult) {
  const { contract } = importDefaults;
  const options = { ...means().named, contract, resultsPath: inFolder('again.csv') };
  return rewriteResults(await runOf(result), ledger, options);
}

const bodies = () => service.requests.map(({ body }) => JSON.parse(body));
const amounts = () => bodies().map(({ amountRequested }) => amountRequested);

describe('corrections of a source', () => {
  it('go out, come back in the results, and leave the file as it is', async () => {
    const { counts } = await load([everywhere, inOneCell], { resultsPath: inFolder('r.csv') });
    expect(counts).toMatchObject({ rows: 3, created: 3, invalid: 0 });
    expect(amounts()).toEqual([100, 500, 300]);
    expect(bodies()[2].entityType).toBe('LLC');
    expect(readFileSync(inFolder('deals.csv'), 'utf8')).toBe(source);
    const results = readFileSync(inFolder('r.csv'), 'utf8');
    expect(results).toMatch(/#deals!3,500,Mill/);
    expect(results).toMatch(/#deals!4,300,Kite,Lee,LLC/);
  });

  it('P9: the file as it is comes again: nothing goes out, and what differs is told', async () => {
    await load([everywhere, inOneCell]);
    const sent = service.requests.length;
    const { counts } = await load([]);
    expect(service.requests).toHaveLength(sent);
    expect(counts).toMatchObject({ created: 0, alreadyLoaded: 1, changedSinceLoaded: 2 });
    expect((await load([everywhere, inOneCell])).counts).toMatchObject({ created: 0, alreadyLoaded: 3 });
  });

  it('are corrected row by row after a load: only what was wrong goes out', async () => {
    expect((await load([])).counts).toMatchObject({ created: 1, invalid: 2 });
    expect((await load([inOneCell])).counts).toMatchObject({ created: 1, alreadyLoaded: 1, invalid: 1 });
    expect(amounts()).toEqual([100, 500]);
  });

  it('change no other row where the file has changed meanwhile', async () => {
    const [header, ...lines] = source.split('\n');
    writeFileSync(inFolder('deals.csv'), [header, '700,New,Ray,LLC', ...lines].join('\n'));
    expect((await load([inOneCell])).counts).toMatchObject({ created: 2, invalid: 2 });
    expect(amounts()).toEqual([700, 100]);
  });

  it('P4: hold for a resume, and for results that are written again', async () => {
    isDown = true;
    const stopped = await load([everywhere, inOneCell]);
    expect(stopped.stopReason).not.toBeNull();
    isDown = false;
    await tidySources(inFolder('sources'), ledger);
    expect((await resume(stopped))?.counts).toMatchObject({ created: 3 });
    expect(amounts().slice(-2)).toEqual([500, 300]);
    expect((await writeAgain(stopped)).withSource).toBe(true);
    expect(readFileSync(inFolder('again.csv'), 'utf8')).toMatch(/500,Mill/);
  });

  it('that are gone stop a resume: no row goes out as it was before', async () => {
    isDown = true;
    const stopped = await load([everywhere, inOneCell]);
    const kept = optionsWith([everywhere, inOneCell]).corrections;
    rmSync(kept?.path ?? '');
    const sent = service.requests.length;
    await expect(resume(stopped)).rejects.toThrow(/corrections .* are gone or were changed/);
    expect(service.requests).toHaveLength(sent);
    expect((await writeAgain(stopped)).withSource).toBe(false);
  });

  it('stay for results that are written again, and go with their run', async () => {
    const { path = '' } = optionsWith([everywhere, inOneCell]).corrections ?? {};
    const settled = await load([everywhere, inOneCell]);
    utimesSync(path, new Date(0), new Date(0));
    await tidySources(inFolder('sources'), ledger);
    expect((await writeAgain(settled)).withSource).toBe(true);
    await ledger.prune('2999-01-01');
    await tidySources(inFolder('sources'), ledger);
    expect(existsSync(path)).toBe(false);
  });

  it('P30: a plan holds only with the same corrections', async () => {
    const { plan } = await planImport(optionsWith([everywhere, inOneCell]), ledger, silentImport);
    await expect(load([everywhere], { plan })).rejects.toThrow(/not as it was planned: corrections/);
    await expect(load([], { plan })).rejects.toThrow(/not as it was planned: corrections/);
    expect(service.requests).toHaveLength(0);
    expect((await load([everywhere, inOneCell], { plan })).counts).toMatchObject({ created: 3 });
  });

  it('P23: stand in a file for their owner alone', () => {
    const { path } = keepCorrections(inFolder('sources'), [inOneCell]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('of a value touch no other value, no header and no other column', async () => {
    writeFileSync(inFolder('deals.csv'), source.replace('300,Kite,Lee,Trust', '300,Trust,Lee,Trust Bank'));
    const { counts } = await load([everywhere, inOneCell]);
    expect(counts).toMatchObject({ created: 2, invalid: 1 });
  });
});
