import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { silentImport } from '../../src/load/defaults.ts';
import { importFile } from '../../src/load/import-file.ts';
import { systemClock } from '../../src/service/retry.ts';
import { importDefaults } from '../builders/default-options.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';
import { aClient } from '../service/builders.ts';

const inFolder = folderForEachTest();
const service = serviceForEachTest();
let ledger: Ledger;

beforeEach(() => {
  ledger = openLedger(inFolder('ledger.db'));
});
afterEach(() => ledger.close());

/** The same ledger, but for its answers on what is in: as if an equal row went in after it was asked. */
function withoutForesight(whole: Ledger): Ledger {
  return new Proxy(whole, {
    get(target, name) {
      if (name === 'lookup') return async () => new Map();
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

async function load(name: string, companies: readonly string[], known: Ledger) {
  const file = inFolder(name);
  writeFileSync(file, ['Amount requested,Company name,Owner last name', ...companies].join('\n'));
  const url = new URL(service.url);
  const { contract } = importDefaults;
  const results = inFolder(`${name}.results.csv`);
  const named = { service: url.origin, serviceUrl: url.href, kind: recordKind('deals'), resultsPath: results };
  const loaded = await importFile(
    { ...importDefaults, file, sourcesFolder: inFolder('sources'), ...named },
    () => aClient(url, { contract, timeoutMs: 5000 }, systemClock),
    known,
    silentImport,
  );
  return { counts: loaded?.counts, results: readFileSync(results, 'utf8') };
}

it('leaves a row whose equal went in unseen, and sends the others', async () => {
  await load('june.csv', ['100,Harbor,Moreno'], ledger);
  const second = await load(
    'july.csv',
    ['200,Lantern,Okafor', '100,Harbor,Moreno', '300,Cedar,Lindqvist'],
    withoutForesight(ledger),
  );
  expect(second.counts).toMatchObject({ created: 2, notSent: 1 });
  expect(second.results).toMatch(/^Not sent,[^"]*"?Another load sent this row, or one with the same values/m);
  const sent = service.requests.map(
    ({ body }) => (JSON.parse(String(body)) as { company: { name: string } }).company.name,
  );
  expect(sent.toSorted()).toEqual(['Cedar', 'Harbor', 'Lantern']);
});
