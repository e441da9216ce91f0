import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { RowMeaning } from '../../src/service/classify.ts';
import { type KnownIds, knownIds } from '../../src/service/row-outcomes.ts';
import { aClient, aRecord, send, testToken } from './builders.ts';
import { always, answerBytes, type ScriptedService, scriptedService } from './scripted-service.ts';

let service: ScriptedService;
let id: string;
beforeEach(async () => {
  id = '17';
  service = await scriptedService((socket) => {
    socket.write(answerBytes({ status: 201, body: { success: true, id } }));
  });
});

describe('an id that is that of the record that a row belongs to', () => {
  it('is that of the deal too: a service may count companies and deals by themselves', async () => {
    const client = aClient(service.url);
    const deal = aRecord({ body: { company: { id: '17' }, amountRequested: 100 } });
    expect(await send(client, recordKind('deals'), deal)).toMatchObject({ state: 'created', record: '17' });
  });

  it('is no id of a note, which gets none', async () => {
    const client = aClient(service.url);
    const note = aRecord({ body: { dealId: '17', note: 'Called.' } });
    expect(await send(client, recordKind('notes'), note)).toMatchObject({ state: 'accepted', record: null });
  });
});

describe('P16: an id that a row of another kind got', () => {
  const company = aRecord({ body: { name: 'Harbor' } });

  it('is not that of a deal, too: its answer is that of the company', async () => {
    id = 'cmp_17';
    const client = aClient(service.url);
    expect(await send(client, recordKind('companies'), company)).toMatchObject({ state: 'created', record: id });
    const deal = await send(client, recordKind('deals'), aRecord());
    expect(deal).toMatchObject({
      state: 'in-doubt',
      message: { code: 'doubt-other-id', params: { id: 'cmp_17', reason: null } },
    });
  });

  it('may be that of a deal, too, where it is a number', async () => {
    const client = aClient(service.url);
    await send(client, recordKind('companies'), company);
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'created', record: '17' });
  });
});

describe('P16: an id that two rows of a run get', () => {
  let left: number;
  const ids = (): KnownIds => {
    left = 0;
    return knownIds(() => {
      left += 1;
    });
  };
  const settled = (known: KnownIds, ...given: readonly string[]) => {
    const verdicts = given.map(
      (each): RowMeaning =>
        each === 'no' ? { is: each, at: null } : { is: 'yes', id: each, companyId: null, url: null },
    );
    const rows = given.map(() => aRecord());
    return known({ kind: recordKind('deals'), rows }, verdicts).map(({ is }) => is);
  };

  it('leaves both in doubt where one answer gives it, and its connection is used no more', () => {
    expect(settled(ids(), 'd1', 'd2', 'd1')).toEqual(['doubt', 'yes', 'doubt']);
    expect(left).toBe(1);
  });

  it('leaves a no of the same batch in doubt, where no row has an id of its own: it may be that of another batch', () => {
    const checks = ids();
    expect(settled(checks, 'd1', 'no', 'd2')).toEqual(['yes', 'no', 'yes']);
    expect(settled(checks, 'd1', 'no', 'd3')).toEqual(['doubt', 'no', 'yes']);
    expect(settled(checks, 'd1', 'no', 'd2')).toEqual(['doubt', 'doubt', 'doubt']);
  });

  it('leaves the second in doubt among the last ten thousand; the ledger knows those before', () => {
    const checks = ids();
    for (let row = 0; row < 10_000; row += 1) settled(checks, `d${row}`);
    expect(settled(checks, 'd0')).toEqual(['doubt']);
    for (let row = 0; row <= 10_000; row += 1) settled(checks, `new${row}`);
    expect(settled(checks, 'd0')).toEqual(['yes']);
  });
});

describe('an answer to an update', () => {
  const update = (pathId: string) => aRecord({ body: { name: 'Harbor' }, pathId });

  it('with the id of the company of another row is the answer to that one', async () => {
    id = 'cmp_1';
    const client = aClient(service.url);
    expect(await send(client, recordKind('company-updates'), update('cmp_1'))).toMatchObject({ state: 'updated' });
    expect(await send(client, recordKind('company-updates'), update('cmp_2'))).toMatchObject({
      state: 'in-doubt',
      message: { code: 'doubt-other-id', params: { id: 'cmp_1', reason: null } },
    });
  });

  it('with an id of something else says yes: the interface does not show what it has', async () => {
    id = 'change_8';
    const client = aClient(service.url);
    for (const pathId of ['cmp_1', 'cmp_2'])
      expect(await send(client, recordKind('company-updates'), update(pathId))).toMatchObject({ state: 'updated' });
  });
});

describe('the address and the id that a service gives for a record', () => {
  const row = aRecord({
    secrets: () => [
      { value: '50000', label: 'Amount requested' },
      { value: '219-09-9432', label: 'Owner 1 SSN', isSensitive: true },
      { value: '1983-11-27', label: 'Owner 1 date of birth', isSensitive: true },
    ],
  });
  const given = async (answer: object, kind: RecordKindName = 'deals') => {
    const answering = await scriptedService(always({ body: { success: true, id: 'deal_1', ...answer } }));
    return send(aClient(answering.url), recordKind(kind), row);
  };

  it.each([testToken, testToken.toUpperCase(), '219099432', '219%2D09%2D9432', '27.11.1983'])(
    'are kept without an address that holds %s',
    async (told) => {
      const url = `https://app.example.com/deal?q=${told}`;
      expect(await given({ url })).toMatchObject({ state: 'created', record: 'deal_1', url: null });
    },
  );

  it.each([
    ['https://app.example.com/50000/2026-06-30/7f3c21909a4', 'https://app.example.com/50000/2026-06-30/7f3c21909a4'],
    ['javascript:alert(1)', null],
    ['https://bank.example@evil.example/', null],
  ])('are kept with the address %s as %s', async (url, kept) => {
    expect(await given({ url })).toMatchObject({ state: 'created', url: kept });
  });

  it.each(['/deals/1', '../deals/1'])('are kept with a relative address made absolute: %s', async (url) => {
    const outcome = await given({ url });
    expect(outcome.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/deals\/1$/);
  });

  it.each([testToken, '219-09-9432'])('are no id where that is %s, which is in no outcome', async (told) => {
    const outcome = await given({ id: told });
    expect(outcome).toMatchObject({ state: 'in-doubt', message: { code: 'doubt-unusable-id' } });
    expect(JSON.stringify(outcome)).not.toContain(told);
    expect(await given({ company: { id: told } })).toMatchObject({ state: 'created', company: null });
  });
});
