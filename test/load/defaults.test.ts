import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { importDefaults, readingDefaults, silentImport } from '../../src/load/defaults.ts';
import { importFile } from '../../src/load/import-file.ts';
import type { ImportOptions } from '../../src/plan/options.ts';
import { createServiceClient } from '../../src/service/create-client.ts';
import { silentEvents } from '../../src/service/events.ts';
import { fixedToken } from '../../src/service/tokens/credentials.ts';
import { type RecordingService, startRecordingService } from '../builders/recording-service.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

it('has private copies in a folder that no other user of the computer has made', () => {
  expect(basename(readingDefaults.snapshotFolder)).toBe(`dealsheet-${process.getuid?.() ?? 'user'}`);
});

describe('a script that listens to nothing', () => {
  const inFolder = folderForEachTest();
  let service: RecordingService;

  beforeEach(async () => {
    service = await startRecordingService();
    const rows = ['Amount requested,Company name,Owner last name,Company start date', '100,Harbor,Moreno,03/04/2016'];
    writeFileSync(inFolder('june.csv'), rows.join('\n'));
  });
  afterEach(async () => {
    await service.stop();
  });

  async function load(dateOrder: 'mdy' | 'dmy', further: Partial<ImportOptions> = {}, events = silentImport) {
    const url = new URL(service.url);
    const credentials = fixedToken('token', 'the test');
    const limits = { timeoutMs: 5000, concurrency: 1, rate: null, idempotencyKeys: false, retryBudget: 5 };
    const ledger = openLedger(inFolder('ledger.db'));
    const files = { file: inFolder('june.csv'), snapshotFolder: inFolder('sources') };
    const named = { service: url.origin, serviceUrl: url.href, kind: recordKind('deals'), dateOrder };
    const { contract } = importDefaults;
    try {
      return await importFile(
        { ...importDefaults, ...files, ...named, ...further },
        () => createServiceClient({ url, credentials, contract, ...limits, events: silentEvents }),
        ledger,
        events,
      );
    } finally {
      await ledger.close();
    }
  }

  it('sends no row a second time because its file is read otherwise now', async () => {
    expect((await load('mdy'))?.counts).toMatchObject({ created: 1 });
    expect((await load('dmy'))?.counts).toMatchObject({ changedSinceLoaded: 1 });
    expect(service.requests).toHaveLength(1);
  });

  it.each(['onProgress', 'confirm', 'onHealth', 'onBegin', 'onRow', 'onReport'] as const)(
    'gets the error of its own %s, and may load again',
    async (name) => {
      const rows = Array.from({ length: 1000 }, (_, row) => `${row + 1},Harbor ${row},Moreno,03/04/2016`);
      writeFileSync(
        inFolder('june.csv'),
        ['Amount requested,Company name,Owner last name,Company start date', ...rows].join('\n'),
      );
      const throwing = () => {
        throw new Error('of its own');
      };
      await expect(load('mdy', {}, { ...silentImport, [name]: throwing })).rejects.toThrow('of its own');
      const sent = service.requests.length;
      const again = await load('mdy');
      expect(again?.counts).toMatchObject({ created: rows.length - sent, alreadyLoaded: sent });
      expect(service.requests).toHaveLength(rows.length);
    },
  );

  it('says yes to a load of which nothing is in', async () => {
    expect((await load('dmy'))?.counts).toMatchObject({ created: 1 });
  });
});
