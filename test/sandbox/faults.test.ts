import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { noFaults, parseFaults } from '../../src/sandbox/faults.ts';
import { aDeal } from './bodies.ts';
import { get, post, type Received } from './requests.ts';
import { useSandbox } from './running.ts';

let now = 0;
const sandbox = useSandbox({}, () => now);
const logged = () => [...sandbox().accepted()].length;
const add = () => post(sandbox(), '/v1/deal', aDeal());

afterEach(() => sandbox().change({ faults: noFaults, ratePerSecond: null, latency: { from: 0, to: 0 } }));

/** Adds a deal under a fault: the answer or the error of the connection, and how many records were made. */
async function under(fault: string): Promise<{ answer: Received | NodeJS.ErrnoException; records: number }> {
  sandbox().change({ faults: parseFaults(`${fault}@1,retry-after=7`) });
  const before = logged();
  const answer = await add().catch((error: NodeJS.ErrnoException) => error);
  return { answer, records: logged() - before };
}

/**
 * Everything that comes over the wire for one request, until the connection ends or is quiet for a while.
 *
 * @param isTaken  before it, quiet says nothing: the sandbox has not come to the request yet
 */
function onTheWire(
  quietMilliseconds: number,
  isTaken: () => boolean = () => true,
): Promise<{ text: string; hasEnded: boolean }> {
  const body = JSON.stringify(aDeal());
  const { hostname, port } = new URL(sandbox().url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = (hasEnded: boolean) => {
      socket.destroy();
      resolve({ text, hasEnded });
    };
    socket.setTimeout(quietMilliseconds);
    socket.on('timeout', () => {
      if (isTaken()) finish(false);
      else socket.setTimeout(quietMilliseconds);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('end', () => finish(true));
    socket.write(
      `POST /v1/deal HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${sandbox().token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

describe('a fault that answers', () => {
  it.each([
    ['429', 429, 0, '7'],
    ['500', 500, 0, undefined],
    ['502', 502, 0, undefined],
    ['503', 503, 0, undefined],
    ['504', 504, 0, undefined],
    ['busy', 503, 0, '7'],
    ['401', 401, 0, undefined],
    ['403', 403, 0, undefined],
    ['500-after', 500, 1, undefined],
    ['502-after', 502, 1, undefined],
    ['503-after', 503, 1, undefined],
    ['504-after', 504, 1, undefined],
    ['redirect', 307, 0, undefined],
  ])('%s: %i with %i record made', async (fault, status, made, retryAfter) => {
    const { answer, records } = await under(fault);
    expect(answer).toMatchObject({ status });
    expect(records).toBe(made);
    expect((answer as Received).headers['retry-after']).toBe(retryAfter);
  });

  it.each<[fault: string, says: object, made: number]>([
    ['success-false', { status: 200, body: { success: false } }, 0],
    ['html', { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }, 0],
    ['slow', { status: 201, body: { success: true } }, 1],
  ])('%s: %j with %i record made', async (fault, says, made) => {
    const { answer, records } = await under(fault);
    expect(answer).toMatchObject(says);
    expect(records).toBe(made);
  });

  it('no-id: made, and answered without id, url and Location', async () => {
    const { answer, records } = await under('no-id');
    expect(answer).toMatchObject({ status: 201, body: { success: true } });
    expect((answer as Received).body).toEqual({ success: true });
    expect((answer as Received).headers.location).toBeUndefined();
    expect(records).toBe(1);
  });
});

describe('a fault of the connection', () => {
  it.each([
    ['reset-before', 0],
    ['reset-after', 1],
    ['close-after', 1],
  ])('%s: no answer, %i record made', async (fault, made) => {
    const { answer, records } = await under(fault);
    expect(answer).toMatchObject({ code: 'ECONNRESET' });
    expect(records).toBe(made);
  });

  it('cut-status: part of a status line, the record made', async () => {
    sandbox().change({ faults: parseFaults('cut-status@1') });
    const before = logged();
    expect(await onTheWire(5000)).toEqual({ text: 'HTTP/1.1 2', hasEnded: true });
    expect(logged()).toBe(before + 1);
  });

  it('cut-body: the head with its Location and half of the body, the record made', async () => {
    sandbox().change({ faults: parseFaults('cut-body@1') });
    const { text, hasEnded } = await onTheWire(5000);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
    expect(hasEnded).toBe(true);
    expect(head).toMatch(/location: \/v1\/deal\/deal_\d{6}/);
    expect(body.length).toBe(Math.floor(length / 2));
  });

  it.each([
    ['stall', 1],
    ['stall-before', 0],
  ])('%s: silence, %i record made', async (fault, made) => {
    sandbox().change({ faults: parseFaults(`${fault}@1`) });
    const before = logged();
    expect(await onTheWire(150, () => logged() === before + made)).toEqual({ text: '', hasEnded: false });
    expect(logged()).toBe(before + made);
  });
});

describe('rate and latency', () => {
  it('lets one second’s worth pass, then answers 429 with the time to wait', async () => {
    sandbox().change({ ratePerSecond: 3 });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await get(sandbox(), '/v1/health')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await get(sandbox(), '/v1/health')).headers['retry-after']).toBe('1');
    now += 334;
    expect((await get(sandbox(), '/v1/health')).status).toBe(200);
    expect((await get(sandbox(), '/v1/health')).status).toBe(429);
  });

  it('answers no earlier than the latency says', async () => {
    sandbox().change({ latency: { from: 60, to: 60 } });
    const started = performance.now();
    await get(sandbox(), '/v1/health');
    // A lower bound alone: it holds on the slowest machine.
    expect(performance.now() - started).toBeGreaterThan(55);
  });
});

it('the log is handed out part by part', async () => {
  await add();
  await add();
  const { body } = await get(sandbox(), '/sandbox/accepted?limit=1');
  expect(body).toMatchObject({ accepted: [{ sequence: 1, endpoint: 'addDeal', id: 'deal_000001' }], next: 1 });
  const rest = (await get(sandbox(), '/sandbox/accepted?after=1')).body;
  expect(rest.next).toBeNull();
  expect(rest.accepted).toHaveLength(logged() - 1);
  expect((await get(sandbox(), '/sandbox/accepted?limit=x')).status).toBe(422);
});
