/** Answers made at random: one with a no in it never lets a row in, and one without leaves no doubt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assumedContract } from '../../../src/contract/contract-settings.ts';
import type { RecordKindName } from '../../../src/contract/record-kind.ts';
import { recordKind } from '../../../src/contract/record-kinds.ts';
import { SignReader } from '../../../src/service/answers/sign-reader.ts';
import type { Outcome } from '../../../src/service/records/outcome.ts';
import { ServiceAddress } from '../../../src/service/sending/address.ts';
import type { CallEnd } from '../../../src/service/sending/call-end.ts';
import { bulkVerdictOf } from '../../../src/service/verdicts/bulk-answer.ts';
import { outcomeOf } from '../../../src/service/verdicts/verdict.ts';
import { aRecord } from '../builders.ts';

const settings = {
  address: new ServiceAddress(new URL('http://127.0.0.1:1'), assumedContract),
  contract: assumedContract,
  signs: new SignReader(assumedContract),
  timeoutMs: 1,
  idempotencyKeys: false,
};

function answered(value: unknown): CallEnd {
  const body = { kind: 'json', value } as const;
  return {
    kind: 'answer',
    verdict: 'success',
    attempts: 1,
    earlierDoubt: null,
    answer: { status: 200, headers: {}, body },
  };
}

function single(kind: RecordKindName, value: unknown): Outcome {
  const record = aRecord({ body: { dealId: 'deal_1', note: 'x' }, pathId: kind === 'company-updates' ? 'c' : null });
  return outcomeOf(recordKind(kind), record, '/v1/x', answered(value), () => [], settings);
}

const rows = ['ACH-0', 'ACH-1', 'ACH-2', 'ACH-3'].map((reference) => aRecord({ body: { reference } }));
function bulk(value: unknown): readonly Outcome[] {
  return bulkVerdictOf(rows, answered(value), () => () => [], settings).outcomes;
}

const isIn = ({ state }: Outcome): boolean => ['created', 'accepted', 'updated'].includes(state);

/** The same name in the spellings of services. */
const spelt = (name: string) =>
  fc.constantFrom(
    name,
    name.toUpperCase(),
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    name.replace(/(?=[A-Z])/g, '_').toLowerCase(),
    name.replace(/(?=[A-Z])/g, '-').toLowerCase(),
  );

const member = (names: readonly string[], values: fc.Arbitrary<unknown>) =>
  fc.constantFrom(...names).chain((name) => fc.record({ name: spelt(name), value: values }));

const trouble = fc.oneof(
  fc.constantFrom<unknown>(true, 1, 'Amount is too small.', 'E17'),
  fc.array(fc.constantFrom<unknown>('bad', { message: 'bad' }, { field: 'ein', message: 'bad' }), { minLength: 1 }),
  fc.record({ message: fc.constantFrom('bad', 'is closed'), code: fc.constantFrom<unknown>(0, 7, 'X') }),
);

const aNo = fc.oneof(
  member(
    ['success', 'ok', 'succeeded', 'isSuccess'],
    fc.constantFrom<unknown>(false, 0, '0', 'no', 'false', 'NO', null),
  ),
  member(
    ['status', 'result', 'outcome', 'state'],
    fc.constantFrom<unknown>('error', 'Failed', 'REJECTED', 'not created', 'not_saved', 'partial', 422, '500', false),
  ),
  member(['statusCode', 'code', 'httpStatus'], fc.constantFrom<unknown>(400, 409, '422', 500, -1)),
  member(
    [
      'error',
      'errors',
      'errorMessage',
      'hasErrors',
      'fieldErrors',
      'failures',
      'failed',
      'rejected',
      'failedCount',
      'rejectionReason',
      'invalidRows',
      'skipped',
    ],
    trouble,
  ),
  member(['accepted', 'created', 'processed', 'count', 'savedCount'], fc.constantFrom<unknown>(0, '0', false, [])),
);

const harmless = fc.oneof(
  member(
    ['warnings', 'messages', 'links', 'notes'],
    fc.constantFrom<unknown>([], ['The EIN was seen before.'], { self: 'x' }, null),
  ),
  member(
    ['errors', 'error', 'failed', 'rejected', 'failedCount', 'errorMessage', 'hasErrors', 'skipped', 'exception'],
    fc.constantFrom<unknown>([], {}, null, 0, false, '', '0', 'none', 'No error'),
  ),
  member(
    ['status', 'result'],
    fc.constantFrom<unknown>(
      'ok',
      'created',
      'success',
      'Active',
      'In review',
      'Not started',
      200,
      'completed without errors',
      true,
    ),
  ),
  member(
    ['createdAt', 'created', 'updatedAt', 'accepted'],
    fc.constantFrom<unknown>('2026-06-30T10:00:00Z', 1782813600, null),
  ),
  member(
    ['requestId', 'took', 'version', 'message', 'type'],
    fc.constantFrom<unknown>('r-1', 12, 'Record created.', null),
  ),
);

type Member = { readonly name: string; readonly value: unknown };
const objectOf = (members: readonly Member[]) => Object.fromEntries(members.map(({ name, value }) => [name, value]));
const extras = fc.array(harmless, { maxLength: 4 }).map(objectOf);
const place = fc.constantFrom('here', 'data', 'meta', 'summary', 'response', 'result', 'list');

/** Puts a no into the answer, or beside the record where services put one. */
function withNo(answer: Readonly<Record<string, unknown>>, no: Member, where: string): Record<string, unknown> {
  const said = { [no.name]: no.value };
  if (where === 'here') return { ...without(answer, no.name), ...said };
  return { ...without(answer, where), [where === 'list' ? 'results' : where]: where === 'list' ? [said] : said };
}

function without(answer: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).filter(([key]) => key.toLowerCase() !== name.toLowerCase()));
}

const documented = fc.record({
  success: fc.constant(true),
  id: fc.constantFrom('a', 'deal_7', 17),
  url: fc.constant('https://x.example/a'),
});
const runs = { numRuns: 2_000 };

describe('an answer to one row', () => {
  const kinds = fc.constantFrom<RecordKindName>('deals', 'companies', 'leads', 'notes', 'attachments', 'submissions');

  it('with a no in it never lets the row in', () => {
    fc.assert(
      fc.property(kinds, documented, extras, aNo, place, (kind, result, further, no, where) => {
        expect(isIn(single(kind, withNo({ ...further, ...result }, no, where)))).toBe(false);
      }),
      runs,
    );
  });

  it('without a no lets the row in', () => {
    fc.assert(
      fc.property(kinds, documented, extras, (kind, result, further) => {
        expect(single(kind, { ...further, ...result })).toMatchObject({ state: 'created', id: String(result.id) });
        expect(single(kind, { data: { ...further, ...result } })).toMatchObject({ state: 'created' });
        expect(single(kind, { ...further, ...result, meta: further })).toMatchObject({ state: 'created' });
      }),
      runs,
    );
  });

  it('to an update, with an error or a bad status in it, never says that it was made', () => {
    const noToUpdate = aNo.filter(({ name }) => !/created|count/i.test(name));
    fc.assert(
      fc.property(documented, extras, noToUpdate, place, (result, further, no, where) => {
        expect(isIn(single('company-updates', withNo({ ...further, ...result }, no, where)))).toBe(false);
      }),
      runs,
    );
  });

  it('of any shape at all is judged', () => {
    fc.assert(
      fc.property(kinds, fc.jsonValue(), (kind, value) => {
        expect(['created', 'accepted', 'in-doubt', 'rejected']).toContain(single(kind, value).state);
        expect(bulk(value)).toHaveLength(rows.length);
      }),
      runs,
    );
  });
});

describe('an answer to many rows', () => {
  const item = fc.record({ further: extras, yes: fc.constantFrom({}, { success: true }, { status: 'created' }) });
  const items = fc.tuple(item, item, item, item);
  const listed = (list: readonly { further: object; yes: object }[]) =>
    list.map(({ further, yes }, index) => ({ ...further, ...yes, index, id: `t${index}` }));
  const listName = fc.constantFrom('transactions', 'results', 'items', 'data');

  it('never lets a row in whose item says no, and lets the others in', () => {
    fc.assert(
      fc.property(
        items,
        listName,
        fc.nat(3),
        aNo,
        fc.constantFrom('here', 'response', 'result'),
        (list, name, row, no, where) => {
          const plain = listed(list);
          const answer = { [name]: plain.map((told, index) => (index === row ? withNo(told, no, where) : told)) };
          expect(bulk(answer).map(isIn)).toEqual(plain.map((_, index) => index !== row));
        },
      ),
      runs,
    );
  });

  it('never lets all rows in when the whole says no', () => {
    fc.assert(
      fc.property(items, listName, extras, aNo, place, (list, name, further, no, where) => {
        fc.pre(where !== name && !(where === 'list' && name === 'results'));
        const outcomes = bulk(withNo({ ...further, success: true, [name]: listed(list) }, no, where));
        // A count may stand for a part of the rows that it does not name.
        expect(outcomes.every(isIn)).toBe(false);
      }),
      runs,
    );
  });

  it('never lets a row in when there is no list and the whole says no', () => {
    fc.assert(
      fc.property(extras, aNo, place, (further, no, where) => {
        fc.pre(where !== 'list');
        expect(bulk(withNo({ ...further, success: true }, no, where)).some(isIn)).toBe(false);
      }),
      runs,
    );
  });

  it('without a no lets all rows in', () => {
    fc.assert(
      fc.property(items, listName, extras, (list, name, further) => {
        expect(bulk({ ...further, success: true, [name]: listed(list) }).every(isIn)).toBe(true);
        expect(bulk({ ...further, success: true }).every(isIn)).toBe(true);
      }),
      runs,
    );
  });
});
