import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { aClient, aRecord, send, type Way, ways } from './builders.ts';
import { always, answerBytes, scriptedService } from './scripted-service.ts';

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
        const service = await scriptedService(always({ status, body }));
        const client = aClient(service.url);
        expect(await ways[way](client)).toBe('in-doubt');
        expect(service.requests).toHaveLength(1);
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
  async function outcomeAfter(longestMs: number, ...states: readonly object[]) {
    let asked = 0;
    const contract = contractSettingsSchema.parse({
      answers: { deals: { job: { ...job, everyMs: 10, longestMs }, id: ['dealId'] } },
    });
    const service = await scriptedService((socket, { method }) => {
      const body = method === 'POST' ? { jobId: 'J 1' } : states[Math.min(asked++, states.length - 1)];
      socket.write(answerBytes({ status: method === 'POST' ? 202 : 200, body }));
    });
    const client = aClient(service.url, { contract });
    const outcome = await send(client, recordKind('deals'), aRecord());
    return { outcome, paths: service.requests.map(({ path }) => path) };
  }

  it('is asked for until it is done, and its result is the answer', async () => {
    const states = [{ state: 'RUNNING' }, { state: 'DONE', result: { dealId: 'd7' } }];
    const { outcome, paths } = await outcomeAfter(3_600_000, ...states);
    expect(outcome).toMatchObject({ state: 'created', record: 'd7' });
    expect(paths).toEqual(['/v1/deal', '/v1/jobs/J%201', '/v1/jobs/J%201']);
  });

  it('refuses the row when it has failed', async () => {
    const { outcome } = await outcomeAfter(3_600_000, { state: 'FAILED', message: 'EIN is wrong' });
    expect(outcome).toMatchObject({ state: 'rejected', message: { params: { reason: 'EIN is wrong.' } } });
  });

  it.each([[{ state: 'RUNNING' }], [{ state: 'DONE', result: { other: 1 } }], [{}]])(
    'leaves a doubt when it says %j',
    async (last) => {
      expect(await outcomeAfter(60_000, last)).toMatchObject({ outcome: { state: 'in-doubt' } });
    },
  );
});

it.each([
  ['DONE', 'at once', ['in-doubt', 'in-doubt']],
  ['FAILED', 'at once', ['in-doubt', 'in-doubt']],
  ['DONE', 'one after the other', ['accepted', 'accepted']],
])(
  'P2: one job that two requests are given tells of neither while both ask for it: %s, %s',
  async (state, when, states) => {
    const job = { state: 'state', done: ['DONE'], failed: ['FAILED'], everyMs: 50_000, longestMs: 3_600_000 };
    const contract = contractSettingsSchema.parse({ answers: { notes: { yes: '2xx', job } } });
    const begun = { status: 202, headers: { location: '/status' } };
    const service = await scriptedService((socket, { method }) => {
      socket.write(answerBytes(method === 'POST' ? begun : { status: 200, body: { state } }));
    });
    const client = aClient(service.url, { contract });
    const first = ways.note(client);
    if (when !== 'at once') await first;
    expect(await Promise.all([first, ways.note(client)])).toEqual(states);
  },
);

describe('a job of another shape', () => {
  type Poll = { status?: number; body?: unknown; headers?: Record<string, string> };
  const begun = { status: 202, body: { task: 7 } };
  const at = (location: string) => ({ status: 202, headers: { location } });
  const made = { body: { deal: 5 } };
  const aside = { body: { deal: 4 }, headers: { 'x-job': '/j', 'x-far': 'http://127.0.0.1:1/j' } };
  const inDoubt = { state: 'in-doubt' };
  const isMade = { record: '5' };
  type Shape = [name: string, job: object, begin: Poll, polls: readonly Poll[], outcome: object, asked: string[]];
  const j = at('/j');
  const shapes: readonly Shape[] = [
    ['by id below the base', { id: ['task'], path: '/jobs?no={id}' }, begun, [made], isMade, ['/api/jobs?no=7']],
    ['by an address', { address: ['at.href'] }, { body: { at: { href: '/q?x=1' } } }, [made], isMade, ['/q?x=1']],
    ['by a relative Location', {}, at('jobs/7'), [made], isMade, ['/api/v1/jobs/7']],
    ['by a header', { header: 'x-job' }, { status: 202, headers: { 'x-job': '/j' } }, [made], isMade, ['/j']],
    ['by a header beside a 201', { header: 'x-job' }, { ...aside, status: 201 }, [made], isMade, ['/j']],
    ['by a header, without an end', { header: 'x-job', longestMs: 20_000 }, aside, [{ status: 202 }], inDoubt, ['/j']],
    ['by a header of another origin', { header: 'x-far' }, aside, [], inDoubt, []],
    ['by the Location of another origin', {}, at('http://127.0.0.1:1/jobs/7'), [], inDoubt, []],
    ['none: 201', { id: ['task'], path: '/jobs/{id}' }, { ...made, ...at('/x'), status: 201 }, [], isMade, []],
    ['by the Location of a 201', { status: [201, 202] }, { ...j, status: 201 }, [made], isMade, ['/j']],
    ['none: a 202, where another status is', { status: 201, id: ['task'] }, { ...made, status: 202 }, [], inDoubt, []],
    ['none: a declared status alone', { status: 202, id: ['deal'] }, { ...made, status: 200 }, [], isMade, []],
    ['empty until it ends', {}, j, [{ status: 202 }, { status: 204 }, made], isMade, ['/j', '/j', '/j']],
    [
      'that leads to its record',
      {},
      j,
      [{ ...at('/api/deals/31'), status: 303, body: '<html></html>' }],
      { record: '31' },
      ['/j'],
    ],
    [
      'that names an address',
      { state: 's', done: [3], result: 'made' },
      j,
      [{ body: { s: 1 } }, { body: { s: 3, made: { url: '../deals/9/' } } }],
      { record: '9' },
      ['/j', '/j'],
    ],
    [
      'with a Location',
      { state: 's', done: [true] },
      j,
      [{ ...at('/api/deals/8'), status: 200, body: { s: true } }],
      { record: '8' },
      ['/j'],
    ],
    [
      'failed, with a record',
      { state: 's', done: [1], failed: [2], result: 'r' },
      j,
      [{ body: { s: 2, r: { deal: 5 } } }],
      inDoubt,
      ['/j'],
    ],
    [
      'done, with a no',
      { state: 's', done: [1] },
      j,
      [{ body: { s: 1, error: 'EIN' } }],
      { state: 'rejected' },
      ['/j'],
    ],
    ...[404, 403].map((status): Shape => {
      const told = { state: 'in-doubt', httpStatus: status, message: { params: { reason: 'No such job.' } } };
      return [`that is answered ${status}`, {}, j, [{ status, body: { message: 'No such job' } }], told, ['/j']];
    }),
    [
      'whose state is not declared',
      { state: 's[]', done: ['DONE'], longestMs: 20_000 },
      j,
      [{ body: { s: ['done', { no: 2 }], deal: 5, message: 'Merged' } }],
      { state: 'in-doubt', message: { code: 'doubt-job', params: { jobState: 'done, {"no":2}', reason: 'Merged.' } } },
      ['/j'],
    ],
  ];

  it.each(shapes)('%s', async (_, job, begin, polls, outcome, asked) => {
    let polled = 0;
    const service = await scriptedService((socket, { method }) => {
      const answer = method === 'POST' ? begin : (polls[Math.min(polled++, polls.length - 1)] ?? {});
      socket.write(answerBytes({ status: 200, ...answer }));
    });
    const deals = {
      id: ['deal'],
      idInUrl: '/deals/{id}',
      yes: '2xx',
      job: { everyMs: 10_000, longestMs: 3_600_000, ...job },
    };
    const contract = contractSettingsSchema.parse({ answers: { deals } });
    const client = aClient(new URL('/api', service.url), { contract });
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject(outcome);
    const paths = service.requests.slice(1).map(({ path }) => path);
    expect(paths.slice(0, Math.max(1, asked.length))).toEqual(asked);
  });

  it('is asked for no sooner than it says', async () => {
    let polled = 0;
    const service = await scriptedService((socket, { method }) => {
      const more = { headers: { 'retry-after': '40', location: '/j' } };
      const answer = method === 'POST' || ++polled < 3 ? { status: 202, ...more } : { status: 200, body: { id: '1' } };
      socket.write(answerBytes(answer));
    });
    const contract = contractSettingsSchema.parse({
      answers: { deals: { job: { everyMs: 10, longestMs: 3_600_000 } } },
    });
    const client = aClient(service.url, { contract });
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state: 'created', record: '1' });
    const times = service.requests.map(({ at }) => at);
    // A second passes in a millisecond.
    expect(times.slice(1).every((at, place) => at - (times[place] ?? 0) >= 39)).toBe(true);
  });

  it.each([
    [{}, { state: 'in-doubt' }],
    [{ id: ['id'] }, { state: 'created', record: 'd7' }],
    [{ idInUrl: '/deals/{id}' }, { state: 'created', record: 'd9' }],
  ])('P2: has an id of its own, which is no id of the record where %j is declared', async (declared, outcome) => {
    const service = await scriptedService((socket, { method }) => {
      const body = { id: 'd7', status: 'Succeeded', url: '/deals/d9' };
      const begun = { status: 202, headers: { location: '/operations/d7' } };
      socket.write(answerBytes(method === 'POST' ? begun : { status: 200, body }));
    });
    const job = { state: 'status', done: ['Succeeded'], everyMs: 10, longestMs: 60_000 };
    const contract = contractSettingsSchema.parse({ answers: { deals: { job, yes: '2xx', ...declared } } });
    const client = aClient(service.url, { contract });
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject(outcome);
  });

  it.each([
    [{ deal: 5 }, 'created'],
    [{}, 'in-doubt'],
  ])('that is declared away: 202 %j is %s', async (body, state) => {
    const service = await scriptedService(always({ status: 202, body }));
    const contract = contractSettingsSchema.parse({ answers: { deals: { id: ['deal'], yes: '2xx', job: null } } });
    const client = aClient(service.url, { contract });
    expect(await send(client, recordKind('deals'), aRecord())).toMatchObject({ state });
  });
});
