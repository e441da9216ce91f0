import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../../src/contract/contract-settings.ts';
import { parseExactly } from '../../../src/pipeline/export/exact-json.ts';
import { fullPage, nextPage, type PageRead } from '../../../src/pipeline/export/next-page.ts';
import type { Around } from '../../../src/pipeline/export/record-list.ts';

/** The second page of two records each, asked for with a parameter of the person's own. */
function nextAfter(around: string, more: Partial<PageRead> = {}) {
  const page: PageRead = {
    query: [['status', 'open']],
    number: 2,
    around: parseExactly(around) as Around,
    records: 2,
    recordsSoFar: 4,
    link: null,
    total: null,
    ...more,
  };
  const next = nextPage(page, assumedContract);
  if (next === null || 'page' in next) return next?.page ?? null;
  return next.query.map(([name, value]) => `${name}=${value}`).join('&');
}

describe('the next page', () => {
  it('is none when the answer says nothing of it, or that this was the last', () => {
    for (const around of [
      '{}',
      '{"success":true,"total":4}',
      '{"next":null}',
      '{"next":""}',
      '{"hasMore":false,"nextCursor":"x"}',
      '{"page":2,"totalPages":2,"nextPage":null}',
      '{"page":{"number":1,"size":2,"totalPages":2,"totalElements":4}}',
      '{"meta":{"offset":2,"limit":2,"total":4}}',
      '{"count":2,"total":1250.75}',
      '{"total":99999,"currency":"USD"}',
    ]) {
      expect(nextAfter(around), around).toBeNull();
    }
  });

  it.each([
    ['{"links":{"next":"/v1/loan/balances?p=3"}}', '/v1/loan/balances?p=3'],
    ['{"_links":{"next":{"href":"https://x.example/b?p=3"}}}', 'https://x.example/b?p=3'],
    ['{"meta":{"next":"?p=3"}}', '?p=3'],
    ['{"nextPageToken":"t3"}', 'status=open&pageToken=t3'],
    ['{"pageInfo":{"hasNextPage":true,"endCursor":"e"}}', 'status=open&after=e'],
    ['{"cursor":"c3","has_more":true}', 'status=open&cursor=c3'],
    ['{"nextPage":3}', 'status=open&page=3'],
    ['{"page":2,"pages":3}', 'status=open&page=3'],
    ['{"page":{"number":1,"size":2,"totalPages":3}}', 'status=open&page=2'],
    ['{"pagination":{"currentPage":2,"perPage":2,"total":5}}', 'status=open&page=3'],
    ['{"offset":2,"limit":2,"totalCount":5}', 'status=open&offset=4'],
    ['{"page":2,"hasNext":true}', 'status=open&page=3'],
  ])('by %s is %s', (around, expected) => {
    expect(nextAfter(around)).toBe(expected);
  });

  it('by the header goes above what the body says', () => {
    expect(nextAfter('{"page":2,"pages":3}', { link: '/b?page=3' })).toBe('/b?page=3');
  });

  it('that nobody can ask for is told, rather than left out', () => {
    for (const around of ['{"hasMore":true}', '{"next":"opaque"}', '{"limit":2,"total":9,"page":2,"hasMore":false}']) {
      expect(() => nextAfter(around), around).toThrow(/an export would be incomplete/);
    }
    expect(() => nextAfter('{}', { total: 9 })).toThrow(/gave 4 records and says that there are 9/);
    expect(nextAfter('{}', { total: 4 })).toBeNull();
  });

  it('is asked for behind a page without records where the answer counts more pages', () => {
    expect(nextAfter('{"page":2,"totalPages":3}', { records: 0 })).toBe('status=open&page=3');
    expect(nextAfter('{"page":3,"totalPages":3}', { records: 0, number: 3 })).toBeNull();
    expect(nextAfter('{"page":3,"totalPages":3}', { number: 1, query: [['page', '3']] })).toBeNull();
    expect(() => nextAfter('{"page":2,"totalPages":3,"hasMore":false}')).toThrow(/says that there are more/);
  });

  it.each([
    '{"totalRecords":50}',
    '{"totalCount":"50"}',
    '{"meta":{"total_items":50}}',
    '{"pagination":{"total":50}}',
    '{"total":4,"totalElements":50}',
    '{"hasMore":false,"totalCount":50}',
  ])('that is not told is missed where %s', (around) => {
    expect(() => nextAfter(around)).toThrow(/gave 4 records and says that there are 50 records/);
    expect(nextAfter(around, { recordsSoFar: 50 })).toBeNull();
  });

  it('is asked for by a cursor where the answer says that it is cut', () => {
    expect(nextAfter('{"isTruncated":true,"nextCursor":"c3"}')).toBe('status=open&cursor=c3');
  });

  it('replaces a parameter that the person has given', () => {
    expect(nextAfter('{"page":2,"pages":3}', { query: [['page', '2']] })).toBe('page=3');
  });
});

describe('a page that is full', () => {
  const sizeOf = (around: string, more: Partial<PageRead> = {}) =>
    fullPage(
      {
        query: [],
        number: 1,
        around: parseExactly(around) as Around,
        records: 2,
        recordsSoFar: 2,
        link: null,
        total: null,
        ...more,
      },
      assumedContract,
    );

  it('may be the first of several where nothing says that it is the last', () => {
    for (const around of ['{"limit":2,"offset":0}', '{"page":1,"pageSize":2}', '{"meta":{"per_page":2}}'])
      expect(sizeOf(around), around).toBe(2);
    expect(sizeOf('{}', { query: [['limit', '2']] })).toBe(2);
  });

  it('is the last one where the answer says so, in whatever way', () => {
    for (const around of [
      '{"limit":2,"total":2}',
      '{"limit":2,"hasMore":false}',
      '{"limit":2,"next":null}',
      '{"limit":2,"meta":{"nextCursor":null}}',
      '{"page":1,"pageSize":2,"totalPages":1}',
    ])
      expect(sizeOf(around), around).toBeNull();
    expect(sizeOf('{"limit":2}', { total: 2 })).toBeNull();
    expect(sizeOf('{"limit":2}', { number: 2, recordsSoFar: 4 })).toBeNull();
  });

  it('is none that has fewer records than a page holds', () => {
    expect(sizeOf('{"limit":50,"offset":0}')).toBeNull();
    expect(sizeOf('{}')).toBeNull();
  });
});
