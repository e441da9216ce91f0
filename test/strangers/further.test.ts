/** Further strangers, each a row of a table: how it names things, what it answers, and the profile that fits it. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { readWorkbook } from '../builders/tables.ts';
import {
  type Answer,
  type Asked,
  faultIn,
  type PlainService,
  type Shape,
  startPlainService,
} from './plain-service-cd.ts';
import { type Desk, deskOf, everyKind } from './stranger-load.ts';

const documented = {
  companies: { name: 'text', contactTypes: ['text'], ein: 'text' },
  'company-updates': { dba: 'text' },
  leads: { 'company.name': 'text', amountRequested: 'number', renewal: 'text' },
  deals: {
    ...{ 'company.id': 'text', amountRequested: 'number', 'owner1.firstName': 'text', 'owner1.lastName': 'text' },
    useOfProceeds: 'text',
  },
  notes: { dealId: 'text', status: 'text', note: 'text' },
  attachments: {},
  submissions: { dealId: 'text', companyId: 'text', status: 'text' },
  'submission-loans': { submissionId: 'text', dealId: 'text', amount: 'number', fundedDate: 'text' },
  transactions: { dealId: 'text', date: 'text', amount: 'number', reference: 'text' },
} satisfies Record<string, Readonly<Record<string, Shape>>>;
type Kind = keyof typeof documented;
const kinds = Object.keys(documented) as Kind[];

interface Further {
  readonly name: string;
  /** What the service calls a documented field, with its type where it is another. */
  readonly called: (path: string, kind: Kind) => string;
  readonly constants?: (kind: Kind) => Readonly<Record<string, string>>;
  readonly requests?: (kind: Kind) => object;
  readonly answers: object;
  readonly contract?: object;
  readonly type?: string;
  /** Around a record; of a batch, around the list of its rows, where they do not come one by one. */
  readonly around?: (record: Shape, kind: Kind) => Shape;
  readonly rowsIn?: (body: Body) => readonly Body[];
  readonly made: (id: string, kind: Kind, body: Body) => Answer;
  readonly no: (fault: string, kind: Kind) => Answer;
  readonly madeAll?: (rows: readonly Row[]) => Answer;
  readonly read: (id: string, body: Body, kind: Kind) => unknown;
  readonly balances: (ids: readonly string[]) => unknown;
  /** Answers to a deal that was made, from which nobody can tell. */
  readonly odd: readonly (Answer | object | null)[];
  readonly oddToAll?: object;
  /** Whether rows of a batch are refused one by one. */
  readonly tellsRows?: boolean;
  readonly routes?: Readonly<Record<string, (asked: Asked) => Answer>>;
}
type Body = Readonly<Record<string, never>>;
interface Row {
  readonly id: string;
  readonly row: Body;
  readonly is: 'made' | 'refused' | 'late';
}

const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });
const pascal = (path: string) => path.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase());
const snake = (path: string) => path.replaceAll('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const isId = (path: string) => /[a-z]Id$|\.id$/.test(path);
const related = (path: string) => path.replace(/\.?[iI]d$/, '');
const ofBatch = (rules: object) => (kind: Kind) => (kind === 'transactions' ? rules : {});

const jsonApi: Further = {
  name: 'JSON:API',
  called: (path) => `data.${isId(path) ? `relationships.${related(path)}.data.id` : `attributes.${pascal(path)}`}`,
  constants: (kind) => ({ 'data.type': kind, ...(kind === 'company-updates' ? { 'data.id': '900' } : {}) }),
  requests: (kind) => ({
    ...(kind === 'company-updates' ? { rename: { id: 'data.id' }, constants: { 'data.type': kind } } : {}),
    alone: true,
  }),
  answers: { '*': { record: ['data'], id: ['id'], url: ['links.self'], yes: '2xx' } },
  contract: { wire: { mediaType: 'application/vnd.api+json' }, headers: { accept: 'application/vnd.api+json' } },
  type: 'application/vnd.api+json',
  made: (id, type) => json(201, { data: { type, id, attributes: {}, links: { self: `/${type}/${id}` } } }),
  no: (detail) => json(422, { errors: [{ status: '422', title: 'Invalid', detail, source: { pointer: '/data' } }] }),
  read: (id, { data }) => ({ data: { id, ...(data as object) }, jsonapi: { version: '1.1' } }),
  balances: (ids) => ({
    data: ids.map((id) => ({ type: 'balance', id, attributes: { USD: 100.25 } })),
    links: { next: null },
  }),
  odd: [
    { data: null },
    { data: [] },
    { data: { type: 'deals', id: null } },
    { data: { id: '9' }, errors: [{ title: 'x' }] },
  ],
};

const properties: Further = {
  name: 'properties and inputs',
  called: (path) =>
    path === 'company.id'
      ? 'associations[0].to.id'
      : `properties.${snake(path)}${path === 'contactTypes' ? '' : ':text'}`,
  requests: ofBatch({ envelope: 'inputs' }),
  answers: {
    '*': { yes: '2xx', id: ['id'], no: [{ status: 'error' }], reason: ['message'] },
    transactions: {
      ...{ yes: { status: 'COMPLETE' }, no: ['errors', { status: ['error', 'CANCELED'] }] },
      items: { at: ['results'], match: { item: 'properties.reference', row: 'reference' } },
    },
  },
  around: (row, kind) => (kind === 'transactions' ? { inputs: [row] } : row),
  rowsIn: ({ inputs }) => inputs,
  made: (id, _, body) => json(201, { id, ...body, createdAt: '2026-06-30T00:00:00Z', archived: false }),
  no: (message) => json(400, { status: 'error', message, correlationId: 'a1', category: 'VALIDATION_ERROR' }),
  madeAll: (rows) => json(201, { status: 'COMPLETE', results: rows.map(({ id, row }) => ({ id, ...row })).reverse() }),
  read: (id, body) => ({ id, ...body, archived: false }),
  balances: (ids) => ({ results: ids.map((id) => ({ id, properties: { balance: '100.25' } })), paging: {} }),
  odd: [{ id: '' }, { properties: {} }, [], { id: null, status: 'PENDING' }],
  oddToAll: { status: 'PENDING', results: [] },
};

const composite: Further = {
  name: 'composites',
  called: (path) => (path === 'reference' ? 'attributes.referenceId' : `${pascal(path)}__c`),
  constants: (kind) => (kind === 'transactions' ? { 'attributes.type': 'Payment__c' } : {}),
  requests: ofBatch({ envelope: 'records' }),
  answers: {
    '*': { yes: { success: true }, id: ['id'], no: ['errors'], read: { id: ['Id'], yes: '2xx' } },
    'company-updates': { id: [], yes: '2xx' },
    transactions: {
      yes: { hasErrors: false },
      items: { at: ['results'], match: { item: 'referenceId', row: 'reference' } },
    },
  },
  around: (row, kind) => (kind === 'transactions' ? { records: [row] } : row),
  rowsIn: ({ records }) => records,
  made: (id, kind) => (kind === 'company-updates' ? { status: 204 } : json(201, { id, success: true, errors: [] })),
  no: (message) => json(400, [{ message, errorCode: 'FIELD_INTEGRITY_EXCEPTION', fields: [] }]),
  madeAll: (rows) =>
    json(201, {
      hasErrors: false,
      results: rows.map(({ id, row: { attributes } }) => ({ ...(attributes as object), id })),
    }),
  read: (Id, body) => ({ attributes: { type: 'Opportunity', url: '/x' }, Id, ...body }),
  balances: (ids) => ({ totalSize: ids.length, done: true, records: ids.map((Id) => ({ Id, Balance__c: 100.25 })) }),
  odd: [
    { success: 'true', id: '9' },
    { id: null, success: true, errors: [] },
    { success: true, id: '9', errors: [{}] },
    { success: false, id: '9' },
  ],
  oddToAll: { hasErrors: 'false', results: [] },
};

const numeric: Further = {
  name: 'IsOk: 1 and bare values',
  called: (path) => (isId(path) ? `${pascal(related(path))}Key:number` : pascal(path)),
  requests: ofBatch({ envelope: 'Payments' }),
  answers: {
    '*': {
      id: ['Value'],
      yes: { IsOk: 1 },
      no: ['Errors'],
      reason: ['Errors[].Message'],
      read: { record: ['Value'], id: ['Key'] },
    },
    'company-updates': { id: [] },
    transactions: { id: ['.'], items: { at: ['Value.Keys'] } },
  },
  contract: { wire: { date: 'YYYY-MM-DDT00:00:00' }, balances: { records: 'Value.USD' } },
  around: (row, kind) => (kind === 'transactions' ? { Payments: [row] } : row),
  rowsIn: ({ Payments }) => Payments,
  made: (id, kind) => json(200, { IsOk: 1, Value: kind === 'company-updates' ? null : Number(id), Errors: null }),
  no: (Message) => json(200, { IsOk: 0, Value: null, Errors: [{ Code: 'V1', Message }] }),
  madeAll: (rows) => json(200, { IsOk: 1, Value: { Keys: rows.map(({ id }) => Number(id)) }, Errors: [] }),
  read: (id, body) => ({ IsOk: 1, Value: { Key: Number(id), ...body }, Errors: [] }),
  balances: (ids) => ({ IsOk: 1, Value: { USD: ids.map((Key) => ({ Key, Balance: 100.25 })), EUR: [] }, Errors: null }),
  odd: [
    { IsOk: 1, Value: null },
    { IsOk: '1', Value: 9 },
    { IsOk: true, Value: 9 },
    { IsOk: 1, Value: true },
    { IsOk: 0, Value: 9 },
  ],
  oddToAll: { IsOk: 1, Value: { Keys: Array.from({ length: 12 }, () => 7) } },
};

const header = { Header: { System: 'SHEET' } };
const codes: Further = {
  name: 'codes and texts',
  called: (path) => (path === 'contactTypes' ? 'Kinds' : `${pascal(path)}:text`),
  requests: (kind) => ({
    envelope: `Request.Body${kind === 'transactions' ? '.Rows' : ''}`,
    beside: { 'Request.Header.System': 'SHEET' },
  }),
  answers: {
    '*': {
      ...{ record: ['Response'], id: ['Id'], yes: { 'Response.Code': ['00', '000'] } },
      ...{ no: [{ 'Response.Code': ['05', '12'] }], reason: ['Response.Text'] },
      read: { record: ['Response.Record'], id: ['No'] },
    },
    'company-updates': { id: [] },
    transactions: { items: null, count: ['Response.Count'] },
  },
  contract: { wire: { date: 'YYYYMMDD' } },
  around: (row, kind) => ({ Request: { ...header, Body: kind === 'transactions' ? { Rows: [row] } : row } }),
  rowsIn: ({ Request }) => (Request as { Body: { Rows: Body[] } }).Body.Rows,
  made: (Id, kind) =>
    json(200, { Response: { Code: '00', Text: 'OK', ...(kind === 'company-updates' ? {} : { Id: `000${Id}` }) } }),
  no: (Text) => json(200, { Response: { Code: '05', Text } }),
  madeAll: (rows) => json(200, { Response: { Code: '000', Count: String(rows.length) } }),
  read: (No, { Request }) => ({ Response: { Code: '00', Record: { No, ...(Request as { Body: object }).Body } } }),
  balances: (ids) => ({ Response: { Code: '00', Balances: ids.map((No) => ({ No, Balance: '100.25' })) } }),
  odd: [{ Code: '68', Text: 'Late' }, { Code: '' }, {}, { Code: '00' }, { Code: '05', Id: '0009' }].map((Response) => ({
    Response,
  })),
  oddToAll: { Response: { Code: '68' } },
};

const polled = new Map<string, readonly object[]>();
const queued: Further = {
  name: 'lists of one, and batches to poll',
  called: (path) => pascal(path),
  requests: (kind) => ({ envelope: kind === 'transactions' ? 'data' : 'data[0]' }),
  answers: {
    '*': {
      ...{ record: ['data[0].details'], id: ['id'], yes: { 'data[0].status': 'success' }, job: null },
      ...{
        no: [{ 'data[0].status': 'error' }],
        reason: ['data[0].message'],
        read: { record: ['data[0]'], yes: '2xx' },
      },
    },
    transactions: {
      ...{
        record: ['details'],
        itemYes: { status: 'success' },
        no: [{ status: 'error' }],
        reason: ['message'],
        yes: '2xx',
      },
      ...{ items: { at: ['rows'], index: 'line', first: 1 } },
      job: {
        ...{ id: ['batchId'], path: '/v1/batches/{id}', state: 'state', done: ['DONE'], result: 'outcome' },
        everyMs: 10,
      },
    },
  },
  around: (row) => ({ data: [row] }),
  rowsIn: ({ data }) => data,
  made: (id) => json(201, { data: [{ code: 'SUCCESS', details: { id }, message: 'record added', status: 'success' }] }),
  no: (message) => json(202, { data: [{ code: 'INVALID_DATA', details: {}, message, status: 'error' }] }),
  madeAll: (rows) => {
    const batchId = `b${rows[0]?.id}`;
    const status = { made: 'success', refused: 'error', late: 'queued' };
    const told = rows.map(({ id, is }, at) => ({
      line: at + 1,
      details: { id: is === 'refused' ? null : id },
      status: status[is],
      message: 'No such trace',
    }));
    polled.set(batchId, told.reverse());
    return json(202, { batchId, state: 'OPEN' });
  },
  routes: {
    'GET /v1/batches/{}': ({ places: [id = ''] }) => json(200, { state: 'DONE', outcome: { rows: polled.get(id) } }),
  },
  read: (id, { data }) => ({ data: [{ id, ...(data as object[])[0] }] }),
  balances: (ids) => ({ data: ids.map((id) => ({ id, Balance: 100.25 })), info: { more_records: false } }),
  odd: [
    { data: [] },
    { data: [{ status: 'success', details: {} }] },
    { data: [{ status: 'queued', details: { id: '9' } }] },
    { data: [{}] },
  ],
  oddToAll: { state: 'OPEN' },
  tellsRows: true,
};

const located: Further = {
  name: 'roots, Location alone, and a status for each',
  called: (path, kind) => `${kind === 'transactions' ? '' : `${paths[kind]}.`}${snake(path)}`,
  requests: ofBatch({ envelope: null }),
  answers: {
    '*': { yes: '2xx', reason: ['errors'], read: { record: ['deal', 'company'] } },
    'company-updates': { id: [] },
    notes: { id: [] },
    transactions: {
      ...{
        record: ['body'],
        id: ['id'],
        itemYes: { status: [200, 201] },
        no: [{ status: [400, 422] }],
        reason: ['body.error'],
      },
      items: { at: ['.'], index: 'index' },
    },
  },
  around: (row, kind) => (kind === 'transactions' ? [row] : row),
  rowsIn: (body) => body as unknown as Body[],
  made: (id, kind) =>
    ['notes', 'company-updates'].includes(kind)
      ? { status: 204 }
      : { status: 201, headers: { location: `/v1/${paths[kind]}/${id}` } },
  no: (fault) => json(422, { errors: { use_of_proceeds: [fault, 'is bad'] } }),
  madeAll: (rows) => {
    const told = { made: 201, refused: 422, late: 504 };
    const items = rows.map(({ id, is }, index) => ({
      index,
      status: told[is],
      body: is === 'made' ? { id } : { error: 'No such trace' },
    }));
    return json(207, items.reverse());
  },
  read: (id, body, kind) => ({ [paths[kind]]: { id, ...(body[paths[kind]] as object) } }),
  balances: (ids) => ids.map((id) => ({ id, balance: 100.25 })),
  odd: [{ status: 201 }, { status: 201, headers: { location: '/v1/errors/9' } }, { status: 200, body: 'Saved?' }, {}],
  oddToAll: [],
  tellsRows: true,
};

const strangers = [jsonApi, properties, composite, numeric, codes, queued, located];

const paths: Readonly<Record<Kind, string>> = {
  ...{ companies: 'company', 'company-updates': 'company', leads: 'lead', deals: 'deal', notes: 'deal/note' },
  ...{ attachments: 'deal/attachment', submissions: 'submission', 'submission-loans': 'submissionLoan' },
  transactions: 'transactions',
};

/** What a service has at the places by which it calls the fields of a kind. */
function shapeOf({ called, constants, around = (record) => record }: Further, kind: Kind): Shape {
  const shape: Record<string, unknown> = {};
  const put = (target: string, held: Shape) => {
    const [path = '', type] = target.split(':');
    const names = path.replaceAll('[0]', '.0').split('.');
    let at = shape;
    for (const [place, name] of names.slice(0, -1).entries()) {
      at[name] ??= names[place + 1] === '0' ? [] : {};
      at = at[name] as Record<string, unknown>;
    }
    at[names.at(-1) ?? ''] = type === 'number' ? 'whole' : (type ?? held);
  };
  for (const [path, held] of Object.entries(documented[kind] as Record<string, Shape>)) put(called(path, kind), held);
  for (const [path, held] of Object.entries(constants?.(kind) ?? {})) put(path, held);
  return around(shape as Shape, kind);
}

function profileOf({ called, constants, requests, answers, contract }: Further, url: string): object {
  const rules = kinds.map((kind) => {
    const names = Object.keys(documented[kind]).map((path) => [path, called(path, kind)]);
    const { rename = {}, ...own } = (requests?.(kind) ?? {}) as { rename?: object };
    const written = { constants: constants?.(kind), ...own, rename: { ...Object.fromEntries(names), ...rename } };
    return [kind, kind === 'attachments' ? {} : written];
  });
  return { url, batch: 5, contract: { ...contract, answers, requests: Object.fromEntries(rules) } };
}

describe.each(strangers)('a service of $name', (further) => {
  let service: PlainService;
  let desk: Desk;
  let made: Record<string, { readonly id: string; readonly body: Body }[]>;
  afterEach(async () => {
    await service.stop();
    desk.remove();
  });

  async function start(
    proceeds?: readonly string[],
    change: Partial<Further> & { readonly isStrictAtRows?: boolean } = {},
  ): Promise<void> {
    const { rowsIn, madeAll, isStrictAtRows } = { ...further, ...change };
    made = {};
    let next = 100;
    const add = (kind: Kind, body: Body) => {
      const id = kind === 'company-updates' ? '900' : String(next++);
      made[kind] = [...(made[kind] ?? []), { id, body }];
      return id;
    };
    const faultOf = (body: unknown, kind: Kind) =>
      faultIn(body, shapeOf(further, kind)) ?? (JSON.stringify(body).includes('Casino') ? 'No casinos' : null);
    const take =
      (kind: Kind) =>
      (asked: Asked): Answer => {
        if (asked.type !== (further.type ?? 'application/json') && kind !== 'attachments') return { status: 415 };
        const body = (kind === 'attachments' ? { parts: asked.parts } : asked.body) as Body;
        const fault = kind === 'attachments' ? null : faultOf(body, kind);
        if (fault !== null) return further.no(fault, kind);
        if (kind !== 'transactions' || rowsIn === undefined || madeAll === undefined) {
          const id = add(kind, body);
          const odd = kind === 'deals' ? further.odd[Number(/odd (\d)/.exec(JSON.stringify(body))?.[1])] : undefined;
          return odd === undefined ? further.made(id, kind, body) : isAnswer(odd) ? odd : json(200, odd);
        }
        const told = rowsIn(body).map((row): Row => {
          const is = isStrictAtRows && /ACH-2-[23]/.exec(JSON.stringify(row))?.[0];
          return {
            id: is === 'ACH-2-2' ? '' : add(kind, row),
            row,
            is: is === 'ACH-2-2' ? 'refused' : is === 'ACH-2-3' ? 'late' : 'made',
          };
        });
        return madeAll(told);
      };
    const read =
      (kind: Kind) =>
      ({ places: [id = ''] }: Asked): Answer => {
        const found = made[kind]?.find((each) => Number(each.id) === Number(id));
        return found === undefined ? { status: 404 } : json(200, further.read(id, found.body, kind));
      };
    const writes = kinds.map((kind) => [
      `${kind === 'company-updates' ? 'PATCH /v1/company/900' : `POST /v1/${paths[kind]}`}`,
      take(kind),
    ]);
    service = await startPlainService({
      ...(Object.fromEntries(writes) as Record<string, (asked: Asked) => Answer>),
      'GET /v1/company/{}': read('companies'),
      'GET /v1/deal/{}': read('deals'),
      'GET /v1/loan/balances': () => json(200, further.balances((made.deals ?? []).map(({ id }) => id))),
      ...further.routes,
    });
    desk = await deskOf(profileOf(further, service.url), everyKind(proceeds));
  }
  const writes = () => service.requests.filter((request) => !request.startsWith('GET')).length;
  const counts = () => Object.fromEntries(Object.entries(made).map(([kind, list]) => [kind, list.length]));
  const whole = {
    companies: 2,
    'company-updates': 1,
    leads: 2,
    deals: 3,
    notes: 3,
    attachments: 1,
    submissions: 1,
    'submission-loans': 1,
    transactions: 9,
  };
  const exported = async (...words: string[]) => {
    const ended = await desk.run('export', ...words, '--profile', 'stranger', '-o', `${words[0]}.json`);
    // The company that was updated was made elsewhere.
    expect(ended.exitCode, ended.stderr).toBe(words[0] === 'companies' ? 1 : 0);
    return JSON.parse(readFileSync(desk.path(`${words[0]}.json`), 'utf8')) as { record?: Record<string, unknown> }[];
  };

  it('gets every record of every kind once, and gives them back', async () => {
    await start();
    const { exitCode, stderr } = await desk.load();
    expect(exitCode, stderr).toBe(0);
    expect(counts()).toEqual(whole);
    const ids = (made.companies ?? []).map(({ id }) => ['Created', Number(id)]);
    expect((await desk.results('Companies')).map(([status, id]) => [status, Number(id)])).toEqual(ids);
    const before = writes();
    expect((await desk.load()).exitCode).toBe(0);
    expect(writes()).toBe(before);
    const deals = await exported('deals', '--ids', 'month.results.xlsx');
    expect(new Set(deals.map(({ record }) => record?.useOfProceeds))).toEqual(new Set(['Ovens', 'Chairs', 'Vans']));
    const companies = await exported('companies', '--ids', 'month.results.xlsx');
    expect(companies.flatMap(({ record }) => record?.name ?? [])).toEqual(['Harbor LLC', 'Blue Funding']);
    const balances = await exported('balances');
    expect(balances.map((balance) => /100\.25/.test(JSON.stringify(balance)))).toEqual([true, true, true]);
  });

  it('has its refusals told, and is not asked again where it was unclear', async () => {
    const { odd, oddToAll } = further;
    await start(
      ['Casino', ...odd.flatMap((_, at) => [`odd ${at}`, `Vans ${at}`])],
      oddToAll && { madeAll: () => json(200, oddToAll) },
    );
    const { exitCode, stderr } = await desk.load('--concurrency', '1', '--batch', '15');
    expect(exitCode, stderr).toBe(6);
    const deals = await readWorkbook(desk.path('month.results.xlsx'), 'Deals');
    expect(deals.map(({ Status }) => Status)).toEqual(['Rejected', ...odd.flatMap(() => ['In doubt', 'Created'])]);
    expect(deals[0]?.Problems).toMatch(/No casinos/i);
    const payments = new Set((await desk.results('Transactions')).map(([status]) => status));
    expect(payments).toEqual(new Set(['Waiting', oddToAll === undefined ? 'Created' : 'In doubt']));
    const before = counts();
    await desk.load();
    expect(counts()).toEqual(before);
  });

  it.runIf(further.tellsRows)('tells the rows of a batch apart', async () => {
    await start(['Ovens', 'Vans'], { isStrictAtRows: true });
    expect((await desk.load()).exitCode).toBe(6);
    const payments = await desk.results('Transactions');
    expect(payments.map(([status]) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'Created'),
      'Rejected',
      'In doubt',
    ]);
  });
});

function isAnswer(odd: Answer | object | null): odd is Answer {
  return odd !== null && 'status' in odd && typeof odd.status === 'number';
}
