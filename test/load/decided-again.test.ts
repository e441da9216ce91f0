import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { silentImport } from '../../src/load/defaults.ts';
import { importFile, planImport } from '../../src/load/import-file.ts';
import type { LoadPlan } from '../../src/plan/written-plan.ts';
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

function optionsFor(name: string, rows: readonly string[]) {
  const file = inFolder(name);
  writeFileSync(file, ['Company name,Contact types,EIN,DBA', ...rows].join('\n'));
  const { origin, href } = service.url;
  const named = { service: origin, serviceUrl: href, kind: recordKind('companies') };
  return {
    ...importDefaults,
    file,
    sourcesFolder: inFolder('sources'),
    ...named,
    resultsPath: inFolder(`${name}.csv`),
  };
}

async function load(
  name: string,
  rows: readonly string[],
  events: Partial<typeof silentImport>,
  plan: LoadPlan | null = null,
) {
  return importFile(
    { ...optionsFor(name, rows), plan },
    () => aClient(service.url, { contract: importDefaults.contract, timeoutMs: 5000 }, systemClock),
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

it('P2: sends nothing once a run is forgotten whose rows the question counted as loaded', async () => {
  answer();
  const forget = () => ledger.prune('2999-01-01').then(() => true);
  await load('ann.csv', ofAnn, {});
  await expect(load('ann.csv', ofAnn, { confirm: forget })).rejects.toMatchObject({ reason: 'runs-forgotten' });
  // A resume would decide by what is left.
  expect((await ledger.runs()).map(({ state }) => state)).toEqual(['ended']);
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('asks for a few digests of each row, though it may correct each of many others', async () => {
  answer();
  const [count, few] = [60, 20];
  const named = (name: string) => Array.from({ length: count }, (_, at) => `Acme,Merchant,,${name} ${at}`);
  for (const name of ['Bell', 'Coral']) await load('ann.csv', named(name), {});
  let digests = 0;
  const digest = (text: string) => {
    digests += 1;
    return ledger.digest(text);
  };
  const checks = { 'possible-correction': 'warning' } as const;
  const { plan } = await planImport(
    { ...optionsFor('ann.csv', named('Coral')), checks },
    { ...ledger, digest },
    silentImport,
  );
  expect(plan.sheets).toMatchObject([{ toSend: count }]);
  expect(digests).toBeLessThan(few * count);
});

describe('a doubt that is settled during the question', () => {
  const settledMeanwhile = async () => {
    answer();
    isClear = false;
    const doubt = await load('ann.csv', ofAnn, {});
    expect(doubt?.counts).toMatchObject({ inDoubt: 1 });
    isClear = true;
    const [entry] = await ledger.entries(doubt?.run ?? '', 'ann', 0, 1);
    return async () => {
      const said = { id: entry?.id ?? 0, attempt: 1, isCreated: false, record: null, person: 'ann' };
      await ledger.resolve([said]);
      return true;
    };
  };

  it('lets the rows be decided again', async () => {
    const confirm = await settledMeanwhile();
    expect((await load('bob.csv', ofBob, { confirm }))?.counts).toMatchObject({ created: 1 });
  });

  it('P30: ends a plan, by which this row was not to be sent', async () => {
    const confirm = await settledMeanwhile();
    const { plan } = await planImport(optionsFor('bob.csv', ofBob), ledger, silentImport);
    expect(plan.sheets).toMatchObject([{ toSend: 0 }]);
    await expect(load('bob.csv', ofBob, { confirm }, plan)).rejects.toThrow('bob: other rows would be sent');
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(await ledger.runs()).toHaveLength(1);
  });
});
