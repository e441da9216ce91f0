import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { silentImport } from '../../src/load/defaults.ts';
import { importFile } from '../../src/load/import-file.ts';
import { systemClock } from '../../src/service/retry.ts';
import { importDefaults } from '../builders/default-options.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { aClient } from '../service/builders.ts';

const inFolder = folderForEachTest();
let ledger: Ledger;
let server: Server;

beforeEach(() => {
  ledger = openLedger(inFolder('ledger.db'));
  writeFileSync(inFolder('june.csv'), 'Amount requested,Company name,Owner last name\n100,Harbor,Moreno\n');
});
afterEach(async () => {
  await ledger.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('ends at once when it is stopped while a service does not say whether it is there', async () => {
  const stopping = new AbortController();
  const asked: string[] = [];
  // Asked for the health of the service, it is stopped, and nothing is ever answered.
  server = createServer((request) => {
    asked.push(request.url ?? '');
    stopping.abort();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const tenMinutes = 600_000;
  const { contract } = importDefaults;
  const files = { file: inFolder('june.csv'), sourcesFolder: inFolder('sources') };
  const named = { service: url.origin, serviceUrl: url.href, kind: recordKind('deals') };
  const loaded = await importFile(
    { ...importDefaults, ...files, ...named, signal: stopping.signal },
    () => aClient(url, { contract, timeoutMs: tenMinutes }, systemClock),
    ledger,
    silentImport,
  );
  expect(loaded).toMatchObject({ interrupted: true, stopReason: null, counts: { rows: 1, notSent: 1 } });
  expect(asked).toEqual(['/v1/health']);
  expect((await ledger.runs()).map(({ state }) => state)).toEqual(['stopped']);
});
