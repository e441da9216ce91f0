/** A job that is begun, or a trial, is no record yet. */
import { afterEach, describe, expect, it } from 'vitest';
import { aClient, type Way, ways } from '../builders.ts';
import { answerBytes, type ScriptedService, scriptedService } from '../scripted-service.ts';

let service: ScriptedService | null = null;
afterEach(() => service?.close());

const answers: readonly (readonly [status: number, body: unknown])[] = [
  [202, { success: true, id: 'x1' }],
  [202, { transactions: [{ id: 'x1' }] }],
  [202, ''],
  [200, { jobId: 'J-1' }],
  [200, { success: true, job_id: 'J-1' }],
  [200, { job: { id: 'J-1' } }],
  [200, { id: 'x1', jobId: 'J-1' }],
  [200, { task: { id: 'J-1', state: 'running' } }],
  [200, { data: { jobId: 'J-1' } }],
  [200, { status: 'queued' }],
  [200, { id: 'J-1', status: 'QUEUED' }],
  [200, { success: true, id: 'J-1', state: 'enqueued' }],
  [200, { success: true, dryRun: true }],
  [200, { success: true, committed: false }],
];

describe('a job is no record', () => {
  for (const [status, body] of answers)
    for (const way of ['create', 'bulk', 'upload', 'update', 'note'] satisfies Way[])
      it(`${status} ${JSON.stringify(body)} leaves a doubt: ${way}`, async () => {
        service = await scriptedService((socket) => void socket.write(answerBytes({ status, body, headers: {} })));
        const client = aClient(service.url);
        expect(await ways[way](client)).toBe('in-doubt');
        expect(service.requests).toHaveLength(1);
        await client.close();
      });

  it('leaves a doubt about two rows where one is posted', async () => {
    const body = { success: true, posted: 1 };
    service = await scriptedService((socket) => void socket.write(answerBytes({ status: 200, body, headers: {} })));
    const client = aClient(service.url);
    expect(await ways.bulk(client)).toBe('in-doubt');
    await client.close();
  });
});
