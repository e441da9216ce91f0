/** Further strangers, each a row of a table: how it names things, what it answers, and the profile that fits it. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, type Asked, faultIn, type Shape, type Stranger, startStranger } from './stranger.ts';
import { type Desk, deskOf, everyKind } from './stranger-load.ts';

const documented = {
  companies: { name: 'text', contactTypes: ['text'], ein: 'text' },
  'company-updates': { dba: 'text' },
  leads: { 'company.name': 'text', amountRequested: 'number', renewal: 'text' },
  deals: {
    ...{ 'company.id': 'text', amountRequested: 'number', useOfProceeds: 'text' },
    ...{ 'owner1.firstName': 'text', 'owner1.lastName': 'text' },
  },
  notes: { dealId: 'text', status: 'text', note: 'text' },
  attachments: {},
  submissions: { dealId: 'text', companyId: 'text', status: 'text' },
  'submission-loans': { submissionId: 'text', dealId: 'text', amount: 'number', fundedDate: 'text' },
  transactions: { dealId: 'text', date: 'text', amount: 'number', reference: 'text' },
} satisfies Record<string, Readonly<Record<string, Shape>>>;
type Kind = keyof typeof documented;
const kinds = Object.keys(documented) as Kind[];
const paths: Readonly<Record<Kind, string>> = {
  ...{ companies: 'company', 'company-updates': 'company', leads: 'lead', deals: 'deal', notes: 'deal/note' },
  ...{ attachments: 'deal/attachment', submissions: 'submission', 'submission-loans': 'submissionLoan' },
  transactions: 'transactions',
};

type Body = Readonly<Record<string, unknown>>;
interface Row {
  readonly id: string;
  readonly row: Body;
  readonly is: 'made' | 'refused' | 'late';
}
interface Further {
  readonly name: string;
  /** What the service calls a documented field, with its type where it is another. */
  readonly called: (path: string, kind: Kind) => string;
  readonly constants?: (kind: Kind) => Readonly<Record<string, string>>;
  /** Without it, the rows of a batch stand where they are said to, and records by themselves. */
  readonly requests?: (kind: Kind) => object;
  readonly answers: object;
  readonly contract?: object;
  readonly mediaType?: string;
  readonly around?: (record: Shape, kind: Kind) => Shape;
  /** Where the rows of a batch stand, unless they come one by one; empty where they are the whole. */
  readonly rows?: string;
  readonly made: (id: string, kind: Kind, body: Body) => Answer;
  readonly no: (fault: string) => Answer;
  readonly madeAll?: (rows: readonly Row[]) => Answer;
  readonly read: (id: string, body: Body, kind: Kind) => unknown;
  readonly balances: (ids: readonly string[], asked: Asked) => Answer;
  /** Answers to a deal, and to a batch, that was taken: nobody can tell from them. */
  readonly odd: readonly Answer[];
  readonly oddToAll: unknown;
  /** Whether rows of a batch are refused one by one. */
  readonly tellsRows?: boolean;
  readonly routes?: Readonly<Record<string, (asked: Asked) => Answer>>;
  /** Where a record stands below the path of its kind. */
  readonly place?: (id: string) => string;
}

const ok = (body: unknown) => json(200, body);
const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });
const inside = (body: unknown, path: string): unknown =>
  path === '' ? body : path.split('.').reduce((at, name) => (at as Body)[name], body);
const pascal = (path: string) => path.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase());
const snake = (path: string) => path.replaceAll('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const jsonApi: Further = {
  name: 'JSON:API',
  called: (path) => {
    const [, related] = /^(.+?)\.?[iI]d$/.exec(path) ?? [];
    return related === undefined ? `data.attributes.${pascal(path)}` : `data.relationships.${related}.data.id`;
  },
  constants: (kind) => ({ 'data.type': kind }),
  requests: (kind) => (kind === 'company-updates' ? { rename: { id: 'data.id' } } : { alone: true }),
  answers: { '*': { record: ['data'], id: ['id'], url: ['links.self'], yes: '2xx' } },
  contract: { wire: { mediaType: 'application/vnd.api+json' }, headers: { accept: 'application/vnd.api+json' } },
  mediaType: 'application/vnd.api+json',
  around: (shape, kind) => {
    const { data } = shape as { data: object };
    return { data: kind === 'company-updates' ? { ...data, id: '900' } : data } as Shape;
  },
  made: (id, type) => json(201, { data: { type, id, attributes: {}, links: { self: `/${type}/${id}` } } }),
  no: (detail) => json(422, { errors: [{ status: '422', title: 'Invalid', detail, source: { pointer: '/data' } }] }),
  read: (id, { data }) => ({ data: { id, ...(data as object) }, jsonapi: { version: '1.1' } }),
  balances: (ids) => ok({ data: ids.map((id) => ({ type: 'balance', id, attributes: { USD: 100.25 } })), links: {} }),
  odd: [{ data: null }, { data: [] }, { data: { type: 'deals' } }, { data: { id: '9' }, errors: [{}] }].map(ok),
  oddToAll: null,
};

const properties: Further = {
  name: 'properties and inputs',
  called: (path) => (path === 'company.id' ? 'associations[0].to.id' : `properties.${snake(path)}`),
  answers: {
    '*': { yes: '2xx', id: ['id'], no: [{ status: 'error' }], reason: ['message'] },
    transactions: {
      ...{ yes: { status: 'COMPLETE' }, no: ['errors', { status: ['error', 'CANCELED'] }] },
      items: { at: ['results'], index: 'properties.reference', row: 'reference' },
    },
  },
  rows: 'inputs',
  made: (id, _, body) => json(201, { id, ...body, createdAt: '2026-06-30T00:00:00Z', archived: false }),
  no: (message) => json(400, { status: 'error', message, category: 'VALIDATION_ERROR' }),
  madeAll: (rows) => json(201, { status: 'COMPLETE', results: rows.map(({ id, row }) => ({ id, ...row })).reverse() }),
  read: (id, body) => ({ id, ...body, archived: false }),
  balances: (ids) => ok({ results: ids.map((id) => ({ id, properties: { balance: '100.25' } })), paging: {} }),
  odd: [{ id: '' }, { properties: {} }, [], { id: null, status: 'PENDING' }].map(ok),
  oddToAll: { status: 'PENDING', results: [] },
};

const composite: Further = {
  name: 'composites',
  called: (path) => (path === 'reference' ? 'attributes.referenceId' : `${pascal(path)}__c`),
  constants: (kind) => (kind === 'transactions' ? { 'attributes.type': 'Payment__c' } : {}),
  answers: {
    '*': { yes: { success: true }, id: ['id'], no: ['errors'], read: { id: ['Id'], yes: '2xx' } },
    'company-updates': { id: [], yes: '2xx' },
    transactions: {
      yes: { hasErrors: false },
      items: { at: ['results'], index: 'referenceId', row: 'reference' },
    },
  },
  rows: 'records',
  made: (id, kind) => (kind === 'company-updates' ? { status: 204 } : json(201, { id, success: true, errors: [] })),
  no: (message) => json(400, [{ message, errorCode: 'FIELD_INTEGRITY_EXCEPTION', fields: [] }]),
  madeAll: (rows) => {
    const results = rows.map(({ id, row }) => ({ referenceId: inside(row, 'attributes.referenceId'), id }));
    return json(201, { hasErrors: false, results });
  },
  read: (Id, body) => ({ attributes: { type: 'Opportunity', url: '/x' }, Id, ...body }),
  balances: (ids) => ok({ totalSize: ids.length, done: true, records: ids.map((Id) => ({ Id, Balance__c: 100.25 })) }),
  odd: [
    ok({ success: 'true', id: '9' }),
    ok({ success: true, id: null }),
    ok({ success: true, id: '9', errors: [{}] }),
  ],
  oddToAll: { hasErrors: 'false', results: [] },
};

const codes: Further = {
  name: 'codes and texts',
  called: (path) => (path === 'contactTypes' ? 'Kinds' : `${pascal(path)}:text`),
  requests: (kind) => {
    const envelope = kind === 'transactions' ? 'Request.Body.Rows' : 'Request.Body';
    return { envelope, beside: { 'Request.Header.From': 'me' } };
  },
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
  around: (row, kind) => ({
    Request: { Header: { From: 'me' }, Body: kind === 'transactions' ? { Rows: [row] } : row },
  }),
  rows: 'Request.Body.Rows',
  made: (id, kind) => ok({ Response: { Code: '00', ...(kind === 'company-updates' ? {} : { Id: `000${id}` }) } }),
  no: (Text) => ok({ Response: { Code: '05', Text } }),
  madeAll: (rows) => ok({ Response: { Code: '000', Count: String(rows.length) } }),
  read: (No, body) => ({ Response: { Code: '00', Record: { No, ...(inside(body, 'Request.Body') as object) } } }),
  balances: (ids) => ok({ Response: { Code: '00', Balances: ids.map((No) => ({ No, Balance: '100.25' })) } }),
  odd: [{ Code: '68' }, { Code: '' }, {}, { Code: '00' }, { Code: '05', Id: '09' }].map((each) =>
    ok({ Response: each }),
  ),
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
      ...{ no: [{ 'data[0].status': 'error' }], reason: ['data[0].message'] },
      read: { record: ['data[0]'], yes: '2xx' },
    },
    transactions: {
      ...{ record: ['details'], itemYes: { status: 'success' }, no: [{ status: 'error' }], reason: ['message'] },
      ...{ yes: '2xx', items: { at: ['rows'], index: 'line', first: 1 } },
      job: { id: ['job'], path: '/v1/jobs/{id}', state: 'is', done: ['DONE'], result: 'outcome', everyMs: 10 },
    },
  },
  around: (row) => ({ data: [row] }),
  rows: 'data',
  made: (id) => json(201, { data: [{ code: 'SUCCESS', details: { id }, message: 'added', status: 'success' }] }),
  no: (message) => json(202, { data: [{ code: 'INVALID_DATA', details: {}, message, status: 'error' }] }),
  madeAll: (rows) => {
    const status = { made: 'success', refused: 'error', late: 'queued' };
    const told = rows.map(({ id, is }, at) => ({ line: at + 1, details: { id }, status: status[is], message: 'No' }));
    polled.set(`b${told.length}`, told.reverse());
    return json(202, { job: `b${told.length}`, is: 'OPEN' });
  },
  routes: { 'GET /v1/jobs/{}': ({ places: [id = ''] }) => ok({ is: 'DONE', outcome: { rows: polled.get(id) } }) },
  read: (id, body) => ({ data: [{ id, ...(inside(body, 'data.0') as object) }] }),
  balances: (ids) => ok({ data: ids.map((id) => ({ id, Balance: 100.25 })), info: { more_records: false } }),
  odd: [[], [{ status: 'success' }], [{ status: 'queued', details: { id: '9' } }]].map((data) => ok({ data })),
  oddToAll: { is: 'OPEN' },
  tellsRows: true,
};

const located: Further = {
  name: 'roots, Location alone, and a status for each',
  called: (path, kind) => `${kind === 'transactions' ? '' : `${paths[kind]}.`}${snake(path)}`,
  answers: {
    '*': { yes: '2xx', reason: ['errors'], read: { record: ['deal', 'company'] } },
    'company-updates': { id: [] },
    notes: { id: [] },
    transactions: {
      ...{ record: ['body'], id: ['id'], itemYes: { status: [200, 201] }, no: [{ status: [400, 422] }] },
      ...{ reason: ['body.error'], items: { at: ['.'], index: 'index' } },
    },
  },
  rows: '',
  made: (id, kind) => {
    const isWithout = kind === 'notes' || kind === 'company-updates';
    return isWithout ? { status: 204 } : { status: 201, headers: { location: `/v1/${paths[kind]}/${id}` } };
  },
  no: (fault) => json(422, { errors: { use_of_proceeds: [fault, 'is bad'] } }),
  madeAll: (rows) => {
    const status = { made: 201, refused: 422, late: 504 };
    const body = (row: Row) => (row.is === 'made' ? { id: row.id } : { error: 'No' });
    return json(207, rows.map((row, index) => ({ index, status: status[row.is], body: body(row) })).reverse());
  },
  read: (id, body, kind) => ({ [paths[kind]]: { id, ...(body[paths[kind]] as object) } }),
  balances: (ids) => ok(ids.map((id) => ({ id, balance: 100.25 }))),
  odd: [
    { status: 201 },
    { status: 201, headers: { location: '/v1/errors/9' } },
    { status: 200, body: 'Saved?' },
    ok({}),
  ],
  oddToAll: [],
  tellsRows: true,
};

const wrapped: Readonly<Record<string, string>> = {
  ...{ dealId: 'deal.$oid', companyId: 'company.$oid', 'company.id': 'company.$oid', submissionId: 'submission.$oid' },
  ...{ amount: 'amount.$numberDecimal:text', amountRequested: 'amount.$numberDecimal:text' },
  ...{ date: 'on.$date', fundedDate: 'on.$date' },
};
const objects: Further = {
  name: 'ids and numbers as objects, and a batch in two parts',
  called: (path) => wrapped[path] ?? snake(path),
  answers: {
    '*': {
      ...{ yes: { acknowledged: true }, id: ['insertedId.$oid'], no: [{ ok: 0 }], reason: ['errmsg'] },
      read: { id: ['_id.$oid'], yes: '2xx' },
    },
    'company-updates': { id: [], yes: { acknowledged: true, matchedCount: 1 } },
    transactions: {
      ...{ id: ['$oid'], no: ['errmsg', { ok: 0 }] },
      items: { at: ['insertedIds', 'writeErrors'], index: ['@', 'index'] },
    },
  },
  rows: 'documents',
  made: (id, kind) => {
    const update = { matchedCount: 1, modifiedCount: 1 };
    return ok({ acknowledged: true, ...(kind === 'company-updates' ? update : { insertedId: { $oid: oid(id) } }) });
  },
  no: (errmsg) => ok({ ok: 0, errmsg, code: 121 }),
  madeAll: (rows) => {
    const given = rows.flatMap(({ id, is }, at) =>
      is === 'refused' ? [] : [[at, is === 'made' ? { $oid: oid(id) } : {}]],
    );
    const writeErrors = rows.flatMap(({ is }, index) => (is === 'refused' ? [{ index, errmsg: 'No' }] : []));
    return ok({ acknowledged: true, insertedIds: Object.fromEntries(given), writeErrors });
  },
  read: (id, body) => ({ _id: { $oid: id }, ...body }),
  balances: (ids) => ok(ids.map((id) => ({ _id: { $oid: oid(id) }, left: { $numberDecimal: '100.25' } }))),
  odd: [
    { acknowledged: true, insertedId: null },
    { acknowledged: true, insertedId: { $oid: '000000000000000000000000' } },
    { acknowledged: false, insertedId: { $oid: oid('9') } },
    { ok: 1, n: 1 },
  ].map(ok),
  oddToAll: { acknowledged: true, insertedIds: {} },
  tellsRows: true,
};
function oid(id: string): string {
  return id.padStart(24, '0');
}

const lists: Further = {
  name: 'a list of answers for each, numbers as texts, and pages in a header',
  called: (path) => (path === 'contactTypes' ? 'Kinds' : `${pascal(path)}:text`),
  answers: {
    '*': {
      ...{ record: ['[0].body'], id: ['Id'], yes: { '[0].status': ['200', '201'] } },
      ...{ no: [{ '[0].status': ['400', '422'] }], reason: ['[0].body.Text'] },
    },
    'company-updates': { id: [] },
    transactions: {
      ...{ record: ['body'], yes: '2xx', itemYes: { status: '201' }, no: [{ status: ['400', '422'] }] },
      ...{ reason: ['body.Text'], items: { at: ['.'], index: 'row', first: 1 } },
    },
  },
  contract: { balances: { records: '[0].body', pages: { by: 'link' } } },
  rows: '',
  made: (id, kind) => ok([{ status: '201', body: kind === 'company-updates' ? {} : { Id: `0${id}` } }]),
  no: (Text) => ok([{ status: '422', body: { Text } }]),
  madeAll: (rows) => {
    const status = { made: '201', refused: '422', late: '202' };
    const body = ({ id, is }: Row) => (is === 'refused' ? { Text: 'No' } : { Id: id });
    return ok(rows.map((row, at) => ({ row: String(at + 1), status: status[row.is], body: body(row) })).reverse());
  },
  read: (Id, body) => [{ status: '200', body: { Id, ...body } }],
  balances: ([first, ...others], { query }) => {
    const page = (ids: readonly string[]) => [{ status: '200', body: ids.map((Id) => ({ Id, Left: '100.25' })) }];
    if (query.get('page') === '2') return ok(page(others));
    return { ...ok(page([first ?? ''])), headers: { link: '<balances?page=2>; rel="next", </>; rel="first"' } };
  },
  odd: [
    [],
    [{ status: '201', body: {} }],
    [{ status: '202', body: { Id: '9' } }],
    [{ status: '422', body: { Id: '9' } }],
  ].map(ok),
  oddToAll: [{ row: '1', status: '201', body: {} }],
  tellsRows: true,
};

const markup = (status: number, body: string): Answer => ({ status, body, headers: { 'content-type': 'text/xml' } });
const marked: Further = {
  name: 'markup for what went wrong, brackets around ids, and addresses of pages',
  called: (path) => pascal(path),
  answers: {
    '*': { yes: '2xx', read: { id: ['Id'] } },
    ...Object.fromEntries(kinds.map((kind) => [kind, { idInUrl: `/${paths[kind]}({id})` }])),
    'company-updates': { id: [] },
    transactions: { id: ['Id'], items: { at: ['value'] } },
  },
  contract: {
    paths: { updateCompany: '/v1/company({id})', getCompany: '/v1/company({id})', getDeal: '/v1/deal({dealId})' },
    balances: { pages: { by: 'address', at: '@odata.nextLink' } },
  },
  place: (id) => `(${id})`,
  rows: 'value',
  made: (id, kind) => ({
    status: 204,
    ...(kind !== 'company-updates' && { headers: { location: `https://crm.example/v1/${paths[kind]}(${id})` } }),
  }),
  no: (title) => ({
    status: 400,
    body: `<!doctype html><html><head><title>${title}</title></head></html>`,
    headers: { 'content-type': 'text/html' },
  }),
  madeAll: (rows) => ok({ '@odata.context': '$metadata', value: rows.map(({ id, row }) => ({ ...row, Id: id })) }),
  read: (Id, body) => ({ '@odata.etag': 'W/"1"', Id, ...body }),
  balances: ([first, ...others], { query }) => {
    const value = (ids: readonly (string | undefined)[]) => ({ value: ids.map((Id) => ({ Id, Left: 100.25 })) });
    return ok(
      query.get('$skip') === '1' ? value(others) : { ...value([first]), '@odata.nextLink': 'balances?$skip=1' },
    );
  },
  odd: [
    markup(200, '<?xml version="1.0"?><error>Locked</error>'),
    markup(201, '<Deal><Id>9</Id></Deal>'),
    { status: 204 },
    { status: 204, headers: { location: '/v1/company(9)' } },
  ],
  oddToAll: '<error/>',
};

const jobs = new Map<string, readonly (readonly object[])[]>();
const begun = (...polls: readonly (readonly object[])[]): Answer => {
  const job = `job-${jobs.size}`;
  jobs.set(job, polls);
  return json(202, { job });
};
const polledLists: Further = {
  name: 'jobs whose answers are lists, and pages by what is passed over',
  called: (path) => snake(path),
  answers: {
    '*': {
      ...{ id: ['id'], yes: { state: 'IN' } },
      job: {
        id: ['job'],
        path: '/v1/jobs?id={id}',
        state: '[].state',
        done: ['IN'],
        failed: ['OUT'],
        result: '[0]',
        everyMs: 10,
      },
      read: { yes: '2xx' },
    },
    'company-updates': { id: [] },
    transactions: {
      items: { at: ['.'], index: 'ref', row: 'reference' },
      ...{ itemYes: { state: 'IN' }, yes: '2xx', no: [{ state: 'OUT' }] },
      job: { id: ['job'], path: '/v1/jobs?id={id}', state: '[].state', done: ['IN'], failed: ['OUT'], everyMs: 10 },
    },
  },
  contract: { balances: { pages: { by: 'offset', parameter: 'skip' } } },
  rows: 'rows',
  made: (id) => begun([], [{ state: 'BUSY' }], [{ state: 'IN', id }]),
  no: (message) => begun([{ state: 'OUT', message }]),
  madeAll: (rows) => {
    const ends = { made: 'IN', refused: 'OUT', late: 'IN' };
    const told = rows.map(({ id, is, row }) => ({ ref: row.reference, state: ends[is], ...(is === 'made' && { id }) }));
    return begun([], [...told.slice(0, 1), { state: 'BUSY' }], told.reverse());
  },
  routes: {
    'GET /v1/jobs': ({ query }) => {
      const [now = [], ...later] = jobs.get(query.get('id') ?? '') ?? [];
      if (later.length > 0) jobs.set(query.get('id') ?? '', later);
      return ok(now);
    },
  },
  read: (id, body) => ({ id, ...body }),
  balances: (ids, { query }) =>
    ok(
      ids
        .slice(Number(query.get('skip') ?? 0))
        .slice(0, 2)
        .map((id) => ({ id, left: 100.25 })),
    ),
  odd: [ok({}), begun([{ state: 'IN' }]), begun([{ state: 'IN', id: '0' }]), begun([{ state: 'OUT', id: '9' }])],
  oddToAll: [{ state: 'IN' }],
  tellsRows: true,
};

/** What a service has at the places by which it calls the fields of a kind. */
function shapeOf({ called, constants, rows, around }: Further, kind: Kind): Shape {
  const shape: Record<string, unknown> = {};
  const put = (target: string, held: Shape) => {
    const [path = '', type = held] = target.split(':');
    const names = path.replaceAll('[0]', '.0').split('.');
    let at = shape;
    for (const [place, name] of names.slice(0, -1).entries()) {
      at[name] ??= names[place + 1] === '0' ? [] : {};
      at = at[name] as Record<string, unknown>;
    }
    at[names.at(-1) ?? ''] = type;
  };
  for (const [path, held] of Object.entries<Shape>(documented[kind])) put(called(path, kind), held);
  for (const [path, held] of Object.entries(constants?.(kind) ?? {})) put(path, held);
  if (around !== undefined) return around(shape as Shape, kind);
  if (kind !== 'transactions' || rows === undefined) return shape as Shape;
  return rows === '' ? [shape as Shape] : { [rows]: [shape as Shape] };
}

function profileOf({ called, constants, requests, answers, contract, rows = '' }: Further, url: string): object {
  const standard = (kind: Kind) => (kind === 'transactions' ? { envelope: rows === '' ? null : rows } : {});
  const rules = kinds.map((kind) => {
    const names = Object.fromEntries(Object.keys(documented[kind]).map((path) => [path, called(path, kind)]));
    const { rename = {}, ...own } = (requests ?? standard)(kind) as { rename?: object };
    const written = { constants: constants?.(kind), rename: { ...names, ...rename }, ...own };
    return [kind, kind === 'attachments' ? {} : written];
  });
  return { url, batch: 5, contract: { ...contract, answers, requests: Object.fromEntries(rules) } };
}

const strangers = [jsonApi, properties, composite, codes, queued, located, objects, lists, marked, polledLists];
describe.each(strangers)('a service of $name', (further) => {
  let service: Stranger;
  let desk: Desk;
  let made: Record<string, { readonly id: string; readonly body: Body }[]>;
  afterEach(async () => {
    await service.stop();
    desk.remove();
  });

  const add = (kind: Kind, body: Body) => {
    const list = made[kind] ?? [];
    made[kind] = list;
    const id = kind === 'company-updates' ? '900' : String(100 * (kinds.indexOf(kind) + 1) + list.length);
    list.push({ id, body });
    return id;
  };

  async function start(proceeds: readonly string[], madeAll = further.madeAll, strict = /never/): Promise<void> {
    made = {};
    const take = (kind: Kind) => (asked: Asked) => {
      const body: Body = kind === 'attachments' ? { parts: asked.parts } : asked.body;
      const said = JSON.stringify(body);
      if (kind !== 'attachments') {
        if (asked.type !== (further.mediaType ?? 'application/json')) return { status: 415 };
        const fault = faultIn(body, shapeOf(further, kind)) ?? (said.includes('Casino') ? 'No casinos' : null);
        if (fault !== null) return further.no(fault);
      }
      if (kind === 'transactions' && madeAll !== undefined && further.rows !== undefined) {
        const rows = (inside(body, further.rows) as Body[]).map((row): Row => {
          const [, trace] = strict.exec(JSON.stringify(row)) ?? [];
          if (trace === '2') return { id: '', row, is: 'refused' };
          return { id: add(kind, row), row, is: trace === '3' ? 'late' : 'made' };
        });
        return madeAll(rows);
      }
      const id = add(kind, body);
      const [, place] = /odd (\d)/.exec(said) ?? [];
      return place === undefined ? further.made(id, kind, body) : (further.odd[Number(place)] as Answer);
    };
    const read = (kind: Kind) => (asked: Asked) => {
      const found = made[kind]?.find(({ id }) => Number(id) === Number(asked.places[0]));
      return found === undefined ? { status: 404 } : ok(further.read(asked.places[0] ?? '', found.body, kind));
    };
    const { place = (id: string) => `/${id}` } = further;
    service = await startStranger({
      ...Object.fromEntries(kinds.map((kind) => [`POST /v1/${paths[kind]}`, take(kind)])),
      'POST /v1/company': take('companies'),
      [`PATCH /v1/company${place('900')}`]: take('company-updates'),
      [`GET /v1/company${place('{}')}`]: read('companies'),
      [`GET /v1/deal${place('{}')}`]: read('deals'),
      'GET /v1/loan/balances': (asked) =>
        further.balances(
          (made.deals ?? []).map(({ id }) => id),
          asked,
        ),
      ...further.routes,
    });
    desk = await deskOf(profileOf(further, service.url), everyKind(proceeds));
  }
  const counts = () => kinds.map((kind) => made[kind]?.length ?? 0);
  const exported = async (...words: string[]) => {
    const ended = await desk.run('export', ...words, '--profile', 'stranger', '-o', 'out.json');
    // The company that was updated was made elsewhere.
    expect(ended.exitCode, ended.stderr).toBe(words[0] === 'companies' ? 1 : 0);
    return JSON.parse(readFileSync(desk.path('out.json'), 'utf8')) as { record?: Record<string, unknown> }[];
  };

  it('gets every record of every kind once, and gives them back', async () => {
    await start(['Ovens', 'Chairs', 'Vans']);
    const { exitCode, stderr } = await desk.load();
    expect(exitCode, stderr).toBe(0);
    expect(counts()).toEqual([2, 1, 2, 3, 3, 1, 1, 1, 9]);
    const ids = (await desk.results('Companies')).map(([status, id]) => `${status} ${Number(id)}`);
    expect(ids).toEqual(['Created 100', 'Created 101']);
    expect((await desk.load()).exitCode).toBe(0);
    expect(counts()).toEqual([2, 1, 2, 3, 3, 1, 1, 1, 9]);
    const deals = await exported('deals', '--ids', 'month.results.xlsx');
    expect(deals.map(({ record }) => record?.useOfProceeds)).toEqual(
      expect.arrayContaining(['Ovens', 'Chairs', 'Vans']),
    );
    const companies = await exported('companies', '--ids', 'month.results.xlsx');
    expect(companies.flatMap(({ record }) => record?.name ?? [])).toEqual(['Harbor LLC', 'Blue Funding']);
    const balances = await exported('balances');
    expect(balances.map((balance) => JSON.stringify(balance).includes('100.25'))).toEqual([true, true, true]);
  });

  it('has its refusals told, and is not asked again where it was unclear', async () => {
    const { odd, oddToAll, rows } = further;
    await start(['Casino', ...odd.flatMap((_, at) => [`odd ${at}`, `Vans ${at}`])], () => ok(oddToAll));
    const { exitCode, stderr } = await desk.load('--concurrency', '1', '--batch', '15');
    expect(exitCode, stderr).toBe(6);
    const deals = await desk.rows('Deals');
    expect(deals.map(({ Status }) => Status)).toEqual(['Rejected', ...odd.flatMap(() => ['In doubt', 'Created'])]);
    expect(deals[0]?.Problems).toMatch(/No casinos/i);
    const payments = new Set((await desk.results('Transactions')).map(([status]) => status));
    expect(payments).toEqual(new Set(['Waiting', rows === undefined ? 'Created' : 'In doubt']));
    const before = counts();
    await desk.load();
    expect(counts()).toEqual(before);
  });

  const tells = further.tellsRows === true ? it : null;
  tells?.('tells the rows of a batch apart', async () => {
    await start(['Ovens', 'Vans'], further.madeAll, /ACH-2-(\d)/);
    expect((await desk.load('--batch', '6')).exitCode).toBe(6);
    const statuses = (await desk.results('Transactions')).map(([status]) => status);
    expect(statuses).toEqual([...Array.from({ length: 4 }, () => 'Created'), 'Rejected', 'In doubt']);
  });
});
