/** A record kind that the sandbox has never heard of: described in the contract, it is served without a line of its own. */
import { afterAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { RecordKind, RecordKindName } from '../../src/contract/record-kind.ts';
import { aDeal } from './bodies.ts';
import { get, made, post, rulesOf } from './requests.ts';
import { useSandbox } from './running.ts';

vi.hoisted(() => vi.resetModules());
afterAll(() => void vi.resetModules());

vi.mock('../../src/contract/record-kind.ts', async (original) => {
  const recordKind = await original<typeof import('../../src/contract/record-kind.ts')>();
  const addTask = { method: 'POST', path: '/v1/task', purpose: 'Add a task', section: '4' };
  const getTask = { method: 'GET', path: '/v1/task/{taskId}', purpose: 'Get a task', section: '4' };
  return { ...recordKind, endpoints: { ...recordKind.endpoints, addTask, getTask } };
});

vi.mock('../../src/contract/record-kinds.ts', async (original) => {
  const { recordKinds, recordKind } = await original<typeof import('../../src/contract/record-kinds.ts')>();
  const { assumed } = await import('../../src/contract/field-facts.ts');
  const tasks = {
    ...recordKind('notes'),
    ...{ name: 'tasks', sheet: 'Tasks', singular: 'task', endpoint: 'addTask', readBy: 'getTask' },
    body: z.object({
      dealId: assumed('text', 'Deal id', 'deal_000001'),
      what: assumed('text', 'What to do', 'Call the owner', { schema: z.string().max(20) }),
    }),
    row: z.object({}),
  } as unknown as RecordKind;
  return {
    recordKinds: [...recordKinds, tasks],
    recordKind: (name: RecordKindName) => (name === tasks.name ? tasks : recordKind(name)),
  };
});

const sandbox = useSandbox();

it('a new kind of the contract is checked, kept, answered, listed and described', async () => {
  const dealId = await made(sandbox(), '/v1/deal', aDeal());
  const id = await made(sandbox(), '/v1/task', { dealId, what: 'Call Ada' });
  expect(id).toBe('task_000001');
  expect(rulesOf(await post(sandbox(), '/v1/task', { dealId, what: 'x'.repeat(21) }))).toEqual(['what maximum']);
  expect(rulesOf(await post(sandbox(), '/v1/task', { dealId: 'x', what: 'y' }))).toEqual(['dealId unknown-id']);
  const { body } = await get(sandbox(), `/v1/task/${id}`);
  expect(body).toMatchObject({ id, dealId, what: 'Call Ada', url: `${sandbox().url}/tasks/${id}` });
  for (const path of [`/tasks/${id}`, '/tasks?q=ada', `/deals/${dealId}`]) {
    expect((await get(sandbox(), path)).text).toContain('Call Ada');
  }
  const document = (await get(sandbox(), '/openapi.json')).body;
  expect(document).toHaveProperty(['components', 'schemas', 'Task', 'required'], ['dealId', 'what']);
  expect(document).toHaveProperty(['paths', '/v1/task', 'post']);
});
