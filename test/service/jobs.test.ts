import { afterEach, describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { aClient, aRecord, send, type Way, ways } from './builders.ts';
import { always, answerBytes, type ScriptedService, scriptedService } from './scripted-service.ts';

let service: ScriptedService | null = null;
afterEach(() => service?.close());

describe('a job that no profile declares', () => {
  const answers: readonly (readonly [status: number, body: unknown])[] = [
    [202, { success: true, id: 'x1' }],
    [202, { transactions: [{ id: 'x1' }, { id: 'x2' }] }],
    [202, ''],
    [200, { jobId: 'J-1' }],
    [200, { success: true, job_id: 'J-1' }],
    [200, { job: { id: 'J-1' } }],
    [200, { id: 'x1', jobId: 'J-1' }],
    [200, { data: { jobId: 'J-1' } }],
    [200, { status: 'queued' }],
  ];
  for (const [status, body] of answers)
    for (const way of ['create', 'bulk', 'upload', 'update', 'note'] satisfies Way[])
      it(`leaves a doubt after ${status} ${JSON.stringify(body)}: ${way}`, async () => {
        service = await scriptedService(always({ status, body }));
        const client = aClient(service.url);
        expect(await ways[way](client)).toBe('in-doubt');
        expect(service.requests).toHaveLength(1);
        await client.close();
      });
});

describe('a job that the profile declares', () => {
  const job = {
    id: ['jobId'],
    path: '/v1/jobs/{id}',
    state: 'state',
    done: ['DONE'],
    failed: ['FAILED'],
    result: 'result',
  };
  const contract = contractSettingsSchema.parse({
    answers: { deals: { job: { ...job, everyMs: 10, longestMs: 60_000 }, id: ['dealId'] } },
  });

  async function outcomeAfter(...states: readonly object[]) {
    let asked = 0;
    service = await scriptedService((socket, { method }) => {
      const body = method === 'POST' ? { jobId: 'J 1' } : states[Math.min(asked++, states.length - 1)];
      socket.write(answerBytes({ status: method === 'POST' ? 202 : 200, body }));
    });
    const client = aClient(service.url, { contract });
    const outcome = await send(client, recordKind('deals'), aRecord());
    await client.close();
    return outcome;
  }

  it('is asked for until it is done, and its result is the answer', async () => {
    const outcome = await outcomeAfter({ state: 'RUNNING' }, { state: 'DONE', result: { dealId: 'd7' } });
    expect(outcome).toMatchObject({ state: 'created', id: 'd7' });
    expect(service?.requests.map(({ path }) => path)).toEqual(['/v1/deal', '/v1/jobs/J%201', '/v1/jobs/J%201']);
  });

  it('refuses the row when it has failed', async () => {
    const outcome = await outcomeAfter({ state: 'FAILED', message: 'EIN is wrong' });
    expect(outcome).toMatchObject({ state: 'rejected', message: { params: { reason: 'EIN is wrong.' } } });
  });

  it.each([[{ state: 'RUNNING' }], [{ state: 'DONE', result: { other: 1 } }], [{}]])(
    'leaves a doubt when it says %j',
    async (last) => {
      expect(await outcomeAfter(last)).toMatchObject({ state: 'in-doubt' });
    },
  );
});
