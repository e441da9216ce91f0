/** Further strangers: lists of one, roots, jobs, objects for ids, markup. */
import { type Further, fits, inside, json, kinds, ok, pascal, paths, type Row, snake, written } from './further.ts';
import type { Answer, Shape } from './stranger.ts';

const jsonApi: Further = {
  name: 'JSON:API',
  called: (path) => {
    const [, related] = /^(.+?)\.?[iI]d$/.exec(path) ?? [];
    return related === undefined ? `data.attributes.${pascal(path)}` : `data.relationships.${related}.data.id`;
  },
  constants: (kind) => ({ 'data.type': kind }),
  requests: (kind) => (kind === 'company-updates' ? { rename: { id: 'data.id' } } : { alone: kind === 'transactions' }),
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
  routes: () => ({
    'GET /v1/jobs/{}': ({ places: [id = ''] }) => ok({ is: 'DONE', outcome: { rows: polled.get(id) } }),
  }),
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
const listJob = {
  id: ['job'],
  path: '/v1/jobs?id={id}',
  state: '[].state',
  done: ['IN'],
  failed: ['OUT'],
  everyMs: 10,
};
const polledLists: Further = {
  name: 'jobs whose answers are lists, and pages by what is passed over',
  called: (path) => snake(path),
  answers: {
    '*': {
      ...{ id: ['id'], yes: { state: 'IN' } },
      job: { ...listJob, result: '[0]' },
      read: { yes: '2xx' },
    },
    'company-updates': { id: [] },
    transactions: {
      items: { at: ['.'], index: 'ref', row: 'reference' },
      ...{ itemYes: { state: 'IN' }, yes: '2xx', no: [{ state: 'OUT' }] },
      job: listJob,
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
  routes: () => ({
    'GET /v1/jobs': ({ query }) => {
      const [now = [], ...later] = jobs.get(query.get('id') ?? '') ?? [];
      if (later.length > 0) jobs.set(query.get('id') ?? '', later);
      return ok(now);
    },
  }),
  read: (id, body) => ({ id, ...body }),
  balances: (ids, { query }) => {
    const from = Number(query.get('skip') ?? 0);
    return ok(ids.slice(from, from + 2).map((id) => ({ id, left: 100.25 })));
  },
  odd: [ok({}), begun([{ state: 'IN' }]), begun([{ state: 'IN', id: '0' }]), begun([{ state: 'OUT', id: '9' }])],
  oddToAll: [{ state: 'IN' }],
  tellsRows: true,
};

/** Past what a number holds exactly: each would be rounded to another, which is nowhere. */
const isExact = /^900719925475\d{3}1$/;
/** The token that is taken, how often it was used, and how many there were. */
const last = { token: '', uses: 0, count: 0 };
const polls = new Map<string, number>();
const isBusy = (job: string) => polls.set(job, (polls.get(job) ?? 0) + 1).get(job) === 1;
const ending: Further = {
  name: 'jobs at relative addresses, ids past numbers, a limit that resets, and tokens that soon end',
  called: (path) => (/Id$|\.id$/.test(path) ? `${snake(path)}:number` : snake(path)),
  answers: {
    '*': { id: ['no'], yes: '2xx' },
    'company-updates': { id: [] },
    leads: { idInUrl: '/lead/{id}' },
    deals: {
      ...{ idInUrl: '/deal/{id}', url: ['made'] },
      job: { state: 'phase', done: ['finished'], failed: ['broken'], everyMs: 10 },
    },
    notes: { id: [], job: { id: ['task'], path: '/v1/tasks/{id}', everyMs: 10 } },
    transactions: {
      ...{ items: { at: ['rows'], index: 'row', first: 1 }, no: ['error'] },
      job: { address: ['follow'], state: 'phase', done: ['finished'], everyMs: 10 },
    },
  },
  contract: {
    token: [
      { path: 'error', is: 'token_expired' },
      { path: 'fault.code', is: 17 },
    ],
  },
  tokens: (url) => ({
    tokenCommand: [process.execPath, '-e', `fetch('${url}/token').then(async (is) => console.log(await is.json()))`],
  }),
  before: ({ path, token, body }) => {
    if (path === '/token') return null;
    const isOver = token !== last.token || ++last.uses > 20;
    if (isOver)
      return last.count % 2 === 0 ? json(403, { error: 'token_expired' }) : json(400, { fault: { code: 17 } });
    if (last.uses === 5) return { status: 429, headers: { 'x-ratelimit-reset': '0.05' } };
    return (written(body).match(/\d{16,}/g) ?? []).every((id) => isExact.test(id)) ? null : { status: 404 };
  },
  id: (digits) => `900719925475${digits}1`,
  rows: 'list',
  made: (id, kind) => {
    if (kind === 'leads') return { status: 201, headers: { location: `lead/${id}` } };
    if (kind === 'deals') return { status: 202, headers: { location: `jobs/${id}` } };
    if (kind === 'notes') return { status: 202, body: `{"task":${id}}` };
    return { status: 201, body: `{"no":${id}}` };
  },
  no: (message) => ({ status: 202, headers: { location: `jobs/broken?${message}` } }),
  madeAll: (rows) => {
    const told = { made: {}, refused: { error: 'No' }, late: {} };
    const each = rows.map(({ id, is }, at) => ({ row: at + 1, ...(is === 'made' && { no: id }), ...told[is] }));
    jobs.set(`rows-${rows.length}`, [each.reverse()]);
    return json(202, { follow: `jobs/rows-${rows.length}` });
  },
  routes: () => ({
    'GET /token': () => {
      Object.assign(last, { token: `tok-${last.count}`, uses: 0, count: last.count + 1 });
      return ok(last.token);
    },
    'GET /v1/jobs/{}': ({ places: [id = ''], query }) => {
      if (isBusy(id)) return ok({ phase: 'busy' });
      if (id === 'broken') return ok({ phase: 'broken', message: [...query.keys()][0] });
      return ok({ phase: 'finished', made: `/v1/deal/${id}`, rows: jobs.get(id)?.[0] });
    },
    'GET /v1/tasks/{}': ({ places: [id = ''] }) =>
      isBusy(`task ${id}`) ? { status: 202, headers: { 'retry-after': '0' } } : ok({}),
  }),
  read: (no, body) => ({ no, ...body }),
  balances: (ids) => ok(ids.map((id) => ({ id, left: 100.25 }))),
  odd: [
    { status: 202, headers: { location: 'nowhere' } },
    { status: 201, body: '{"no":9007199254751001.5}' },
  ],
  oddToAll: { follow: 'nowhere' },
  tellsRows: true,
};

fits([jsonApi, properties, codes, queued, located, objects, lists, marked, polledLists, ending]);
