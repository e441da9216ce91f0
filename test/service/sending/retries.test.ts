import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import type { ServiceEvents } from '../../../src/service/client.ts';
import {
  backoffMs,
  type Clock,
  limitSaidBy,
  mostAttempts,
  retryAfterMs,
  systemClock,
} from '../../../src/service/retry.ts';
import { until } from '../../builders/until.ts';
import { aClient, aClientOf, aRecord, hurriedClock, send, sendAll, ways } from '../builders.ts';
import {
  always,
  answerBytes,
  created,
  hangUp,
  inTurn,
  reset,
  type ScriptedService,
  scriptedService,
  silence,
} from '../scripted-service.ts';

const deals = recordKind('deals');

/** Resolves when the service has been sent a request. */
const askedOf = ({ requests }: ScriptedService) => until(() => requests.length > 0);

/** The clock of the system, and how many waits have begun on it: a client that waits has read what it was answered. */
function countedClock(): { readonly clock: Clock; readonly waits: () => number } {
  let waits = 0;
  const after: Clock['after'] = (milliseconds, action) => {
    waits += 1;
    return systemClock.after(milliseconds, action);
  };
  return { clock: { ...systemClock, after }, waits: () => waits };
}

describe('the wait before another try', () => {
  it('is anything up to a bound that doubles from half a second to half a minute', () => {
    const bounds = Array.from({ length: 8 }, (_, failures) => backoffMs(failures + 1, 1));
    expect(bounds).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
    expect(backoffMs(1, 0)).toBe(0);
    expect(mostAttempts).toBe(5);
  });

  it('that Retry-After names is in seconds, or until a date by the clock of the answer', () => {
    const aYearOff = Date.UTC(2027, 5, 30);
    expect(retryAfterMs({ 'retry-after': '120' }, 0)).toBe(120_000);
    expect(retryAfterMs({ 'retry-after': ' 0 ' }, 0)).toBe(0);
    const headers = { 'retry-after': 'Tue, 30 Jun 2026 12:02:00 GMT', date: 'Tue, 30 Jun 2026 12:00:00 GMT' };
    expect(retryAfterMs(headers, aYearOff)).toBe(120_000);
    expect(retryAfterMs({ 'retry-after': headers['retry-after'] }, Date.UTC(2026, 5, 30, 12, 1))).toBe(60_000);
    expect(retryAfterMs({ ...headers, 'retry-after': 'Tue, 30 Jun 2026 11:00:00 GMT' }, 0)).toBe(0);
    for (const text of ['30s', '30 seconds', '10, 30', '30,10'])
      expect(retryAfterMs({ 'retry-after': text }, 0), text).toBe(30_000);
    expect(retryAfterMs({ 'retry-after': '2026-06-30T12:02:00Z', date: headers.date }, aYearOff)).toBe(120_000);
    for (const text of ['', 'soon', '-5']) expect(retryAfterMs({ 'retry-after': text }, 0)).toBeNull();
  });
});

describe('what an answer says of its limit', () => {
  const now = Date.UTC(2026, 5, 30, 12);
  const seconds = now / 1000;
  const cases: readonly (readonly [IncomingHttpHeaders, number | null, number | null])[] = [
    [{}, null, null],
    [{ 'x-ratelimit-reset': '60' }, null, 60_000],
    [{ 'x-ratelimit-reset': String(seconds + 60) }, null, 60_000],
    [{ 'x-rate-limit-reset': String(now + 60_000) }, null, 60_000],
    [{ 'x-ratelimit-reset': 'Tue, 30 Jun 2026 12:01:00 GMT' }, null, 60_000],
    [{ 'x-ratelimit-reset': '2026-06-30T12:01:00Z' }, null, 60_000],
    [{ 'x-ratelimit-reset': String(seconds - 60) }, null, 0],
    [{ 'x-ratelimit-reset-after': '1.5', 'x-ratelimit-remaining': '3' }, 3, 1_500],
    [{ 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 0, 30_000],
    [{ 'x-ratelimit-reset': 'soon', 'x-ratelimit-remaining': 'many' }, null, null],
  ];

  it.each(cases)('%j', (headers, remaining, resetMs) => {
    expect(limitSaidBy(200, headers, now)).toMatchObject({ remaining, resetMs });
  });

  it('is asked for by a refusal unless something is left of it, beside the longer Retry-After', () => {
    const asked = (...[after, remaining, reset]: (string | undefined)[]) =>
      limitSaidBy(429, { 'retry-after': after, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }, now)
        .askedMs;
    expect(asked(undefined, undefined, '5')).toBe(5_000);
    expect(asked('1', '0', '5')).toBe(5_000);
    expect(asked('9', '0', '5')).toBe(9_000);
    expect(asked('1', '50', '5')).toBe(1_000);
    expect(asked()).toBeNull();
  });
});

describe('429 with Retry-After', () => {
  it('holds back every row for the whole time', async () => {
    const waitMs = 1_000;
    const service = await scriptedService(
      inTurn(always({ status: 429, headers: { 'retry-after': String(waitMs / 1000) } }), created),
    );
    const { clock, waits } = countedClock();
    const client = aClient(service.url, {}, clock);
    const first = send(client, deals, aRecord());
    await until(() => waits() > 0);
    const others = Array.from({ length: 3 }, () => send(client, deals, aRecord()));
    const outcomes = await Promise.all([first, ...others]);
    expect(outcomes.map(({ state }) => state)).toEqual(['created', 'created', 'created', 'created']);
    expect(outcomes[0]).toMatchObject({ attempts: 2 });
    const [refused, ...later] = service.requests;
    // A lower bound alone, less what timers round away: it holds on the slowest machine.
    for (const { at } of later) expect(at - (refused?.at ?? 0)).toBeGreaterThan(waitMs - 5);
  });

  it('counts against the run and not against the five attempts of the row', async () => {
    const { client } = await aClientOf((socket, request) => {
      if (request.number <= 9) socket.write(answerBytes({ status: 429, headers: { 'retry-after': '1' } }));
      else created(socket, request);
    });
    expect(await send(client, deals, aRecord())).toMatchObject({ state: 'created', attempts: 10 });
  });

  it.each([429, 408])(
    'of more than a quarter of an hour stops the run, and the row is not sent: %i',
    async (status) => {
      const { client } = await aClientOf(always({ status, headers: { 'retry-after': '960' } }));
      expect(await send(client, deals, aRecord())).toMatchObject({
        state: 'not-sent',
        attempts: 1,
        httpStatus: status,
      });
      expect(client.stopReason).toMatchObject({
        message: { code: 'stopped-long-wait' },
        remedy: { code: 'wait-minutes', params: { minutes: 16 } },
      });
    },
  );
});

describe('429 without Retry-After', () => {
  it('is answered by a wait and by fewer in flight', async () => {
    const service = await scriptedService(inTurn(always({ status: 429 }), created));
    const paces: number[] = [];
    const waits: Parameters<NonNullable<ServiceEvents['onWait']>>[0][] = [];
    const events: ServiceEvents = {
      onPace: ({ inFlight }) => paces.push(inFlight),
      onWait: (wait) => waits.push(wait),
    };
    const client = aClient(service.url, { events });
    expect(await ways.create(client)).toBe('created');
    expect(paces[0]).toBe(2);
    expect(waits).toEqual([{ milliseconds: 200, code: 'limited', status: 429 }]);
  });

  it('stops the run where nothing is let through for a quarter of an hour', async () => {
    const { service, client } = await aClientOf(always({ status: 429 }));
    expect((await send(client, deals, aRecord())).state).toBe('not-sent');
    expect(client.stopReason).toMatchObject({ message: { code: 'stopped-nothing-through', params: { minutes: 15 } } });
    expect(service.requests.length).toBeLessThan(30);
  });
});

describe('a storm', () => {
  /** Five tries each: four of fifty retries. */
  const mostFailing = 12;

  it('of rows that fail each time ends once fifty requests were sent again', async () => {
    const { client } = await aClientOf(always({ status: 408 }));
    for (let row = 0; row < mostFailing; row += 1)
      expect(await send(client, deals, aRecord())).toMatchObject({ state: 'failed' });
    expect(client.stopReason).toBeNull();
    expect((await send(client, deals, aRecord())).state).toBe('not-sent');
    expect(client.stopReason?.message).toMatchObject({ code: 'stopped-many-failures', params: { retries: 50 } });
  });

  it('of a few rows alone lets all others go in', async () => {
    const failing = Array.from({ length: 6 * 5 }, () => ({ status: 408 }));
    const { client } = await aClientOf(inTurn(...failing.map((answer) => always(answer)), created));
    for (let row = 0; row < 6; row += 1) expect((await send(client, deals, aRecord())).state).toBe('failed');
    expect((await send(client, deals, aRecord())).state).toBe('created');
  });

  it('of 503 with Retry-After ends after a quarter of an hour: the run stops, the rows are not sent', async () => {
    const { service, client } = await aClientOf(always({ status: 503, headers: { 'retry-after': '100' } }));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => send(client, deals, aRecord())));
    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['not-sent']));
    expect(client.stopReason?.message.code).toBe('stopped-nothing-through');
    expect(service.requests.length).toBeLessThan(20);
    expect(await client.slot()).toBeNull();
  });
});

describe('P14: an Idempotency-Key', () => {
  const keyed = aRecord({ idempotencyKey: 'run1-Deals-2' });
  const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/;

  it('goes with a create when the profile says so, the same on each try, and lets a doubt be tried again', async () => {
    const service = await scriptedService(inTurn(reset, always({ status: 500 }), created));
    const client = aClient(service.url, { idempotencyKeys: true });
    expect(await send(client, deals, keyed)).toMatchObject({ state: 'created', attempts: 3 });
    const [key, ...later] = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(key).toMatch(uuid);
    expect(later).toEqual([key, key]);
  });

  it('that does not help leaves the row in doubt after five attempts', async () => {
    const { client } = await aClientOf(reset, { idempotencyKeys: true });
    expect(await send(client, deals, keyed)).toMatchObject({ state: 'in-doubt', attempts: 5 });
    const failing = await aClientOf(always({ status: 500, body: { error: 'Ada (219-09-9999) is known' } }));
    const secrets = () => [{ value: 'Ada (', label: 'Name' }];
    const update = await send(failing.client, recordKind('company-updates'), aRecord({ pathId: 'c1', secrets }));
    expect(update.message).toMatchObject({ params: { fault: { params: { reason: '[Name][SSN]) is known.' } } } });
  });

  it('is not sent when the profile does not say so, and a doubt stays one', async () => {
    const { service, client } = await aClientOf(reset);
    expect(await send(client, deals, keyed)).toMatchObject({ state: 'in-doubt', attempts: 1 });
    expect(service.requests[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it('of a bulk request is one for all of its rows, the same for the same rows', async () => {
    const service = await scriptedService(always({ status: 200, body: { success: true } }));
    const client = aClient(service.url, { idempotencyKeys: true });
    const rows = ['a', 'b'].map((idempotencyKey) => aRecord({ idempotencyKey }));
    await sendAll(client, rows);
    await sendAll(client, rows);
    await sendAll(client, rows.slice(1));
    const [first, second, third] = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(uuid);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('a no to a later try', () => {
  const keyed = aRecord({ idempotencyKey: 'run1-Deals-2' });
  const refused = always({ status: 409, body: { error: 'This key was used before' } });
  const lost = always({ status: 500, body: { error: 'Out of order' } });

  it('leaves a create in doubt whose earlier try may have been applied, and tells of both', async () => {
    for (const first of [lost, reset, hangUp]) {
      const { client } = await aClientOf(inTurn(first, refused), { idempotencyKeys: true });
      const outcome = await send(client, deals, keyed);
      expect(outcome).toMatchObject({ state: 'in-doubt', attempts: 2, httpStatus: 409 });
      expect(outcome).toMatchObject({ message: { code: 'refused-after-doubt' } });
    }
  });

  it('leaves it in doubt too when it is a documented no of a good status', async () => {
    const service = await scriptedService(
      inTurn(lost, always({ body: { success: false, error: 'Duplicate request' } })),
    );
    const client = aClient(service.url, { idempotencyKeys: true });
    expect((await send(client, deals, keyed)).state).toBe('in-doubt');
  });

  it('leaves an update in doubt that may have been made', async () => {
    const { client } = await aClientOf(inTurn(lost, refused));
    expect(await ways.update(client)).toBe('in-doubt');
  });

  it('leaves the rows of a bulk request in doubt, refused together or one by one', async () => {
    const oneByOne = { transactions: [{ id: 'tx_1' }, { success: false, error: 'Duplicate' }] };
    for (const [second, states] of [
      [refused, ['in-doubt', 'in-doubt']],
      [always({ body: oneByOne }), ['created', 'in-doubt']],
    ] as const) {
      const { client } = await aClientOf(inTurn(lost, second), { idempotencyKeys: true });
      const rows = ['a', 'b'].map((idempotencyKey) => aRecord({ idempotencyKey }));
      expect((await sendAll(client, rows)).map(({ state }) => state)).toEqual(states);
    }
  });

  it('proves nothing about an earlier one whose yes could not be read', async () => {
    const headers = { 'content-type': 'application/json' };
    const service = await scriptedService(
      inTurn(always({ status: 201, headers, body: '{"success": true, "id"' }), refused),
    );
    const client = aClient(service.url, { idempotencyKeys: true });
    expect(await send(client, deals, keyed)).toMatchObject({ state: 'in-doubt', attempts: 2 });
  });

  it('is taken at its word when the earlier ones were proven not applied', async () => {
    for (const first of [always({ status: 429 }), always({ status: 503, headers: { 'retry-after': '1' } })]) {
      const { client } = await aClientOf(inTurn(first, refused), { idempotencyKeys: true });
      expect((await send(client, deals, keyed)).state).toBe('rejected');
      expect(await ways.update(client)).toBe('rejected');
    }
  });

  it('that the address is closed takes no row back whose first try was lost', async () => {
    const lostOnce = new Set<string>();
    const service = await scriptedService((socket, request) => {
      const key = request.headers['idempotency-key'] ?? '';
      if (lostOnce.has(key)) return void socket.write(answerBytes({ status: 403 }));
      lostOnce.add(key);
      return reset(socket, request);
    });
    const client = aClient(service.url, { idempotencyKeys: true });
    const states: string[] = [];
    for (const idempotencyKey of ['a', 'b', 'c', 'd', 'e']) {
      states.push((await send(client, deals, aRecord({ idempotencyKey }))).state);
    }
    expect(states).toEqual(Array(5).fill('in-doubt'));
    expect(client.stopReason?.message.code).toBe('stopped-closed');
  });
});

describe('the end of the sending', () => {
  it('drain lets what is in flight finish and gives back what waits for another try', async () => {
    const service = await scriptedService((socket, request) => {
      if (request.number === 1) socket.write(answerBytes({ status: 429, headers: { 'retry-after': '500' } }));
      else created(socket, request);
    });
    const { clock, waits } = countedClock();
    const client = aClient(service.url, {}, clock);
    const slow = (await client.slot())?.send(deals, [aRecord()]);
    await until(() => waits() > 0);
    const waitingForRoom = client.slot();
    await client.drain();
    expect(await slow).toMatchObject([{ state: 'not-sent', attempts: 1, httpStatus: 429 }]);
    expect(await waitingForRoom).toBeNull();
    expect(await client.slot()).toBeNull();
    expect(client.stopReason).toBeNull();
    expect(service.requests).toHaveLength(1);
  });

  it('drain waits for an answer that is on its way', async () => {
    let answer = () => {};
    const service = await scriptedService((socket, request) => {
      answer = () => void created(socket, request);
    });
    const client = aClient(service.url, {}, systemClock);
    const sending = send(client, deals, aRecord());
    await askedOf(service);
    const drained = client.drain();
    answer();
    await drained;
    expect((await sending).state).toBe('created');
  });

  it('close leaves in doubt what was in flight', async () => {
    const { service, client } = await aClientOf(silence, {}, systemClock);
    const sending = send(client, deals, aRecord());
    await askedOf(service);
    await client.close();
    expect((await sending).state).toBe('in-doubt');
  });

  it('a room that is given back makes room for one other, however often it is', async () => {
    const { client } = await aClientOf(created, { concurrency: 1 }, hurriedClock);
    const first = await client.slot();
    first?.release();
    first?.release();
    const second = await client.slot();
    expect(await second?.send(deals, [aRecord()])).toMatchObject([{ state: 'created' }]);
  });
});
