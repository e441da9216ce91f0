import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { exportBalances } from '../../src/export/export-balances.ts';
import type { ExportEvents } from '../../src/export/export-options.ts';
import { exportRecords } from '../../src/export/export-records.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { checkFile } from '../../src/load/check-file.ts';
import { importDefaults, readingDefaults, silentImport } from '../../src/load/defaults.ts';
import { importFile } from '../../src/load/import-file.ts';
import type { ImportOptions } from '../../src/load/import-options.ts';
import { resumeRun } from '../../src/load/resume-run.ts';
import type { SendingEvents } from '../../src/load/sending.ts';
import type { ServiceClient, ServiceOptions } from '../../src/service/client.ts';
import { createServiceClient } from '../../src/service/create-client.ts';
import { silentEvents } from '../../src/service/events.ts';
import { fixedToken } from '../../src/service/tokens/credentials.ts';
import { type RecordingService, startRecordingService } from '../builders/recording-service.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

const inFolder = folderForEachTest();
let service: RecordingService;
let ledger: Ledger;

beforeEach(async () => {
  service = await startRecordingService();
  ledger = openLedger(inFolder('ledger.db'));
  const rows = ['Deal ID,Date,Amount', 'D1,2026-01-05,10', 'D2,2026-01-05,20', 'D3,2026-01-05,30'];
  writeFileSync(inFolder('june.csv'), rows.join('\n'));
});
afterEach(async () => {
  await ledger.close();
  await service.stop();
});

function optionsWith(given: object): ImportOptions {
  const url = new URL(service.url);
  const files = { file: inFolder('june.csv'), snapshotFolder: inFolder('sources') };
  const named = { service: url.origin, serviceUrl: url.href, kind: recordKind('transactions') };
  return { ...importDefaults, ...files, ...named, ...given };
}

function connectWith(given: object) {
  const url = new URL(service.url);
  const { contract } = importDefaults;
  const limits = { timeoutMs: 5000, concurrency: 4, rate: null, idempotencyKeys: false, retryBudget: 5 };
  const credentials = fixedToken('tok_4f3e2d1c0b9a', 'the test');
  const options = { url, credentials, contract, ...limits, events: silentEvents, ...given };
  return () => createServiceClient(options as ServiceOptions);
}

describe('an option that a script gives wrongly', () => {
  it.each([
    ['file', undefined, 'undefined'],
    ['file', new URL('file:///june.csv'), 'an object'],
    ['kind', 'transactions', 'a text'],
    ['kind', undefined, 'undefined'],
    ['batch', 0, '0'],
    ['batch', Number.NaN, 'NaN'],
    ['batch', 1.5, '1.5'],
    ['limit', -1, '-1'],
    ['limit', Number.NaN, 'NaN'],
    ['mask', true, 'true'],
    ['dateOrder', 'dym', 'a text'],
    ['contract', {}, 'an object'],
    ['service', undefined, 'undefined'],
    ['serviceUrl', '', 'a text'],
    ['snapshotFolder', undefined, 'undefined'],
    ['signal', undefined, 'undefined'],
    ['plan', undefined, 'undefined'],
    ['expectations', 'rows=1', 'a text'],
    ['allOrNothing', 'no', 'a text'],
    ['trustResults', 1, '1'],
  ])('is refused by a load, in words and before anything is sent: %s %s', async (name, value, shown) => {
    await expect(
      importFile(optionsWith({ [name]: value }), connectWith({}), ledger, silentImport),
    ).rejects.toMatchObject({
      code: 'usage',
      message: `The option ${name} is ${shown}.`,
      remedy: expect.stringMatching(/^Give .+\. Nothing was sent\.$/),
    });
    expect(service.requests).toHaveLength(0);
    expect(await ledger.runs()).toHaveLength(0);
  });

  it.each([
    ['timeoutMs', 0, '0'],
    ['timeoutMs', Number.NaN, 'NaN'],
    ['timeoutMs', undefined, 'undefined'],
    ['timeoutMs', Number.POSITIVE_INFINITY, 'Infinity'],
    ['concurrency', 0, '0'],
    ['concurrency', 1.5, '1.5'],
    ['concurrency', '8', 'a text'],
    ['rate', 0, '0'],
    ['rate', Number.NaN, 'NaN'],
    ['retryBudget', Number.NaN, 'NaN'],
    ['url', 'http://127.0.0.1:1', 'a text'],
    ['credentials', 'tok_4f3e2d1c0b9a', 'a text'],
    ['events', undefined, 'undefined'],
  ])('is refused by a client: %s %s', (name, value, shown) => {
    expect(connectWith({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'usage', message: `The option ${name} is ${shown}.` }),
    );
  });

  it('is refused by a check, and by a resume', async () => {
    const mask = 'everything' as never;
    const silent = { onProgress() {}, onProblemRow() {} };
    await expect(checkFile({ ...readingDefaults, file: inFolder('june.csv'), mask }, silent)).rejects.toMatchObject({
      code: 'usage',
    });
    await importFile(optionsWith({}), connectWith({}), ledger, silentImport);
    const [run] = await ledger.runs();
    if (run === undefined) throw new Error('The load has no run.');
    const signal = null as unknown as AbortSignal;
    await expect(
      resumeRun(run, { ...optionsWith({}), signal }, connectWith({}), ledger, silentImport),
    ).rejects.toMatchObject({ code: 'usage', message: 'The option signal is null.' });
  });

  it('may be the ledger', async () => {
    const missing = undefined as unknown as Ledger;
    await expect(importFile(optionsWith({}), connectWith({}), missing, silentImport)).rejects.toMatchObject({
      code: 'usage',
      message: 'The option ledger is undefined.',
      remedy: 'Give what openLedger gives. Nothing was sent.',
    });
  });

  it('may be what connect gives: a promise of a client, or the client of another load, which goes on as if alone', async () => {
    const connect = connectWith({});
    const promised = (async () => connect()) as unknown as typeof connect;
    await expect(importFile(optionsWith({}), promised, ledger, silentImport)).rejects.toMatchObject({
      code: 'usage',
      message: 'What connect gives is no client.',
    });
    const client = connect();
    const other = openLedger(inFolder('other.db'));
    try {
      const both = await Promise.allSettled(
        [ledger, other].map((into) => importFile(optionsWith({}), () => client, into, silentImport)),
      );
      const wrong = { code: 'usage', message: 'The client that connect gives is that of another load.' };
      expect(both.filter(({ status }) => status === 'fulfilled')).toMatchObject([
        { value: { counts: { accepted: 3 } } },
      ]);
      expect(both.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: wrong }]);
      await expect(importFile(optionsWith({ again: true }), () => client, ledger, silentImport)).rejects.toMatchObject(
        wrong,
      );
    } finally {
      other.close();
    }
  });

  it.each([
    ['service', 'https://service.example'],
    ['serviceUrl', 'https://service.example/'],
    ['serviceUrl', 'service.example'],
    ['service', 'with a slash'],
  ])(
    'may be another service than the client sends to, which the ledger would take for it: %s %s',
    async (name, value) => {
      const given = { [name]: value === 'with a slash' ? `${service.url}/` : value };
      await expect(importFile(optionsWith(given), connectWith({}), ledger, silentImport)).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/^The client that connect gives sends to http:\S+, and the options service and/),
      });
      expect(service.requests).toHaveLength(0);
      expect(await ledger.runs()).toHaveLength(0);
    },
  );

  it('may be a listener that is not there', async () => {
    const { onRow, ...events } = silentImport;
    await expect(importFile(optionsWith({}), connectWith({}), ledger, events as SendingEvents)).rejects.toMatchObject({
      code: 'usage',
      message: 'The option onRow is undefined.',
    });
  });
});

describe('an option of an export that a script gives wrongly', () => {
  const asked = () => ({
    output: inFolder('june.csv'),
    format: null,
    columns: [],
    lists: 'count' as const,
    mask: true,
    contract: importDefaults.contract,
    service: service.url,
    now: new Date(),
    signal: new AbortController().signal,
    standardOutput: process.stdout,
  });
  const balances = (given: object) => {
    const options = { ...asked(), query: [], groupBy: [], previous: null, key: null, ...given };
    return exportBalances(options, connectWith({})(), { onPage() {}, onWritten() {} });
  };
  const records = (given: object) => {
    const options = { ...asked(), wanted: 'deals' as const, ids: ['deal_1'], asTemplate: false, ...given };
    return exportRecords(options, connectWith({})(), { onRead() {} });
  };

  it.each([
    ['output', undefined, 'undefined'],
    ['mask', undefined, 'undefined'],
    ['columns', 'loanId', 'a text'],
    ['now', '2026-06-30', 'a text'],
    ['query', { status: 'open' }, 'an object'],
    ['contract', {}, 'an object'],
    ['signal', undefined, 'undefined'],
  ])(
    'is refused in words before anything is asked, for what is left out would show SSN: %s %s',
    async (name, value, shown) => {
      const wrong = { code: 'usage', message: `The option ${name} is ${shown}.` };
      await expect(balances({ [name]: value })).rejects.toMatchObject(wrong);
      if (name !== 'query') await expect(records({ [name]: value })).rejects.toMatchObject(wrong);
      expect(service.requests).toHaveLength(0);
    },
  );

  it('may be the ids, the client or a listener', async () => {
    await expect(records({ ids: undefined })).rejects.toMatchObject({ message: 'The option ids is undefined.' });
    const silent = { onPage() {}, onWritten() {} };
    const options = { ...asked(), query: [], groupBy: [], previous: null, key: null };
    const none = undefined as unknown as ServiceClient;
    await expect(exportBalances(options, none, silent)).rejects.toMatchObject({
      message: 'The option client is undefined.',
    });
    const listener = { onPage() {} } as unknown as ExportEvents;
    await expect(exportBalances(options, connectWith({})(), listener)).rejects.toMatchObject({
      message: 'The option onWritten is undefined.',
    });
  });
});

it('takes listeners that are the methods of an object of a class', async () => {
  class Listening implements SendingEvents {
    rows = 0;
    onProgress() {}
    confirm = async () => true;
    onHealth() {}
    onBegin() {}
    onRow() {
      this.rows += 1;
    }
    onReport() {}
  }
  const listening = new Listening();
  await importFile(optionsWith({}), connectWith({}), ledger, listening);
  expect(listening.rows).toBe(3);
});
