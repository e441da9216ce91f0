import { existsSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { type BalancesResult, exportBalances } from '../../src/export/export-balances.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { fixedToken } from '../../src/service/tokens.ts';
import { serviceForEachTest } from '../builders/recording-service.ts';
import { folderForEachTest } from '../builders/temporary-folder.ts';

interface Answer {
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}
/** @param asked  the parameters of the request */
type Script = (asked: URLSearchParams) => Answer | string;

const inFolder = folderForEachTest();
let script: Script;
const service = serviceForEachTest(({ path }) => {
  const given = script(new URL(path, 'http://localhost').searchParams);
  return { status: 200, ...(typeof given === 'string' ? { body: given } : given) };
});

/** Exports to NDJSON, and gives its lines with the result. */
async function exported(
  answers: Script,
  balances: object = {},
  query: readonly (readonly [string, string])[] = [],
  others: object = {},
): Promise<BalancesResult & { readonly lines: readonly string[] }> {
  script = answers;
  const url = new URL(service.url);
  const contract = contractSettingsSchema.parse({ ...others, balances });
  const limits = { timeoutMs: 5000, concurrency: 1, rate: null, idempotencyKeys: false };
  const client = await new ServiceClient({
    ...{ url, contract, ...limits },
    credentials: fixedToken('s3cr3t', 'the test'),
  });
  const output = inFolder('balances.ndjson');
  rmSync(output, { force: true });
  const choice = { format: null, query, columns: [], lists: 'count', groupBy: [], previous: null, key: null } as const;
  const surroundings = { now: new Date(), signal: new AbortController().signal };
  const options = { output, ...choice, mask: true, contract, service: url.href, ...surroundings };
  try {
    const result = await exportBalances(options, client, { onPage() {}, onWritten() {} });
    return { ...result, lines: readFileSync(output, 'utf8').trim().split('\n') };
  } finally {
    await client.close();
  }
}

const six = [1, 2, 3, 4, 5, 6].map((number) => `{"loanId":"loan_${number}","balance":${number}.10}`);
const all = six.join(',');
/** Two balances, by the number of their page from 0. */
const two = (page: number) => six.slice(page * 2, page * 2 + 2).join(',');
const keyed = (page: number) =>
  [1, 2].map((each) => `"loan_${page * 2 + each}":{"balance":${page * 2 + each}.10}`).join(',');
const row = (page: number) => [1, 2].map((each) => `["loan_${page * 2 + each}",${page * 2 + each}.10]`).join(',');
const names = '["loanId","balance"]';
const keyedById = { shape: 'keyed' };
const byLoanId = { ...keyedById, keyColumn: 'loanId' };
const rowsBelow = (header: string) => ({ shape: 'rows', header });
const counted = { pages: { by: 'page', count: 'totalPages' } };
/** One answer has all. */
const one = { pages: { by: 'none' } };
const pageOf = (asked: URLSearchParams, first = 1, name = 'page') => Number(asked.get(name) ?? first) - first;
/** Answers by the number of the page, from 0, that a parameter asks for. */
const by =
  (name: string, first: number, answer: (page: number) => Answer | string): Script =>
  (asked) =>
    answer(pageOf(asked, first, name));

describe('balances are found', () => {
  const rows = [0, 1, 2].map(row);
  const withKeys = six.map((text, index) => `"loan_${index + 1}":${text}`);
  const amounts = six.map((_, index) => `"loan_${index + 1}":${index + 1}.10`);

  it.each<[shape: string, body: string, balances: object, found: string]>([
    ['as a list', `{"data":[${all}]}`, {}, 'data, a list'],
    ['as the answer itself', `[${all}]`, {}, 'the answer itself, a list'],
    ['keyed by id', `{"loans":{${[0, 1, 2].map(keyed)}}}`, byLoanId, 'loans, keyed by loanId'],
    ['keyed, each with its key in itself', `{"data":{${withKeys}}}`, byLoanId, 'data, keyed by loanId'],
    ['keyed, amounts alone', `{"open":{${amounts}}}`, { ...byLoanId, records: 'open' }, 'open, keyed by loanId'],
    ['as rows', `{"columns":${names},"rows":[${rows}]}`, rowsBelow('columns'), 'rows, rows below columns'],
    [
      'as rows, their columns behind them as objects',
      `{"data":{"rows":[${rows}],"columns":[{"name":"loanId","type":"text"},{"name":"balance"}]}}`,
      rowsBelow('data.columns'),
      'data.rows, rows below data.columns',
    ],
    [
      'as rows where the profile says, beside another list',
      `{"data":[{"other":"one"}],"open":[${rows}],"meta":{"names":${names}}}`,
      { ...rowsBelow('meta.names'), records: 'open', unrelated: ['data[].other'] },
      'open, rows below meta.names',
    ],
    ['at the first place of several', `{"open":[${all}]}`, { records: ['paid', 'open'] }, 'open, a list'],
  ])('%s', async (_, body, balances, found) => {
    const result = await exported(() => body, balances);
    expect(result).toMatchObject({ records: 6, pages: 1, found: `balances: ${found}; pages: one answer`, lines: six });
  });

  const digits = '12345678901234567890.123456789';
  it.each<[what: string, body: string, balances: object, line: string]>([
    [
      'under a key column of their own where the records have another id',
      '{"data":{"L1":{"id":7,"balance":1}}}',
      { ...keyedById, keyColumn: 'key' },
      '{"key":"L1","id":7,"balance":1}',
    ],
    ['with every digit, keyed', `{"data":{"L1":{"a":${digits}}}}`, keyedById, `{"id":"L1","a":${digits}}`],
    ['with every digit, in rows', `{"c":["a"],"rows":[[${digits}]]}`, rowsBelow('c'), `{"a":${digits}}`],
    ['with stars, keyed', '{"data":{"L1":{"ssn":"219099999"}}}', keyedById, '{"id":"L1","ssn":"*********"}'],
    ['with stars, in rows', '{"c":["ssn"],"rows":[["219099999"]]}', rowsBelow('c'), '{"ssn":"*********"}'],
  ])('%s', async (_, body, balances, line) => {
    expect((await exported(() => body, balances)).lines).toEqual([line]);
  });

  it.each(['[]', '{"data":[],"total":0}', '{"data":[],"errors":[]}'])('to be none: %s', async (body) => {
    expect(await exported(() => body)).toMatchObject({ records: 0, pages: 1 });
  });
});

describe('pages of balances are followed', () => {
  it.each<[how: string, answers: Script, balances: object, found: string]>([
    [
      'by a cursor',
      by('cursor', 0, (page) => `{"data":[${two(page)}],"meta":{"nextCursor":${page < 2 ? `"${page + 1}"` : 'null'}}}`),
      { pages: { by: 'cursor', at: 'meta.nextCursor', parameter: 'cursor' } },
      'balances: data, a list; pages: cursor meta.nextCursor → cursor',
    ],
    [
      'by a cursor with a flag, which counts at the end',
      by('after', 0, (at) => `{"data":[${two(at)}],"pageInfo":{"hasNextPage":${at < 2},"endCursor":"${at + 1}"}}`),
      { pages: { by: 'cursor', at: 'pageInfo.endCursor', parameter: 'after', more: 'pageInfo.hasNextPage' } },
      'balances: data, a list; pages: cursor pageInfo.endCursor → after',
    ],
    [
      'by a declared cursor, whatever else is there',
      by('from', 0, (page) => `{"data":[${two(page)}],"next":"/other","more":{"from":${page < 2 ? page + 1 : '""'}}}`),
      { pages: { by: 'cursor', at: 'more.from', parameter: 'from' } },
      'balances: data, a list; pages: cursor more.from → from',
    ],
    [
      'by the number of the next page, which is 0 at the end',
      by('page', 1, (page) => `{"data":[${two(page)}],"nextPage":${page < 2 ? page + 2 : 0}}`),
      { pages: { by: 'cursor', at: 'nextPage', parameter: 'page' } },
      'balances: data, a list; pages: cursor nextPage → page',
    ],
    [
      'by an address',
      by('p', 0, (page) => `{"data":[${two(page)}],"links":{"next":${page < 2 ? `"?p=${page + 1}"` : 'null'}}}`),
      { pages: { by: 'address', at: 'links.next' } },
      'balances: data, a list; pages: address links.next',
    ],
    [
      'by an address under a name with a dot',
      by('p', 0, (page) => `{"value":[${two(page)}]${page < 2 ? `,"@odata.nextLink":"balances?p=${page + 1}"` : ''}}`),
      { records: 'value', pages: { by: 'address', at: '@odata.nextLink' } },
      'balances: value, a list; pages: address @odata.nextLink',
    ],
    [
      'by the Link header',
      by('page', 1, (page) => ({
        body: `[${two(page)}]`,
        headers:
          page < 2 ? { link: `</v1/loan/balances?page=${page + 2}>; rel=${page === 0 ? '"next"' : "'next'"}` } : {},
      })),
      { pages: { by: 'link' } },
      'balances: the answer itself, a list; pages: Link header',
    ],
    [
      'by a cursor and a total in headers',
      by('after', 0, (page) => ({
        body: `[${two(page)}]`,
        headers: { 'items-total': '6', ...(page < 2 && { 'x-after': String(page + 1) }) },
      })),
      { pages: { by: 'cursor', at: '@headers.x-after', parameter: 'after' }, total: '@headers.items-total' },
      'balances: the answer itself, a list; pages: cursor @headers.x-after → after',
    ],
    [
      'by page and page count, from 0',
      by('page', 0, (at) => `{"data":[${two(at)}],"page":{"number":${at},"size":2,"totalPages":3,"totalElements":6}}`),
      { pages: { by: 'page', first: 0, count: 'page.totalPages' } },
      'balances: data, a list; pages: page → page; total: page.totalElements',
    ],
    [
      'by page and size, up to an empty page',
      by('page', 1, (page) => `{"data":[${two(page)}],"page":${page + 1},"pageSize":2}`),
      { pages: { by: 'page' } },
      'balances: data, a list; pages: page → page',
    ],
    [
      'by a declared page number, up to an empty page',
      by('p', 1, (page) => `{"data":[${two(page)}]}`),
      { pages: { by: 'page', parameter: 'p' } },
      'balances: data, a list; pages: page → p',
    ],
    [
      'by offset, up to a page without a list',
      by('from', 1, (page) => `{"r":{${page < 6 ? `"data":[${two(page / 2)}]` : ''}}}`),
      { records: 'r.data', pages: { by: 'offset', parameter: 'from', first: 1, absent: true } },
      'balances: r.data, a list; pages: offset → from',
    ],
    [
      'by offset and total',
      by('offset', 0, (page) => `{"data":[${two(page / 2)}],"meta":{"offset":${page},"total":6}}`),
      { pages: { by: 'offset' }, total: 'meta.total' },
      'balances: data, a list; pages: offset → offset',
    ],
    [
      'by cursor, in a list with the name of its parent',
      by('c', 0, (page) => `{"data":{"next":${page + 1},"more":${page < 2},"data":[${two(page)}]}}`),
      { records: 'data.data', pages: { by: 'cursor', at: 'data.next', parameter: 'c', more: 'data.more' } },
      'balances: data.data, a list; pages: cursor data.next → c',
    ],
    [
      'by the last of those that came',
      (asked) => {
        const page = Number(/\d$/.exec(asked.get('starting_after') ?? 'loan_0')?.[0]) / 2;
        return `{"object":"list","data":[${two(page)}],"has_more":${page < 2},"url":"/v1/loans"}`;
      },
      { pages: { by: 'after', at: 'loanId', parameter: 'starting_after', more: 'has_more' } },
      'balances: data, a list; pages: after loanId → starting_after',
    ],
    [
      'of keyed balances',
      by('page', 1, (page) => `{"loans":{${keyed(page)}},"page":${page + 1},"totalPages":3}`),
      { ...byLoanId, pages: { by: 'page', count: 'totalPages' } },
      'balances: loans, keyed by loanId; pages: page → page',
    ],
    [
      'of rows',
      by('page', 1, (at) => `{"columns":${names},"rows":[${row(at)}],"hasMore":"${at < 2}","page":${at + 1}}`),
      { ...rowsBelow('columns'), pages: { by: 'page', more: 'hasMore' } },
      'balances: rows, rows below columns; pages: page → page',
    ],
    [
      'of rows, up to a page without them',
      by('page', 1, (at) => (at < 3 ? `{"columns":${names},"rows":[${row(at)}]}` : '{}')),
      { ...rowsBelow('columns'), pages: { by: 'page', absent: true } },
      'balances: rows, rows below columns; pages: page → page',
    ],
  ])('%s', async (_, answers, balances, found) => {
    const result = await exported(answers, balances, [['status', 'open']]);
    expect(result).toMatchObject({ records: 6, found, lines: six });
  });

  it('each by the names of its own columns', async () => {
    const { lines } = await exported(
      (asked) =>
        pageOf(asked) === 0
          ? '{"columns":["id","balance"],"rows":[["L1",1]],"totalPages":2}'
          : '{"columns":["balance","id"],"rows":[[2,"L2"]],"totalPages":2}',
      { ...counted, ...rowsBelow('columns') },
    );
    expect(lines).toEqual(['{"id":"L1","balance":1}', '{"balance":2,"id":"L2"}']);
  });

  it('never where the profile says that there is one', async () => {
    const answer = `{"data":[${all}],"nextCursor":"1"}`;
    expect(await exported(() => answer, one)).toMatchObject({ records: 6, pages: 1 });
  });
});

const sums = { unrelated: ['meta.sums[].of', 'data.meta.sums[].of'] };

/** A hundred balances of a first page. */
const hundred = Array.from({ length: 100 }, (_, at) => `{"loanId":"loan_${at + 1}","balance":${at * 7 + 3}}`).join(',');

describe('where no pages are declared', () => {
  it.each<[beside: string, seen: string, headers?: Record<string, string>]>([
    ['"next":{"href":"/v1/loan/balances?page=2"}', 'next.href'],
    ['"@odata.nextLink":"https://x.example/b?$skip=100"', '@odata.nextLink'],
    ['"links":{"self":"/v1/loan/balances?page=1"}', 'links.self'],
    ['"links":{"self":"/v1/loan/balances#page=1"}', 'links.self'],
    ['"links":[{"rel":"next","href":"/v1/loan/balances?page=2"}]', 'links[].rel, links[].href'],
    ['"continuationToken":"eyJpZCI6MTAwfQ=="', 'continuationToken'],
    ['"meta":{"nextCursor":"c2"}', 'meta.nextCursor'],
    ['"hasMore":"true"', 'hasMore'],
    ['"meta":{"page":{"more":"Y"}}', 'meta.page.more'],
    ['"last":false', 'last'],
    ['"remaining":400', 'remaining'],
    ['"total":500.0', 'total'],
    ['"total":50', 'total'],
    ['"totalPages":1,"total":500', 'totalPages, total'],
    ['"total":100,"totalPages":5', 'totalPages'],
    ['"page":"1 of 5"', 'page'],
    ['"message":"Showing 100 of 1,500 balances"', 'message'],
    ['"totalBalance":34950.00', 'totalBalance'],
    ['"count":100,"page":1', 'page'],
    ['"total":100,"hasMore":true', 'hasMore'],
    ['"total":100,"next":"c2"', 'next'],
    ['"links":{"last":"/v1/loan/balances?page=5"}', 'links.last'],
    ['"done":0', 'done'],
    ['"success":"Loans retrieved"', 'success'],
    ['"meta":{"end_of_list":"no"}', 'meta.end_of_list'],
    ['"total":100,"totalPages":100', 'totalPages'],
    ['"total":100,"nextPage":1', 'nextPage'],
    ['"more":"yes please"', 'more'],
    ['"next":{"timestamp":1782777600}', 'next.timestamp'],
    ['"LastEvaluatedKey":{"status":"open"}', 'LastEvaluatedKey.status'],
    ['"resume":{"meta":{"date":"2026-06-30"}}', 'resume.meta.date'],
    ['"meta":["c2"]', 'meta[]'],
    ['"next":"/v1/loan/balances"', 'next'],
    ['"next":{"last":true}', 'next.last'],
    ['"next":{"count":100}', 'next.count'],
    ['"remainingCount":100', 'remainingCount'],
    ['"total":100,"next":{"page":1}', 'next.page'],
    ['"exhausted":false', 'exhausted'],
    ['"page":1,"pageSize":100', 'page'],
    ['"x":{"y":{"z":{"w":{"v":{"u":{"next":"/b?p=2"}}}}}}', 'x.y.z.w.v.u.next'],
    ['"a":""', 'x-next-page', { 'x-next-page': '2' }],
    ['"a":""', 'x-page', { 'x-page': '1' }],
    ['"a":""', 'x-record-count', { 'x-record-count': '500' }],
    ['"a":""', 'x-ms-continuation', { 'x-ms-continuation': 'c2' }],
    ['"a":""', 'content-range', { 'content-range': 'items 0-99/*' }],
    ['"a":1', 'Link', { link: '</v1/loan/balances?page=2>; rel=next' }],
  ])('%s may mean that there are more', async (beside, seen, headers = {}) => {
    for (const body of [`{${beside},"data":[${hundred}]}`, `{"data":[${hundred}],${beside}}`]) {
      const error = await exported(() => ({ body, headers })).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'output-failed', message: expect.stringContaining(`beside them: ${seen}`) });
      expect(error.remedy).toContain('"contract": { "balances": { "pages": { "by": "none" } } }');
      expect(existsSync(inFolder('balances.ndjson'))).toBe(false);
    }
    const body = `{"data":[${hundred}],${beside}}`;
    const settled = await exported(() => ({ body, headers }), one);
    expect(settled).toMatchObject({ records: 100, found: 'balances: data, a list; pages: one answer, as declared' });
  });

  it.each<[what: string, beside: string, balances?: object]>([
    ['nothing', '"next":null,"cursor":"","links":{},"errors":[],"hasMore":false,"more":"false","left":0,"offset":0'],
    ['a yes', '"success":true,"ok":true,"status":"ok","meta":{"success":true}'],
    ['days', '"asOf":"2026-06-30","meta":{"generated_at":"2026-06-30T10:00:00.000Z","timestamp":1782777600}'],
    ['what they are', '"currency":"USD","object":"list","timeZone":"America/New_York","version":"1.0"'],
    ['their number', '"total":100,"meta":{"count":100,"totalRecords":"100"}'],
    ['its own address', '"links":{"self":"/v1/loan/balances?status=open"}'],
    ['their number, and that of their one page', '"total":100,"page":1,"number":0,"pageSize":250,"totalPages":1'],
    ['the same in an object', '"page":{"size":250,"totalElements":100,"totalPages":1,"number":0,"last":true}'],
    ['its status', '"status":200,"metadata":{"status":"complete"}'],
    ['parts of a list by their path', '"meta":{"sums":[{"of":"open"},{"of":"paid"}]}', sums],
    ['ids', '"requestId":"req_8f3k2","meta":{"trace_id":"550e8400-e29b-41d4-a716-446655440000"}'],
    ['an end', '"done":true,"last":"true","isLastPage":true'],
    ['what the profile names', '"by":"desk","meta":{"booked":{"sum":34950}}', { unrelated: ['by', 'booked', 'Sum'] }],
    [
      'what it names by its path',
      '"links":{"self":"/x"},"meta":{"sum":3}',
      { unrelated: ['links.self', 'data.links.self', 'sum'] },
    ],
    ['what it names, though its name can mean an end', '"links":{"last":"/x?page=1"}', { unrelated: ['last'] }],
  ])('%s beside them is whole', async (_, beside, balances = {}) => {
    for (const body of [`{${beside},"data":[${hundred}]}`, `{"data":{"items":[${hundred}],${beside}}}`]) {
      expect(await exported(() => body, balances, [['status', 'open']])).toMatchObject({ records: 100, pages: 1 });
    }
  });

  it('a header that counts something else does not hold them', async () => {
    const answer = { body: `[${all}]`, headers: { 'x-envoy-attempt-count': '1' } };
    expect(await exported(() => answer)).toMatchObject({ records: 6 });
  });

  it('the declared total has a point in its name', async () => {
    const answer = `{"@odata.count":6,"data":[${all}]}`;
    expect(await exported(() => answer, { total: '@odata\\.count' })).toMatchObject({ records: 6 });
  });

  it('never shows what was seen, and but a few of many', async () => {
    const many = Array.from({ length: 9 }, (_, at) => `"t${at}":"v4lue-${at}"`).join(',');
    const error = await exported(() => `{"data":[${all}],${many}}`).catch((thrown) => thrown);
    expect(error.message).toMatch(/t0, t1.* t2 and 6 more\. There may be/);
    expect(error.message + error.remedy).not.toContain('v4lue');
  });

  it('however long a text is', async () => {
    const body = `{"data":[${all}],"a":"x${'?'.repeat(300_000)}"}`;
    await expect(exported(() => body)).rejects.toThrow(/beside them: a\./);
  });

  it('as many as were asked for may not be all', async () => {
    await expect(exported(() => `[${two(0)}]`, {}, [['limit', '2']])).rejects.toThrow(/beside them: limit\./);
    const paths = { getLoanBalances: '/v1/loan/balances?limit=2' };
    await expect(exported(() => `[${two(0)}]`, {}, [], { paths })).rejects.toThrow(/beside them: limit\./);
  });

  it('the yes that the profile declares tells of no further page', async () => {
    const contract = { answers: { '*': { yes: { 'result.code': 1 } } } };
    const answer = `{"data":[${all}],"result":{"code":1}}`;
    expect(await exported(() => answer, {}, [], contract)).toMatchObject({ records: 6 });
  });
});

describe('balances that may not be whole are not written', () => {
  const later =
    (body: string, status = 200): Script =>
    (asked) =>
      pageOf(asked) === 0 ? `{"data":[${all}],"totalPages":2}` : { body, status };

  const byPage = { pages: { by: 'page' } };
  const byLast = (at: string, more: string) => ({ pages: { by: 'after', at, parameter: 'after', more } });
  const byCursor = (at: string, more?: string) => ({ pages: { by: 'cursor', at, parameter: 'c', more } });
  const beside = (members: string) => `{"data":[${all}],${members}}`;
  /** What is said beside the first page, and beside the others. */
  const changing = (what: string, first: number, then: number): Script => {
    return (asked) => `{"data":[${two(pageOf(asked))}],"${what}":${pageOf(asked) === 0 ? first : then}}`;
  };

  it.each<[why: string, answers: string | Script, balances: object, said: RegExp]>([
    ['the last has no place to go on from', beside('"m":true'), byLast('no', 'm'), /not how to ask/],
    ['the page after the last is the first again', beside('"m":true'), byLast('loanId', 'm'), /the same page twice/],
    ['a later page fails', later('{"message":"Sorry"}', 400), counted, /\(400\): Sorry/],
    ['a later page says no', later('{"success":false,"message":"Busy","data":[]}'), counted, /said no: Busy/],
    ['a later page tells of an error', later('{"data":[],"errors":["Part 2"]}'), counted, /"errors" is not empty/],
    ['a later page has another shape', later('{"data":{"L7":{"balance":1}}}'), counted, /holds no balances at/],
    ['a later page has them elsewhere', later('{"items":[{"loanId":"L7"}]}'), counted, /holds no balances/],
    ['a later page is the first again', later(`{"data":[${all}]}`), counted, /the same page twice/],
    ['a cursor comes again', (asked) => `{"data":[{"loanId":"L${asked}"}],"n":"c"}`, byCursor('n'), /same page twice/],
    ['fewer came than are counted where declared', `{"data":[${all}],"n":7}`, { total: 'n' }, /there are 7 \(n\)/],
    [
      'no number stands where the total is',
      beside('"total":7'),
      { total: 't', ...one },
      /not how many there are \(t\)/,
    ],
    [
      'fewer came than are counted beside a list with the name of its parent',
      `{"hits":{"total":{"value":7},"hits":[${all}]}}`,
      { records: 'hits.hits', total: 'hits.total.value', ...one },
      /there are 7 \(hits\.total/,
    ],
    [
      'a page in the middle is empty, and a number beside the first counts more',
      (asked) => `{"data":[${[two(0), '', two(2)][pageOf(asked)] ?? ''}],"total":6}`,
      byPage,
      /gave 2 records and says that there are 6 \(total\)/,
    ],
    [
      'the total is another one on a later page',
      changing('n', 5, 4),
      { ...byPage, total: 'n' },
      /list changed while it was read: the service counted 5, and on a later page 4 \(n\)/,
    ],
    [
      'the total of a header is another one on a later page',
      (asked) => ({ body: `[${two(pageOf(asked))}]`, headers: { 'x-total-count': pageOf(asked) === 0 ? '5' : '4' } }),
      byPage,
      /counted 5, and on a later page 4 \(X-Total-Count/,
    ],
    ['the number of pages changes on a later page', changing('totalPages', 3, 2), counted, /later page 2 \(totalP/],
    ['the next is no address', beside('"next":"opaque"'), { pages: { by: 'address', at: 'next' } }, /not how to ask/],
    ['a cursor is an object', beside('"next":{"id":"L6"}'), byCursor('next'), /not how to ask/],
    ['a flag says more as a number', beside('"next":null,"hasMore":1'), byCursor('next', 'hasMore'), /not how to ask/],
    [
      'the last page says more',
      beside('"next":null,"hasMore":true'),
      byCursor('next'),
      /"hasMore" is true, and not how/,
    ],
    ['its numbers say more', beside('"next":null,"page":{"hasMore":true}'), byCursor('next'), /"hasMore" is/],
    ['a flag is none', beside('"next":null,"hasMore":"perhaps"'), byCursor('next', 'hasMore'), /not how to ask/],
    ['no Link header has the next', beside('"next":"/p2"'), { pages: { by: 'link' } }, /beside them: next/],
    ['a name is empty', beside('"":"c2"'), {}, /beside them/],
    ['the place of the cursor is wrong', beside('"nextCursor":"c2"'), byCursor('nextCursr'), /nextCursor/],
    ['a name in the same other letters', beside('"次":"c2"'), { unrelated: ['合計'] }, /次/],
    ['a total stands among keyed balances', '{"data":{"L1":{"balance":1},"total":500}}', keyedById, /key total/],
    ['a sum stands before keyed balances', '{"data":{"sum":9,"L1":{"balance":1}}}', keyedById, /key sum/],
    ['a total stands among amounts', '{"data":{"L1":1.5,"L2":2,"Total":3.5}}', keyedById, /key Total .* name of/],
    ['one of keyed balances is none', '{"data":{"L1":{"balance":1},"L2":null}}', keyedById, /key L2/],
    ['a key says another id than its balance', '{"data":{"L2":{"loanId":"L9"}}}', byLoanId, /"loanId" of its own/],
    ['a row is short', '{"columns":["a","b"],"rows":[[1,2],[3]]}', rowsBelow('columns'), /Row 2 .* has 1 values for 2/],
    ['two columns have one name', '{"c":["a","a"],"rows":[[1,2]]}', rowsBelow('c'), /names of the columns \(c\)/],
    ['no column has a name', '{"c":[{"label":"a"}],"rows":[[1]]}', rowsBelow('c'), /names of the columns \(c\)/],
    ['nothing says where the names of the columns stand', '{"rows":[[1]]}', { shape: 'rows' }, /\(not declared\)/],
    ['they are not where the profile says', `{"data":[${all}]}`, { records: 'loans' }, /no balances at loans/],
  ])('because %s', async (_, answers, balances, said) => {
    await expect(exported(typeof answers === 'string' ? () => answers : answers, balances)).rejects.toThrow(said);
    expect(existsSync(inFolder('balances.ndjson'))).toBe(false);
  });

  it.each<[why: string, answer: string | Answer, said: RegExp]>([
    ['fewer came than the header counts', { body: `[${all}]`, headers: { 'x-total-count': '7' } }, /are 7 \(X-Total/],
    ['it is no JSON', { body: 'loanId,a', headers: { 'content-type': 'text/csv' } }, /begins with no list or obj/],
    ['it is not written in UTF-8', { body: Buffer.from('[{"name":"Café"}]', 'latin1') }, /not written in UTF-8/],
    ['its status says that it is a part', { status: 206, body: `{"data":[${all}]}` }, /status is 206/],
    ['its body says that it is a part', `{"data":[${all}],"status":206}`, /"status" is 206/],
    ['its body says that it is not ready', `{"data":[${all}],"status":202}`, /"status" is 202/],
    ['its body says so in a word', `{"data":[${all}],"status":"Partial"}`, /"status" is "Partial"/],
    ['its body says so around it', `{"partial":1,"data":{"items":[${all}],"partial":0}}`, /"partial" is 1/],
    ['an error stands around it', `{"errors":["x"],"data":{"items":[${all}],"errors":[]}}`, /"errors" is not empty/],
    ['the list was cut', `{"data":[${all}],"meta":{"is_truncated":true}}`, /"is_truncated" is true/],
    ['another list than the usual one holds something', '{"data":[],"warnings":[{"code":1}]}', /several lists/],
    ['two lists are usual', `{"open":{"items":[${two(0)}]},"paid":{"items":[${two(1)}]}}`, /open.items, paid.i/],
    ['its status says that it is not ready', { status: 202, body: `{"data":[${all}]}` }, /status is 202/],
    ['a list beside them is empty', '{"errors":[],"balances":{"L1":{"balance":1}}}', /holds no balances/],
    ['an object may be one balance', '{"data":{"current":{"amount":5},"overdue":{"amount":3}}}', /holds no balances/],
    ['they are broken beside the list', `{"data":[${all}],"a":{"b":{"c":{"d":{"e":{"f":,}}}}}}`, /not complete JSON/],
    ['a name is there twice', `{"data":[${two(0)}],"data":[${two(1)}]}`, /"data" is there twice/],
  ])('because %s', async (_, answer, said) => {
    await expect(exported(() => answer)).rejects.toThrow(said);
    expect(existsSync(inFolder('balances.ndjson'))).toBe(false);
  });

  it.each([
    ['a fault that is none', '"error":null,"errors":0,"partial":false', {}],
    ['a total that is an amount', '"total":1250.75', { unrelated: ['total'] }],
    ['a name that the profile takes out', '"errors":["x"],"truncated":true', { errors: [], incomplete: [], ...one }],
    ['a status, which is no yes and no no', '"status":"error"', {}],
    ['a status of a part, where one answer is all', '"status":206', one],
    ['a word of a status that the profile takes out', '"status":"partial"', { incomplete: [] }],
  ])('but are in spite of %s', async (_, members, balances) => {
    expect(await exported(() => `{"data":[${all}],${members}}`, balances)).toMatchObject({ records: 6 });
  });

  it.each([202, 206])('but are with a status of %i where one answer is all, as the refusal says', async (status) => {
    const answer = () => ({ status, body: `{"data":[${all}]}` });
    const error = await exported(answer, { incomplete: [], further: [] }).catch((thrown) => thrown);
    expect(error.remedy).toContain('"contract": { "balances": { "pages": { "by": "none" } } }');
    expect(await exported(answer, one)).toMatchObject({ records: 6 });
  });

  it('but are if each page is a part, and they are as many as are counted', async () => {
    const answers: Script = (asked) => ({
      status: 206,
      body: `[${two(pageOf(asked, 0, 'offset') / 2)}]`,
      headers: { 'content-range': `${pageOf(asked, 0, 'offset')}-${pageOf(asked, 0, 'offset') + 1}/6` },
    });
    expect(await exported(answers, { pages: { by: 'offset' } })).toMatchObject({ records: 6, lines: six });
  });

  it('but are if a usual name among amounts is declared to be a loan', async () => {
    const answer = () => '{"data":{"L1":1.5,"First":2}}';
    const error = await exported(answer, keyedById).catch((thrown) => thrown);
    expect(error.remedy).toContain('"paging": […]');
    expect(await exported(answer, { ...keyedById, paging: [] })).toMatchObject({ records: 2 });
  });

  it('because they are in several lists, which a path cannot join', async () => {
    const opened = exported(() => '{"deals":[{"loans":[]}]}', { records: 'deals[].loans' });
    await expect(opened).rejects.toMatchObject({ remedy: expect.stringContaining('A path leads to one list') });
  });

  it('because the profile names what stands beside them', async () => {
    const answer = `{"data":[${all}],"failed_loans":2}`;
    await expect(exported(() => answer, { errors: ['Failed loans'] })).rejects.toThrow(/"failed_loans" is 2/);
  });
});
