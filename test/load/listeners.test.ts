import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { silentImport } from '../../src/load/defaults.ts';
import { importFile } from '../../src/load/import-file.ts';
import type { ServiceEvents } from '../../src/service/client.ts';
import { systemClock } from '../../src/service/retry.ts';
import { importDefaults } from '../builders/default-options.ts';
import { type CannedAnswer, created, startRecordingService } from '../builders/recording-service.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { aClient } from '../service/builders.ts';

const rows = 24;
const ofCaller = new Error('The log of the caller is full.');
const failing = () => {
  throw ofCaller;
};

describe('a listener of the caller that throws', () => {
  const inFolder = folderForEachTest();
  let ledger: Ledger;

  beforeEach(() => {
    ledger = openLedger(inFolder('ledger.db'));
    const deals = Array.from({ length: rows }, (_, row) => `${row},Harbor ${row},Moreno`);
    writeFileSync(inFolder('june.csv'), ['Amount requested,Company name,Owner last name', ...deals].join('\n'));
  });
  afterEach(async () => {
    await ledger.close();
  });

  /** Loads the file twice: with listeners that fail, and with none. */
  async function loadTwice(
    listeners: { readonly load?: object; readonly client?: Partial<ServiceEvents> },
    answer?: (number: number) => CannedAnswer,
  ) {
    const service = await startRecordingService((_request, number) => (answer ?? created)(number));
    const url = new URL(service.url);
    const { contract } = importDefaults;
    const files = { file: inFolder('june.csv'), sourcesFolder: inFolder('sources') };
    const named = { service: url.origin, serviceUrl: url.href, kind: recordKind('deals') };
    const load = (ofLoad: object, ofClient: Partial<ServiceEvents>) =>
      importFile(
        { ...importDefaults, ...files, ...named },
        () => aClient(url, { contract, timeoutMs: 5000, events: ofClient }, systemClock),
        ledger,
        { ...silentImport, ...ofLoad },
      );
    try {
      const error = await load(listeners.load ?? {}, listeners.client ?? {}).catch((thrown: unknown) => thrown);
      const state = (await ledger.runs())[0]?.state;
      const again = await load({}, {});
      return { error, state, counts: again?.counts, accepted: service.requests.length };
    } finally {
      await service.stop();
    }
  }

  it('ends the run that has just begun, and gives its service back', async () => {
    const { error, state, counts } = await loadTwice({ load: { onBegin: failing } });
    expect(error).toBe(ofCaller);
    expect(state).toBe('stopped');
    expect(counts).toMatchObject({ created: rows, inDoubt: 0 });
  });

  it.each([
    { name: 'onPace', answer: created },
    { name: 'onRetry', answer: (number: number) => (number === 5 ? { status: 408, body: '{}' } : created(number)) },
    {
      name: 'onWait',
      answer: (number: number) =>
        number === 5 ? { status: 429, body: '{}', headers: { 'retry-after': '0' } } : created(number),
    },
  ])('puts no row in doubt whose answer came: $name', async ({ name, answer }) => {
    const { error, state, counts } = await loadTwice({ client: { [name]: failing } }, answer);
    expect(error).toBe(ofCaller);
    expect(state).toBe('stopped');
    expect(counts).toMatchObject({ inDoubt: 0, failed: 0 });
    expect((counts?.created ?? 0) + (counts?.alreadyLoaded ?? 0)).toBe(rows);
  });

  it('is told of also when nothing is left to send', async () => {
    const { error, counts } = await loadTwice({ client: { onStop: failing } }, (number) =>
      number === rows ? { status: 302, body: '', headers: { location: 'https://elsewhere.example' } } : created(number),
    );
    expect(error).toBe(ofCaller);
    expect(counts).toMatchObject({ alreadyLoaded: rows - 1, inDoubt: 1 });
  });
});
