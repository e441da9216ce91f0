/** Rules that are read off one answer: they make it clear, and nothing is proposed where nothing would. */
import { describe, expect, it } from 'vitest';
import { assumedContract, contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import type { AnswerBody } from '../../src/service/answer.ts';
import { proposedAnswers, proposedLine } from '../../src/service/exchange.ts';
import { anAnswer, aRecord } from './builders.ts';

describe('what is proposed for one record', () => {
  it.each<[kind: 'deals' | 'notes' | 'companies', body: unknown, proposed: object | null]>([
    ['deals', { data: { deal: { deal_id: 7 } } }, { id: ['data.deal.deal_id'] }],
    ['deals', { request_id: 'r-1', deal: { id: 'D7' } }, { id: ['deal.id'] }],
    ['deals', { requestId: 'r-1', data: { id: 'D7', owner: { id: 'P1' } } }, { id: ['data.id'] }],
    [
      'deals',
      { data: { merchant: { id: 4 }, company: { id: 9 }, id: 'D7' } },
      { id: ['data.id'], companyId: ['data.company.id'] },
    ],
    ['deals', { company: { id: 9 } }, null],
    ['deals', { loan: { id: 'L1' }, application: { id: 'A1' } }, null],
    [
      'deals',
      { ok: true, dealId: 7, company: { id: 9 }, link: '/app/deals/7', errorMessage: null },
      {
        ...{ id: ['dealId'], companyId: ['company.id'], url: ['link'], yes: { ok: true } },
        ...{ no: ['errorMessage'], reason: ['errorMessage'] },
      },
    ],
    ['deals', { d: { 'x.deal': { id: 'D7' } } }, { id: ['d.x\\.deal.id'] }],
    ['deals', [{ uuid: 'a-7' }], { id: ['[0].uuid'] }],
    ['deals', { data: { deal: { id: 'D7' } }, meta: { trace: 'abc' } }, { id: ['data.deal.id'] }],
    ['deals', { data: { id: 'D7', archived: false } }, { id: ['data.id'] }],
    ['deals', { data: { id: 'D7' }, ok: false }, null],
    ['deals', { message: 'Thank you' }, null],
    ['deals', { request_id: 'r-1', trace_id: 't-1' }, null],
    ['deals', { sid: 'DE7', status: 'queued' }, null],
    ['deals', { success: true, id: 'D7' }, null],
    ['deals', { success: 'true', id: 'D7' }, { id: ['id'], yes: { success: 'true' } }],
    ['deals', { success: 'false', id: 'D7' }, null],
    ['notes', { saved: true, dealId: 'deal_1' }, { id: [], yes: { saved: true } }],
    ['notes', { result: { state: 'SAVED' } }, { id: [], yes: { 'result.state': 'SAVED' } }],
    ['notes', {}, null],
    ['notes', { '': true, result: 'queued' }, null],
    ['notes', { [`a${'b'.repeat(600)}`]: true }, null],
    [
      'notes',
      { success: true, note: { id: 'n-77' }, queue: { state: 'pending review' } },
      { id: ['note.id'], yes: { success: true } },
    ],
    ['notes', { request_id: 'r-1', message: 'Not valid' }, null],
    ['notes', { ok: false, problem: { text: 'No such status' } }, { id: [], yes: { ok: true } }],
    ['notes', { errorMessage: 'No such status' }, null],
    ['notes', { note: { id: [], status: 'approved', renewal: true } }, null],
    ['notes', { trackId: 'r_7', state: 'queued' }, { id: [], yes: { state: 'queued' } }],
  ])('%s answered with %j', (kind, body, proposed) => {
    const sent = aRecord({ body: { dealId: 'deal_1', status: 'approved', track: 'r_7', renewal: true } });
    expect(proposedAnswers(recordKind(kind), sent, anAnswer(body), assumedContract)).toEqual(proposed);
  });

  it('is nothing that the profile sends beside the record', () => {
    const requests = { leads: { envelope: 'params', beside: { id: 77 } } };
    const contract = contractSettingsSchema.parse({ requests });
    expect(proposedAnswers(recordKind('leads'), aRecord(), anAnswer({ id: 77, result: 41 }), contract)).toBeNull();
  });

  it('is beside what is declared already, wherever that puts the record', () => {
    const contract = contractSettingsSchema.parse({
      answers: { '*': { record: ['data'] }, deals: { reason: ['why'] } },
    });
    expect(proposedAnswers(recordKind('deals'), aRecord(), anAnswer({ result: { id: 'D7' } }), contract)).toEqual({
      reason: ['why'],
      record: ['.'],
      id: ['result.id'],
    });
  });

  it('is the id of an update where the answer repeats it', () => {
    const proposed = (body: unknown) =>
      proposedAnswers(recordKind('company-updates'), aRecord({ pathId: 'c1' }), anAnswer(body), assumedContract);
    expect(proposed({ company: { uid: 'c1' } })).toEqual({ id: ['company.uid'] });
    expect(proposed({ state: 'ok', id2: 'x' })).toEqual({ id: [], yes: { state: 'ok' } });
  });
});

it('is the status alone where the body is empty, and a kind documents no id', () => {
  const proposed = (kind: RecordKindName, body: AnswerBody) =>
    proposedAnswers(recordKind(kind), aRecord(), { status: 204, body }, assumedContract);
  const yes = { id: [], yes: '2xx' };
  expect([proposed('notes', { kind: 'empty' }), proposed('transactions', { kind: 'empty' })]).toEqual([yes, yes]);
  expect([proposed('deals', { kind: 'empty' }), proposed('notes', { kind: 'text', text: 'OK' })]).toEqual([null, null]);
});

it.each<[kind: RecordKindName, headers: Record<string, string>, proposed: object | null]>([
  ['deals', { 'odata-entityid': 'https://x/v9/deals(a-7)' }, { header: 'odata-entityid', idInUrl: '/deals({id})' }],
  ['leads', { server: 'x', location: '/v1/lead/31/' }, { idInUrl: '/lead/{id}' }],
  ['leads', { location: 'https://x/31' }, { id: [] }],
  ['company-updates', { location: '/v1/company/31' }, { id: [] }],
])('is the address of %s in the headers %j of an empty body', (kind, headers, proposed) => {
  const answer = { status: 204, body: { kind: 'empty' }, headers } as const;
  const pathId = kind === 'company-updates' ? '31' : null;
  const declared = { record: ['data'] };
  const contract = contractSettingsSchema.parse({ answers: { [kind]: declared } });
  const found = proposedAnswers(recordKind(kind), aRecord({ pathId }), answer, contract);
  expect(found).toMatchObject({ ...declared, ...proposed, yes: '2xx' });
});

it('is nothing for a batch: which row is whose is not seen in one answer', () => {
  const answer = anAnswer({ data: [{ id: 'a1' }] });
  expect(proposedAnswers(recordKind('transactions'), aRecord(), answer, assumedContract)).toBeNull();
});

it.each<['deals' | 'notes' | 'transactions', requests: object, lists: number]>([
  ['deals', {}, 0],
  ['notes', {}, 0],
  ['transactions', {}, 1],
  ['transactions', { transactions: { alone: true } }, 0],
])('has places to fill in for %s with %j where nothing is found', (kind, requests, lists) => {
  for (const status of [200, 202]) {
    const line = proposedLine(recordKind(kind), null, status, contractSettingsSchema.parse({ requests }));
    const contract = { requests, ...JSON.parse(`{ ${line} }`).contract };
    const { id, items, job } = contractSettingsSchema.parse(contract).answers[kind] ?? {};
    expect([id?.length, items?.at.length ?? 0]).toEqual([1, status === 200 ? lists : 0]);
    expect(job?.state).toBe(status === 202 ? 'path.to.its.state' : undefined);
  }
});
