import { writeFileSync } from 'node:fs';
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
import { answerBytes, type ScriptedService, scriptedService } from '../service/scripted-service.ts';

const inFolder = folderForEachTest();
let service: ScriptedService;
let ledger: Ledger;
let mayAnswer: Promise<void>;
let answer: () => void;
let isClear: boolean;

/** The service answers once the second load has decided its rows, so that the first is under way by then. */
beforeEach(async () => {
  isClear = true;
  mayAnswer = new Promise((resolve) => {
    answer = resolve;
  });
  service = await scriptedService(async (socket, { path, number }) => {
    if (!path.endsWith('/health')) await mayAnswer;
    socket.write(answerBytes({ status: 200, body: isClear ? { success: true, id: `cmp_${number}` } : {} }));
  });
  ledger = openLedger(inFolder('ledger.db'));
});
afterEach(() => ledger.close());

async function load(name: string, rows: readonly string[], events: Partial<typeof silentImport>) {
  const file = inFolder(name);
  writeFileSync(file, ['Company name,Contact types,EIN', ...rows].join('\n'));
  const url = service.url;
  const named = { service: url.origin, serviceUrl: url.href, kind: recordKind('companies') };
  return importFile(
    {
      ...importDefaults,
      file,
      sourcesFolder: inFolder('sources'),
      ...named,
      resultsPath: inFolder(`${name}.out.csv`),
    },
    () => aClient(url, { contract: importDefaults.contract, timeoutMs: 5000 }, systemClock),
    ledger,
    { ...silentImport, ...events },
  );
}

const ofAnn = ['Acme,Merchant,12-3456789'];
const ofBob = ['Acme Bakery,Merchant,12-3456789'];

it('decides its rows again after a question, with what a load under way has sent meanwhile', async () => {
  let second: ReturnType<typeof load> | undefined;
  const ann: ReturnType<typeof load> = load('ann.csv', ofAnn, {
    onBegin: () => {
      second = load('bob.csv', ofBob, {
        confirm: async () => {
          answer();
          await ann;
          return true;
        },
      });
    },
  });
  expect((await ann)?.counts).toMatchObject({ created: 1 });
  expect((await second)?.counts).toMatchObject({ created: 0, notSent: 1 });
});

it('decides its rows again after a question during which another load came and went', async () => {
  answer();
  const confirm = async () => (await load('ann.csv', ofAnn, {})) !== null;
  expect((await load('bob.csv', ofBob, { confirm }))?.counts).toMatchObject({ created: 0, notSent: 1 });
});

it('decides its rows again after a question during which a doubt was settled', async () => {
  answer();
  isClear = false;
  const doubt = await load('ann.csv', ofAnn, {});
  isClear = true;
  const [entry] = await ledger.entries(doubt?.run ?? '', 'ann', 0, 1);
  const confirm = async () => {
    const said = { id: entry?.id ?? 0, attempt: 1, isCreated: false, record: null, person: 'ann' };
    await ledger.resolve([said]);
    return true;
  };
  expect(doubt?.counts).toMatchObject({ inDoubt: 1 });
  expect((await load('bob.csv', ofBob, { confirm }))?.counts).toMatchObject({ created: 1 });
});
