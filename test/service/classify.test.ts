import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { answerRulesOf, answersSchema } from '../../src/contract/answer-rules.ts';
import { assumedContract, contractSettingsSchema } from '../../src/contract/contract-settings.ts';
import { type RecordKindName, recordKindNames } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { rowStates } from '../../src/contract/row-state.ts';
import { ServiceAddress } from '../../src/service/address.ts';
import { bodyOf } from '../../src/service/answer.ts';
import { classify, type SentRow } from '../../src/service/classify.ts';
import type { RowsCall } from '../../src/service/conversation.ts';
import { knownIds, outcomesOf } from '../../src/service/row-outcomes.ts';
import { callsOf } from '../../src/service/senders.ts';
import { anAnswer, aRecord } from './builders.ts';

type Declared = z.input<typeof answersSchema>;

const row = (changes: Partial<SentRow> = {}): SentRow => ({ matched: null, pathId: null, ownIds: [], ...changes });
const rulesOf = (kind: RecordKindName, answers: Declared = {}) =>
  answerRulesOf(recordKind(kind), answersSchema.parse(answers));
const ruling = (kind: RecordKindName, body: unknown, answers: Declared = {}, sent = row(), status = 200) => {
  const [verdict] = classify(anAnswer(body, status), [sent], false, rulesOf(kind, answers));
  if (verdict === undefined) return null;
  return verdict.is === 'doubt' ? verdict.why : verdict.is === 'yes' ? `yes ${verdict.id}` : verdict.is;
};

describe('an answer to one record', () => {
  const update = row({ pathId: 'cmp_1' });
  it.each<[what: string, kind: RecordKindName, body: unknown, expected: string, sent?: SentRow, status?: number]>([
    ['the documented yes', 'deals', { success: true, id: 'd1', company: { id: 'c1' } }, 'yes d1'],
    ['an id alone, where it is documented', 'deals', { id: 'd1' }, 'yes d1'],
    ['a yes without the documented id', 'deals', { success: true }, 'without-id'],
    ['an empty id', 'deals', { success: true, id: '' }, 'unusable-id'],
    ['an id that a terminal obeys', 'deals', { success: true, id: 'd\u001b[2J1' }, 'unusable-id'],
    ['an id whose bytes are not UTF-8', 'deals', { success: true, id: 'd\uFFFD1' }, 'unusable-id'],
    ['an id with a star', 'deals', { id: 'd*1' }, 'yes d*1'],
    ['a no', 'deals', { success: false, errorMessage: 'closed' }, 'no'],
    ['a no beside an id', 'deals', { success: false, id: 'd1' }, 'contradiction'],
    ['an error beside an id', 'deals', { id: 'd1', errors: ['closed'] }, 'contradiction'],
    ['empty errors beside an id', 'deals', { id: 'd1', errors: [], error: null, errorMessage: '' }, 'yes d1'],
    ['another kind of yes', 'deals', { success: 'true', id: 'd1' }, 'no-declared-yes'],
    ['a job', 'deals', { success: true, id: 'd1' }, 'job', row(), 202],
    ['the documented flag, where no answer is shown', 'notes', { success: true }, 'yes null'],
    ['nothing', 'notes', {}, 'no-declared-yes'],
    ['a return code', 'notes', { returnCode: 'FAIL' }, 'no-declared-yes'],
    ['an id under another name that is empty', 'notes', { noteId: null }, 'no-declared-yes'],
    ['errors of GraphQL', 'notes', { data: { noteCreate: { note: null, userErrors: ['x'] } } }, 'no-declared-yes'],
    ['a rehearsal', 'notes', { dryRun: true }, 'no-declared-yes'],
    ['a friendly word', 'notes', { status: 'ok', message: 'Note created successfully' }, 'no-declared-yes'],
    ['a yes and a word', 'notes', { success: true, message: 'Added' }, 'yes null'],
    ['a yes and a rehearsal', 'notes', { success: true, dryRun: true }, 'undeclared-beside-yes'],
    ['an id alone, where no answer is shown', 'notes', { id: 'n1' }, 'yes n1'],
    ['an id beside a word, with no answer shown', 'notes', { id: 'req-7', status: 'error' }, 'undeclared-beside-yes'],
    ['a yes that is not kept', 'notes', { success: true, committed: false }, 'undeclared-beside-yes'],
    ['the name of a job', 'deals', { success: true, id: 'd1', jobId: 'J-1' }, 'job'],
    ['the id of its own deal', 'notes', { success: true, id: 'd1' }, 'yes null', row({ ownIds: ['d1'] })],
    ['the id of its own deal alone', 'notes', { id: 'd1' }, 'no-declared-yes', row({ ownIds: ['d1'] })],
    ['a list', 'notes', [{ success: true }], 'no-declared-yes'],
    ['an update that repeats its id', 'company-updates', { id: 'cmp_1' }, 'yes cmp_1', update],
    ['an update that says yes', 'company-updates', { success: true }, 'yes null', update],
    ['an update with the id of a change', 'company-updates', { success: true, id: 'change_8' }, 'yes change_8', update],
    ['an update with the id of a change alone', 'company-updates', { id: 'change_8' }, 'no-declared-yes', update],
    ['an update without a yes', 'company-updates', { name: 'Harbor' }, 'no-declared-yes', update],
  ])('with %s', (_, kind, body, expected, sent, status) => {
    expect(ruling(kind, body, {}, sent, status)).toBe(expected);
  });

  it.each(['****', '****1231', '12**-**7', '••12', 'xxxx-xxxx-1231'])('with the masked id %s', (id) => {
    expect(ruling('notes', { success: true, id })).toBe('unusable-id');
  });

  it('is read as the profile declares it', () => {
    const answers: Declared = {
      deals: { record: ['data.deal'], id: ['deal_id'], yes: { 'meta.ok': 1 }, no: ['meta.problems'] },
      notes: { id: [], yes: { result: 'SAVED' } },
      leads: { yes: '2xx', id: [] },
    };
    expect(ruling('deals', { data: { deal: { deal_id: 7 } }, meta: { ok: 1 } }, answers)).toBe('yes 7');
    expect(ruling('deals', { id: 'd1', success: true }, answers)).toBe('without-id');
    expect(ruling('deals', { data: { deal: { deal_id: 7 } }, meta: { problems: ['x'] } }, answers)).toBe(
      'contradiction',
    );
    expect(ruling('notes', { result: 'SAVED', id: 'n1' }, answers)).toBe('yes null');
    expect(ruling('notes', { result: 'QUEUED' }, answers)).toBe('no');
    expect(ruling('leads', {}, answers)).toBe('yes null');
    expect(ruling('leads', { error: 'closed' }, answers)).toBe('no');
    expect(ruling('leads', {}, answers, row(), 500)).toBe('no-declared-yes');
    const addresses: Declared = { '*': { idInUrl: '/{id}', yes: '2xx' } };
    expect(ruling('company-updates', null, addresses, row({ pathId: 'cmp_1' }), 204)).toBe('yes null');
  });

  it.each<[what: string, rules: object, body: unknown, expected: string]>([
    ['the id in place of the record', { id: ['data'] }, { success: true, data: 'd7' }, 'yes d7'],
    ['the id as the record', { record: ['data'], id: ['.'], yes: '2xx' }, { data: 7 }, 'yes 7'],
    ['nothing but the id', { id: ['.'], yes: '2xx' }, 'd7', 'yes d7'],
    ['a word in its place', { id: ['.'], yes: '2xx' }, 'DENIED', 'without-id'],
    ['the id of a request, where an address has the id', { idInUrl: '/deals/{id}' }, { id: 'r-1' }, 'without-id'],
    ['an address, beside the id of a request', { idInUrl: '/deals/{id}' }, { id: 'r-1', url: '/deals/d7' }, 'yes d7'],
    ['a record in its place', { record: ['data'], id: ['.'], yes: '2xx' }, { data: { name: 'x' } }, 'unusable-id'],
    [
      'the one of a list',
      { record: ['rows[0]'], id: ['Id'], yes: { is: 0 } },
      { is: 0, rows: [{ Id: 'd7' }] },
      'yes d7',
    ],
    ['a code that is the yes', { yes: { result_code: 0 }, id: ['id'] }, { result_code: 0, id: 'd7' }, 'yes d7'],
    ['another code', { yes: { result_code: 0 }, id: ['id'] }, { result_code: 17, text: 'closed' }, 'no'],
    ['no code', { yes: { result_code: 0 }, id: [] }, { text: 'hello' }, 'no-declared-yes'],
    ['a code as a text', { yes: { result_code: 0 }, id: ['id'] }, { result_code: '0', id: 'd7' }, 'no-declared-yes'],
    ['one of several words', { yes: { status: ['ok', 'made'] }, id: [] }, { status: 'made' }, 'yes null'],
    ['a word that is declared nowhere', { yes: { status: 'ok' }, id: [] }, { status: 'queued' }, 'no'],
    ...(['queued', 'FAILED', 'ok '] as const).map((status): [string, object, unknown, string] => [
      `${status}, where words are declared for a no`,
      { yes: { status: 'ok' }, no: [{ status: ['failed', 400] }], id: [] },
      { status },
      'no-declared-yes',
    ]),
    ['a declared word of a no', { yes: { status: 'ok' }, no: [{ status: ['failed', 400] }] }, { status: 400 }, 'no'],
    ['its yes in parts of a list', { yes: { '[].ok': true }, id: [] }, [{ ok: true }, { ok: false }], 'contradiction'],
    ['its yes in all parts of a list', { yes: { '[].ok': true }, id: [] }, [{ ok: true }, { ok: true }], 'yes null'],
    [
      'an error in a list of lists',
      { no: ['rows[].errors[]'], id: ['id'] },
      { id: null, rows: [{ errors: [] }, { errors: ['x'] }] },
      'no',
    ],
    [
      'empty errors in a list of lists',
      { no: ['rows[].errors[]'], id: ['id'], yes: '2xx' },
      { id: 'd7', rows: [{ errors: [] }] },
      'yes d7',
    ],
  ])('is read as it is declared: %s', (_, rules, body, expected) => {
    expect(ruling('deals', body, answersSchema.parse({ deals: rules }))).toBe(expected);
  });
});

describe('an answer to a batch', () => {
  const rows = ['a', 'b', 'c'].map((reference) => row({ matched: reference }));
  const of = (body: unknown, answers: Declared = {}, status = 200) =>
    classify(anAnswer(body, status), rows, true, rulesOf('transactions', answers)).map((verdict) =>
      verdict.is === 'doubt' ? verdict.why : verdict.is === 'yes' ? (verdict.id ?? 'yes') : verdict.is,
    );
  const all = (what: string): readonly string[] => [what, what, what];
  /** A yes with something undeclared beside it, no declared yes, and another number of rows than were sent. */
  const [beside, unclear, miscounted] = ['undeclared-beside-yes', 'no-declared-yes', 'other-count'];

  it.each<[what: string, body: unknown, expected: readonly string[]]>([
    ['one yes', { success: true }, all('yes')],
    ['one no', { success: false, message: 'closed' }, all('no')],
    ['items in order', { success: true, transactions: [{ id: 't1' }, { id: 't2' }, { id: 't3' }] }, ['t1', 't2', 't3']],
    ['an item refused', { transactions: [{ id: 't1' }, { error: 'closed' }, { id: 't3' }] }, ['t1', 'no', 't3']],
    ['an item that says nothing', { transactions: [{ id: 't1' }, {}, { id: 't3' }] }, ['t1', unclear, 't3']],
    ['fewer items', { success: true, transactions: [{ id: 't1' }, { id: 't3' }] }, all(miscounted)],
    ['no items', { success: true, transactions: [] }, all(miscounted)],
    ['a yes and an error', { success: true, errors: ['closed'] }, all('contradiction')],
    ['an empty list beside its yes', { success: true, transactionIds: [] }, all(beside)],
    ['an id of the batch', { success: true, id: 'b1' }, all('yes')],
    ['an undeclared count beside its yes', { success: true, posted: 2 }, all(beside)],
    ['undeclared statuses', { success: true, statuses: [200, 400, 200] }, all(beside)],
    ['an undeclared no', { success: true, committed: false }, all(beside)],
    ['a count alone', { posted: 3 }, all(unclear)],
    ['a no beside a number of rows', { success: false, message: 'Row 2 is closed', posted: 2 }, all(miscounted)],
    ['a no beside such a number as a text', { success: false, message: 'closed', posted: '2' }, all(miscounted)],
    ['a no beside the rows that may be in', { success: false, made: [{ id: 't1' }, { id: 't3' }] }, all(miscounted)],
    ['a no beside the number of a fault', { success: false, message: 'closed', code: 121 }, all('no')],
    ['errors of fewer rows alone', { errors: [{ row: 2, message: 'closed' }] }, all(miscounted)],
    ['an error in words', { error: 'closed' }, all('no')],
    ['nothing', {}, all(unclear)],
  ])('with %s', (_, body, expected) => {
    expect(of(body)).toEqual(expected);
  });

  /** What becomes of three rows, `Y` in, `N` refused, `?` in doubt, by the count that stands beside the stance of the whole. */
  it.each<[list: object, rows: unknown, stances: Readonly<Record<string, string>>]>([
    [
      { what: 'no list', items: null },
      undefined,
      //         not declared | missing |  3  |  2  |  0
      {
        yes: '    YYY            ???      YYY   ???   ???',
        no: '     NNN            NNN      ???   ???   NNN',
        open: '   ???            ???      ???   ???   ???',
        nothing: '???            ???      YYY   ???   ???',
      },
    ],
    [
      { what: 'a list of other rows', items: { at: ['rows'] } },
      [{ why: 'closed' }],
      {
        yes: '    ???            ???      ???   ???   ???',
        no: '     NNN            NNN      ???   ???   NNN',
        open: '   ???            ???      ???   ???   ???',
        nothing: '???            ???      ???   ???   ???',
      },
    ],
    [
      { what: 'items for all, the second refused', items: { at: ['rows'] } },
      [{ id: 't1' }, { why: 'closed' }, { id: 't3' }],
      {
        yes: '    YNY            YNY      Y?Y   ?N?   ?N?',
        no: '     ?N?            ?N?      ???   ?N?   ?N?',
        open: '   ?N?            ?N?      ???   ?N?   ?N?',
        nothing: 'YNY            YNY      Y?Y   ?N?   ?N?',
      },
    ],
    [
      { what: 'the second alone, the others in', items: { at: ['rows'], index: 'row', others: 'in' } },
      [{ row: 1, why: 'closed' }],
      {
        yes: '    YNY            ?N?      ???   YNY   ?N?',
        no: '     ?N?            ?N?      ???   ?N?   ?N?',
        open: '   ?N?            ?N?      ???   ?N?   ?N?',
        nothing: '?N?            ?N?      ???   ?N?   ?N?',
      },
    ],
    ...(['refused', 'in-doubt'] as const).map((others): [object, object[], Record<string, string>] => [
      { what: `the first and the last alone, the others ${others}`, items: { at: ['rows'], index: 'row', others } },
      [
        { row: 0, id: 't1' },
        { row: 2, id: 't3' },
      ],
      {
        yes: '    YNY            ???      ???   YNY   ???'.replaceAll('N', others === 'refused' ? 'N' : '?'),
        ...{ no: '???  ???  ???  ???  ???', open: '???  ???  ???  ???  ???', nothing: '???  ???  ???  ???  ???' },
      },
    ]),
  ])(
    'by its list, the stance of the whole and a count: %j',
    ({ what: _, ...declared }: { what?: string }, list, stances) => {
      const counts = [undefined, undefined, 3, 2, 0];
      for (const [stance, expected] of Object.entries(stances)) {
        const is = stance === 'nothing' ? undefined : stance;
        const said = counts.map((n, at) => {
          const rules = {
            id: ['id'],
            yes: { is: 'yes' },
            no: [{ is: 'no' }, 'why'],
            itemYes: { ok: true },
            ...(at > 0 && { count: ['n'] }),
          };
          const meanings = of(
            JSON.parse(JSON.stringify({ is, n, rows: list })),
            answersSchema.parse({ transactions: { ...rules, ...declared } }),
          );
          return meanings.map((each) => (each === 'no' ? 'N' : /^(?:yes|t\d)$/.test(each) ? 'Y' : '?')).join('');
        });
        expect(said, stance).toEqual(expected.trim().split(/ +/));
      }
    },
  );

  it('with a count of more rows than its items tell of leaves a doubt where an item says no', () => {
    const counted = { transactions: { count: ['posted'] } };
    const body = { posted: 2, transactions: [{ id: 't1' }, { error: 'closed' }, { error: 'closed' }] };
    expect(of(body, counted)).toEqual(all(miscounted));
    expect(of({ ...body, posted: 1 }, counted)).toEqual([miscounted, 'no', 'no']);
  });

  it('is told apart by the declared index, in whatever order its items stand', () => {
    const answers: Declared = { transactions: { items: { at: ['data'], index: 'row', first: 1 }, yes: '2xx' } };
    const item = (place: number) => ({ row: place, id: `t${place}` });
    expect(of({ data: [item(3), item(1), item(2)] }, answers)).toEqual(['t1', 't2', 't3']);
    expect(of({ data: [item(3), item(1), item(1)] }, answers)).toEqual(all(miscounted));
    expect(of({ data: [item(3), item(1), item(4)] }, answers)).toEqual(all(miscounted));
    expect(of({ data: { x: item(3), y: item(1), z: { row: 2, error: 'closed' } } }, answers)).toEqual([
      't1',
      'no',
      't3',
    ]);
  });

  it('is told apart by a value that its rows and items share', () => {
    const answers: Declared = { transactions: { items: { at: ['.'], index: 'externalId', row: 'reference' } } };
    const item = (externalId: string) => ({ externalId, id: `t-${externalId}` });
    expect(of([item('c'), item('a'), item('b')], answers)).toEqual(['t-a', 't-b', 't-c']);
    expect(of([item('c'), item('a'), item('a')], answers)).toEqual(all(miscounted));
  });

  const no = (row: number) => ({ row, why: 'closed' });
  const t = (id: number, row = id) => ({ row, id: `t${id}` });
  const failures = {
    ...{ items: { at: ['failed'], index: 'row', others: 'in' }, yes: '2xx', no: ['why'], count: ['n'], id: [] },
  };
  const matched = { items: { at: ['data'], index: '@', row: 'reference' }, yes: '2xx' };
  const listed = { ...failures, no: [], count: [], id: ['id'], items: { ...failures.items, first: 1 } };
  it.each<[what: string, rules: object, body: unknown, expected: readonly string[]]>([
    [
      'failures alone, with ids and no declared reason',
      listed,
      { failed: [{ row: 2, id: 't2', reason: 'closed' }] },
      ['yes', 'contradiction', 'yes'],
    ],
    ['failures alone, without the declared count', failures, { failed: [no(0)] }, ['no', miscounted, miscounted]],
    [
      'lists in lists',
      { items: { at: ['deals[].payments'] }, yes: '2xx' },
      { deals: [{ payments: [{ id: 't1' }] }, { payments: [{ id: 't2' }, { errors: [{ detail: 'closed' }] }] }] },
      ['t1', 't2', 'no'],
    ],
    [
      'a list of those that are in and one of the others',
      { items: { at: ['data.made', 'data.failed'], index: 'row', first: 1 }, yes: '2xx', no: ['why'] },
      { data: { made: [t(3), t(1)], failed: [no(2)] } },
      ['t1', 'no', 't3'],
    ],
    [
      'two lists whose items do not say which they are',
      { items: { at: ['made', 'failed'] }, yes: '2xx', no: ['why'] },
      { made: [{ id: 't3' }, { id: 't1' }], failed: [{ why: 'closed' }] },
      all(miscounted),
    ],
    ['an object by refs', matched, { data: { c: { id: 't3' }, a: { id: 't1' }, b: { id: 't2' } } }, ['t1', 't2', 't3']],
    [
      'an object by places',
      { ...matched, items: { at: ['.'], index: '@' } },
      { 2: { id: 't3' }, 0: { id: 't1' }, 1: {} },
      ['t1', unclear, 't3'],
    ],
    [
      'an object by places, which PHP writes as a list where they are 0, 1, …',
      { items: { at: ['ok', 'bad'], index: '@' }, yes: '2xx', id: ['.'], no: ['why'] },
      { ok: [7, 8], bad: { 2: no(2) } },
      ['7', '8', 'no'],
    ],
    [
      'places that are not those of its rows',
      { items: { at: ['ok', 'bad'], index: '@' }, yes: '2xx', id: ['.'], no: ['why'] },
      { ok: [7, 8], bad: { 1: no(1) } },
      all(miscounted),
    ],
    [
      'an object whose keys mean nothing',
      { ...matched, items: { at: ['.'] } },
      { x: { id: 't1' }, y: { id: 't2' }, z: { id: 't3' } },
      all(miscounted),
    ],
    [
      'a list of errors beside one of those that are in',
      { items: { at: ['results', 'errors'], index: 'row' }, yes: '2xx' },
      { results: [t(1, 0), t(3, 2)], errors: [{ row: 1, message: 'closed', errors: ['x'] }] },
      ['t1', 'no', 't3'],
    ],
    ['failures alone', failures, { n: 2, failed: [no(1)] }, ['yes', 'no', 'yes']],
    ['several failures of one row', failures, { n: 2, failed: [no(1), { row: 1, why: 'late' }] }, ['yes', 'no', 'yes']],
    ['an empty list of failures', failures, { n: 3, failed: [] }, all('yes')],
    ['no list of failures', failures, { n: 3 }, all('yes')],
    ['an empty list of failures as the whole', { ...listed, items: { ...listed.items, at: ['.'] } }, [], all('yes')],
    ['an empty list of failures beside an undeclared number', listed, { in: 1, failed: [] }, all(beside)],
    [
      'failures beside numbers that tell of no row',
      { ...failures, unrelated: ['of.all', 'lot'] },
      { n: 2, of: { all: 3 }, lot: { no: 7 }, failed: [no(1)] },
      ['yes', 'no', 'yes'],
    ],
    [
      'failures beside one more number',
      { ...failures, unrelated: ['of.all'] },
      { n: 2, of: { all: 3, in: 1 }, failed: [no(1)] },
      [beside, 'no', beside],
    ],
    ['a number in place of the list of failures', listed, { failed: 2 }, all(beside)],
    ...[[], null, false, 'locked'].map((body): [string, object, unknown, readonly string[]] => [
      `${JSON.stringify(body)} in place of an object with the list of failures`,
      listed,
      body,
      all('no-list'),
    ]),
    ['failures of rows that were not sent', failures, { failed: [no(3)] }, all(miscounted)],
    ['failures of no row', failures, { failed: [{ why: 'closed' }] }, all(miscounted)],
    ['a failure that is no no', failures, { n: 2, failed: [{ row: 0, state: 'queued' }] }, [unclear, 'yes', 'yes']],
    ['failures beside another number', failures, { n: 3, failed: [no(1)] }, all(miscounted)],
    ['failures, and a no to all', failures, { why: 'closed', failed: [no(1)] }, [unclear, 'no', unclear]],
    [
      'a text in place of an object with failures that are texts',
      { items: { at: ['errors'], index: '@', first: 1, others: 'in' }, yes: '2xx', no: ['.'] },
      'Fatal error: out of time',
      all('no-list'),
    ],
    ...(['refused', 'failed'] as const).map((failed): [string, object, unknown, readonly string[]] => [
      `a failure with an id of its own, in a list that is a no or not: ${failed}`,
      { items: { at: ['in', failed], index: 'row' }, yes: '2xx', no: ['refused', 'why'], id: ['id'] },
      { in: [t(1, 0), t(3, 2)], [failed]: [{ row: 1, id: 'err_7', text: 'closed' }] },
      ['t1', failed === 'refused' ? 'contradiction' : 'err_7', 't3'],
    ]),
    [
      'items that disagree about their row',
      { ...failures, itemYes: { ok: true } },
      { n: 2, failed: [no(1), { row: 1, ok: true }] },
      ['yes', 'contradiction', 'yes'],
    ],
    [
      'a text in place of the list of failures',
      { ...failures, no: ['failed'] },
      { failed: 'Row 2 is closed' },
      all(unclear),
    ],
    [
      'failures by the numbers of their rows, from 1',
      { items: { at: ['errors'], index: '@', first: 1, others: 'in' }, yes: '2xx', no: ['.'] },
      { errors: { 2: ['closed', 'late'] } },
      ['yes', 'no', 'yes'],
    ],
    ...[
      ...[{ ok: true, made: [] }, { ok: true }, { ok: true, made: [t(1)], skipped: 2 }, { ok: false, made: [] }],
      ...[
        { ok: true, made: [t(1), t(4, 1)] },
        { ok: true, made: [t(1), t(4)] },
      ],
    ].map((body, at): [string, object, unknown, readonly string[]] => [
      `successes alone: ${JSON.stringify(body)}`,
      { items: { at: ['made'], index: 'row', first: 1, others: 'refused' }, yes: { ok: true } },
      body,
      [all('no'), all('no-list'), ['t1', beside, beside], all('no')][at] ?? all(miscounted),
    ]),
    [
      'ids beside a word alone',
      { items: { at: ['rows'] }, idIf: { is: ['in', 'old'] }, yes: '2xx', no: [{ is: 'out' }] },
      { rows: [{ is: 'in', id: 't1' }, { is: 'out', id: 'req-2' }, { id: 't3' }] },
      ['t1', 'no', 'no-declared-yes'],
    ],
    ['ids alone', { items: { at: ['ids'] }, id: ['.'], yes: '2xx' }, { ids: [7, 8, 9] }, ['7', '8', '9']],
    [
      'an envelope for each',
      { items: { at: ['.'] }, record: ['body.data'], itemYes: { code: 201 }, no: ['body.error'] },
      [
        { code: 201, body: { data: { id: 't1' } } },
        { code: 409, body: { error: { text: 'closed' } } },
        { code: 201, body: {} },
      ],
      ['t1', 'no', 'without-id'],
    ],
    [
      'counts of several groups',
      { items: null, count: ['groups[].count'], yes: '2xx' },
      { groups: [{ count: 1 }, { count: 2 }] },
      all('yes'),
    ],
    [
      'counts of too few',
      { items: null, count: ['groups[].count'], yes: '2xx' },
      { groups: [{ count: 1 }, { count: 1 }] },
      all(miscounted),
    ],
  ])('is read as it is declared: %s', (_, rules, body, expected) => {
    const id = 'itemYes' in rules ? { id: ['id'] } : {};
    expect(of(body, answersSchema.parse({ transactions: { ...id, ...rules } }))).toEqual(expected);
  });

  it.each<[what: string, rules: object, body: unknown, expected: string]>([
    ['a yes within a no', { yes: { ok: true } }, { ok: false, transactions: [{ ok: true }] }, miscounted],
    [
      'no items in a whole under way',
      { yes: { is: 'done' }, no: [{ is: 'failed' }] },
      { is: 'open', transactions: [] },
      miscounted,
    ],
    ['a no and a number of rows', { items: { at: ['rows'] }, yes: { ok: true } }, { in: 2, error: 'x' }, miscounted],
    [
      'a no and a list',
      { items: { at: ['d.r'] }, yes: { ok: true } },
      { d: { in: [7], r: [] }, error: 'x' },
      miscounted,
    ],
    ['a no and an item that is no no', { items: { at: ['rows'] } }, { error: 'x', rows: [{ is: 'in' }] }, miscounted],
    [
      'a no and a number of rows in its envelope',
      { items: null, yes: { 'r.is': 'ok' }, no: [{ 'r.is': 'no' }], reason: ['r.why.text'] },
      { r: { is: 'no', why: { text: 'x', posted: '2' } } },
      miscounted,
    ],
    ['a yes and a number of rows in its envelope', { yes: { 'r.ok': true } }, { r: { ok: true, posted: 2 } }, beside],
    ['a no and the declared id', { items: null, id: ['lot'], yes: '2xx' }, { error: 'x', lot: 'L1' }, 'contradiction'],
    ...[{}, [], null, 0, { uid: '' }].map((body): [string, object, unknown, string] => [
      `${JSON.stringify(body)} in place of the declared id`,
      { id: ['uid'], yes: '2xx' },
      body,
      unclear,
    ]),
    ['errors beside a yes', { yes: { is: 'done' } }, { is: 'done', errors: ['x'], transactions: [] }, 'contradiction'],
    [
      'a whole that is unclear',
      { yes: { is: 'done' }, no: [{ is: 'failed' }] },
      { is: 'open', transactions: rows.map((_, id) => ({ id: id + 1 })) },
      beside,
    ],
    [
      'a yes of some rows',
      { items: null, yes: { 'r[].is': 'in' } },
      { r: [{ is: 'in' }, { is: 'out' }] },
      'contradiction',
    ],
  ])('leaves a doubt with %s', (_, rules, body, expected) => {
    expect(of(body, answersSchema.parse({ transactions: rules }))).toEqual(all(expected));
  });

  it('is in by a declared count alone that equals the rows', () => {
    const answers: Declared = {
      transactions: { items: null, count: ['result.count'], yes: '2xx', no: ['errorMessage'] },
    };
    expect(of({ result: { count: 3 } }, answers)).toEqual(all('yes'));
    expect(of({ result: { count: 2 } }, answers)).toEqual(all(miscounted));
    expect(of({ result: { count: '3' } }, answers)).toEqual(all('yes'));
    expect(of({ result: { count: 'all 3' } }, answers)).toEqual(all(miscounted));
    expect(of({ result: {} }, answers)).toEqual(all(unclear));
    expect(of({ result: { count: 0 }, errorMessage: 'closed' }, answers)).toEqual(all('no'));
  });

  it.each([
    { count: ['n'], items: null },
    { items: { at: ['data'] } },
    { items: { at: ['f'], index: 'i', others: 'in' } },
  ])('leaves a doubt without what is declared of its rows: %j', (declared) => {
    const rules = rulesOf('transactions', answersSchema.parse({ transactions: { ...declared, yes: '2xx', id: [] } }));
    for (const body of [{ kind: 'empty' }, { kind: 'text', text: 'Saved' }] as const) {
      const verdicts = classify({ ...anAnswer(undefined), body }, rows, true, rules);
      expect(verdicts.map(({ is }) => is)).toEqual(all('doubt'));
    }
  });

  it('leaves a doubt where its status refuses, and an item is in by being no no', () => {
    const rules = rulesOf('transactions', { transactions: { items: { at: ['.'] }, itemYes: '2xx', id: [] } });
    const refused = { ...anAnswer([{ line: 1 }, { error: 'closed' }, { line: 3 }], 400), means: 'rejected' } as const;
    expect(classify(refused, rows, true, rules).map(({ is }) => is)).toEqual(all('doubt'));
  });

  it.each([1, 3])('leaves a doubt with a no, and a declared count of %i rows that are in', (count) => {
    for (const items of [null, { at: ['rows'] }]) {
      const answers = answersSchema.parse({ transactions: { items, count: ['in'], yes: { ok: true } } });
      for (const body of [
        { ok: false, in: count },
        { ok: false, in: String(count), rows: [] },
      ])
        expect(of(body, answers)).toEqual(all(miscounted));
    }
  });

  it.each([{ posted: 0 }, { committed: false }, { statuses: [400] }])(
    'of a single row leaves a doubt with something undeclared beside its yes: %j',
    (undeclared) => {
      const [verdict] = classify(anAnswer({ success: true, ...undeclared }), [row()], true, rulesOf('transactions'));
      expect(verdict).toMatchObject({ is: 'doubt', why: beside });
    },
  );
});

describe('a plain text', () => {
  const text = (said: string, type = 'text/plain') => {
    return { ...anAnswer(undefined), body: bodyOf(Buffer.from(said), { 'content-type': type }, null, true) };
  };
  it.each(['CLOSED', 'ERR 12: closed', '77'])('P2: is no yes to a batch where a text is an id: %s', (said) => {
    const answers = answersSchema.parse({ '*': { id: ['.'], yes: '2xx' }, transactions: { items: null } });
    const verdicts = classify(text(said), [row(), row()], true, rulesOf('transactions', answers));
    expect(verdicts.map(({ is }) => is)).toEqual(['doubt', 'doubt']);
  });

  it.each<[said: string, rules: object, expected: string, type?: string]>([
    ['OK', { yes: { '.': 'OK' }, id: [] }, 'yes null'],
    ['ERR 12: closed', { yes: { '.': 'OK' }, id: [] }, 'no'],
    ['Later', { yes: { '.': 'OK' }, no: [{ '.': 'ERR' }], id: [] }, 'no-declared-yes'],
    ['d_77\r\n', { yes: '2xx', id: ['.'] }, 'yes d_77'],
    ['ERR 12: closed', { yes: '2xx', id: ['.'] }, 'without-id'],
    ['ERR 12: closed', { yes: '2xx', id: ['.'], no: [{ '.': 'ERR 12: closed' }] }, 'no'],
    ['DENIED', { yes: '2xx', id: ['.'] }, 'without-id'],
    ['ERR|EIN_12-3456789', { yes: '2xx', id: ['.'] }, 'without-id'],
    ['7d577253-3ef0-4a0a-bb7f-8335c2596e70', { yes: '2xx', id: ['.'] }, 'yes 7d577253-3ef0-4a0a-bb7f-8335c2596e70'],
    ['<Ok/>', { yes: { '.': '<Ok/>' }, id: [] }, 'no-record'],
    ['OK', { yes: { '.': 'OK' }, id: [] }, 'yes null', 'text/html'],
    ['ERR 12<br>', { yes: { '.': 'OK' }, id: [] }, 'page', 'text/html'],
    ['Saved', { yes: '2xx', id: [] }, 'page', 'text/html'],
    ['OK', { yes: { status: 'OK' }, id: [] }, 'no-record'],
    ['Saved', { yes: '2xx', id: [] }, 'yes null'],
    ['Saved', { yes: '2xx' }, 'no-record'],
  ])('%j, by %j, is %s', (said, rules, expected, type) => {
    const [verdict] = classify(
      text(said, type),
      [row()],
      false,
      rulesOf('deals', answersSchema.parse({ deals: rules })),
    );
    expect(verdict?.is === 'doubt' ? verdict.why : verdict?.is === 'yes' ? `yes ${verdict.id}` : verdict?.is).toBe(
      expected,
    );
  });
});

describe('any answer', () => {
  const word = fc.constantFrom(
    'id',
    'success',
    'error',
    'errors',
    'data',
    'status',
    'transactions',
    'count',
    'company',
    'ok',
    'url',
  );
  const held = fc.oneof(
    fc.constantFrom<unknown>(true, false, null, '', 0, 1, 3, 'ok', 'FAIL', 'd1', 'true', '***', 202),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const body = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      held,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(word, tie('node'), { maxKeys: 5 }),
    ),
  })).node;

  /** The same rules, read a second time and another way: is there any declared yes to be found at all? */
  const hasDeclaredYes = (kind: RecordKindName, value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const own = value as Record<string, unknown>;
    const { id, success } = own;
    const isGivenId = typeof id === 'string' ? /[\p{L}\p{N}]/u.test(id) : typeof id === 'number' && id > 0;
    if ('success' in own && success !== null && success !== true) return false;
    if (kind === 'deals' || kind === 'companies') return isGivenId;
    return isGivenId || success === true;
  };

  it('P2: without the declared yes is never called in', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...recordKindNames),
        body,
        fc.constantFrom(200, 201, 202, 207),
        (kind, value, status) => {
          const isUpdate = kind === 'company-updates';
          const rules = rulesOf(kind);
          if (kind !== 'transactions') {
            const sent = row({ pathId: isUpdate ? 'd1' : null });
            const is = classify(anAnswer(value, status), [sent], false, rules)[0]?.is;
            if (is === 'yes') expect(status !== 202 && hasDeclaredYes(kind, value)).toBe(true);
            return;
          }
          const sent = [row(), row(), row()];
          const list = (value as { transactions?: unknown } | null)?.transactions;
          const items = typeof list === 'object' && list !== null ? Object.values(list) : null;
          classify(anAnswer(value, status), sent, true, rules).forEach(({ is }, place) => {
            if (is !== 'yes') return;
            expect(status).not.toBe(202);
            expect(
              items === null ? hasDeclaredYes(kind, value) : items.length === 3 && hasDeclaredYes(kind, items[place]),
            ).toBe(true);
          });
        },
      ),
      { numRuns: 3_000 },
    );
  });

  /** What a profile may declare, and the same read a second time: what must and must not stand in a body for a yes. */
  const declared = fc.record({
    yes: fc.constantFrom<object | string>('2xx', { status: 'ok' }, { status: ['ok', 1] }, { 'data.ok': true }),
    no: fc.constantFrom<unknown[]>([], ['error'], [{ status: ['FAIL', 202] }], ['error', { status: 'FAIL' }]),
    id: fc.constantFrom<string[]>([], ['id'], ['data.id']),
  });
  const inner = fc.record({ id: held, ok: held }, { requiredKeys: [] });
  const dense = fc.record({ status: held, id: held, error: held, data: inner }, { requiredKeys: [] });
  const near = fc.oneof(dense, body);
  const at = (value: unknown, place: string): unknown =>
    place.split('.').reduce<unknown>((held, name) => {
      const isThere = typeof held === 'object' && held !== null && Object.hasOwn(held, name);
      return isThere ? (held as Record<string, unknown>)[name] : undefined;
    }, value);
  const isNothing = (value: unknown) =>
    [undefined, null, false, '', 0].includes(value as never) || /^(?:\[\]|\{\})$/.test(JSON.stringify(value));
  const mayBeYes = (
    value: unknown,
    { yes, no, id: [place] }: { yes: object | string; no: unknown[]; id: string[] },
  ) => {
    const wanted =
      typeof yes === 'string'
        ? []
        : Object.entries(yes).map(([path, held]) => [at(value, path), [held].flat()] as const);
    const isDenied = no.some((each) =>
      typeof each === 'string'
        ? !isNothing(at(value, each))
        : Object.entries(each as object).some(([path, held]) => [held].flat().includes(at(value, path))),
    );
    const isOther = wanted.some(([held, values]) => held !== undefined && held !== null && !values.includes(held));
    const isWhole = wanted.every(([held, values]) => values.includes(held));
    const hasId = place !== undefined && ['string', 'number'].includes(typeof at(value, place));
    return !isDenied && !isOther && (place === undefined ? isWhole : hasId);
  };

  it('is called in by what a profile declares, and by nothing else', () => {
    fc.assert(
      fc.property(declared, near, fc.constantFrom('deals', 'notes', 'leads'), (rules, value, kind) => {
        const answers = answersSchema.parse({ [kind]: rules });
        const is = classify(anAnswer(value), [row()], false, rulesOf(kind, answers))[0]?.is;
        if (is === 'yes') expect(mayBeYes(value, rules)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  const address = new ServiceAddress(new URL('http://127.0.0.1/'), assumedContract);
  const bodies = fc.oneof(
    near.map((value) => JSON.stringify(value)),
    near.map((value) => JSON.stringify(value).slice(0, -1)),
    near.map((value) => `<answer>${JSON.stringify(value)}</answer>`),
    fc.constantFrom(
      '',
      ' ',
      'ok',
      'Saved',
      '<error/>',
      '<?xml version="1.0"?><ok/>',
      '<html>ok</html>',
      '[',
      '\uFEFF{}',
    ),
  );
  it('is called in by no bytes but those of a declared yes, whatever its status', () => {
    const statuses = fc.constantFrom(200, 201, 202, 204, 207, 400, 404, 409, 422, 500, 503);
    fc.assert(
      fc.property(declared, bodies, statuses, fc.constantFrom('deals', 'notes', 'leads'), (own, text, status, name) => {
        const contract = contractSettingsSchema.parse({ answers: { [name]: own } });
        const kind = recordKind(name);
        const answer = { status, headers: {}, body: bodyOf(Buffer.from(text), {}, null, true) };
        const means = status < 300 ? 'success' : status < 500 ? 'rejected' : 'in-doubt';
        const end = { kind: 'answer', means, answer, attempts: 1, earlierDoubt: null } as const;
        const settings = { address, contract, timeoutMs: 1, idempotencyKeys: false };
        const [sent] = callsOf(kind, [aRecord()], settings);
        const session = { ...settings, secretsOf: () => [] };
        const [outcome] = outcomesOf(
          sent as RowsCall,
          end,
          session,
          knownIds(() => {}),
        );
        if (outcome === undefined || !rowStates[outcome.state].isIn) return;
        expect(status < 300 && status !== 202).toBe(true);
        const isPlain = own.yes === '2xx' && own.id.length === 0 && !/^[\s\uFEFF]*[[{"<]/.test(text);
        expect(isPlain || mayBeYes(JSON.parse(text.replace('\uFEFF', '')), own)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is called in row by row only where its list has a yes for each', () => {
    fc.assert(
      fc.property(declared, fc.array(near, { maxLength: 4 }), near, (rules, list, beside) => {
        const items = { at: ['rows'] };
        const answers = answersSchema.parse({ transactions: { ...rules, items, itemYes: rules.yes } });
        const value = { ...(typeof beside === 'object' && !Array.isArray(beside) ? beside : {}), rows: list };
        classify(anAnswer(value), [row(), row(), row()], true, rulesOf('transactions', answers)).forEach(
          ({ is }, place) => {
            if (is === 'yes') expect(list.length === 3 && mayBeYes(list[place], rules)).toBe(true);
          },
        );
      }),
      { numRuns: 3_000 },
    );
  });
});
