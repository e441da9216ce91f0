import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aDeal, aNote } from './bodies.ts';
import { get, made, post, rulesOf, send } from './requests.ts';
import { useSandbox } from './running.ts';

const sandbox = useSandbox();

interface Part {
  readonly name: string;
  readonly fileName?: string;
  readonly content: string | Buffer;
}

function attach(parts: readonly Part[]) {
  const boundary = 'x-sandbox-test';
  const raw = Buffer.concat([
    ...parts.flatMap(({ name, fileName, content }) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n` +
          `${fileName === undefined ? '' : 'content-type: application/pdf\r\n'}\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return send(sandbox(), { method: 'POST', path: '/v1/deal/attachment', raw, headers });
}

describe('Add a deal note (2.5, 4.4)', () => {
  it('adds the note to the deal', async () => {
    const deal = await made(sandbox(), '/v1/deal', aDeal());
    const { status, body } = await post(sandbox(), '/v1/deal/note', aNote(deal));
    expect(status).toBe(201);
    expect(body).toEqual({ success: true, id: body.id, url: `${sandbox().url}/notes/${body.id}` });
    expect((await get(sandbox(), `/notes/${body.id}`)).text).toContain('Bank statements received');
  });

  it('refuses an unknown deal at its field', async () => {
    const refused = await post(sandbox(), '/v1/deal/note', aNote('deal_999999'));
    expect(refused.status).toBe(422);
    expect(rulesOf(refused)).toEqual(['dealId unknown-id']);
  });
});

describe('Add a deal attachment (4.5)', () => {
  it('keeps name, size and digest', async () => {
    const deal = await made(sandbox(), '/v1/deal', aDeal());
    const content = Buffer.from([0, 13, 10, 255, 45, 45]);
    const { status, body } = await attach([
      { name: 'dealId', content: deal },
      { name: 'file', fileName: 'june.pdf', content },
    ]);
    expect(status).toBe(201);
    const kept = {
      name: 'june.pdf',
      mediaType: 'application/pdf',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
    expect(JSON.parse([...sandbox().accepted()].at(-1)?.body ?? '')).toEqual({ dealId: deal, file: kept });
    expect((await get(sandbox(), `/attachments/${body.id}`)).text).toContain('june.pdf');
  });

  it.each<[string, Part[], string[]]>([
    ['without the deal', [{ name: 'file', fileName: 'a', content: 'a' }], ['dealId required']],
    ['without a file', [{ name: 'dealId', content: 'deal_000001' }], ['file required']],
    [
      'with a text in place of the file',
      [
        { name: 'dealId', content: 'deal_000001' },
        { name: 'file', content: 'a' },
      ],
      ['file required'],
    ],
    [
      'with two files',
      [
        { name: 'dealId', content: 'deal_000001' },
        { name: 'file', fileName: 'a', content: 'a' },
        { name: 'file', fileName: 'b', content: 'b' },
      ],
      ['file required'],
    ],
    [
      'of an unknown deal',
      [
        { name: 'dealId', content: 'deal_999999' },
        { name: 'file', fileName: 'a', content: 'a' },
      ],
      ['dealId unknown-id'],
    ],
  ])('refuses a form %s', async (_what, parts, rules) => {
    const refused = await attach(parts);
    expect(refused.status).toBe(422);
    expect(rulesOf(refused)).toEqual(rules);
  });
});

describe('Add a lead (4.1) and a submission (4.9)', () => {
  it('takes a lead with nothing required, and further fields', async () => {
    expect((await post(sandbox(), '/v1/lead', { company: { name: 'Pier' }, source: 'fair' })).status).toBe(201);
    expect((await post(sandbox(), '/v1/lead', {})).status).toBe(201);
    expect(rulesOf(await post(sandbox(), '/v1/lead', { amountRequested: -1 }))).toEqual(['amountRequested minimum']);
  });

  it('refuses a submission for a deal or company that is not here', async () => {
    expect(rulesOf(await post(sandbox(), '/v1/submission', { dealId: 'deal_999999' }))).toEqual(['dealId unknown-id']);
    expect(rulesOf(await post(sandbox(), '/v1/submission', { companyId: 'x' }))).toEqual(['companyId unknown-id']);
  });
});
