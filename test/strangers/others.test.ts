/** Strangers as lending, CRM and payment services are: GraphQL, cents, requests in requests, failures alone, plain texts. */
import { type Further, fits, inside, json, type Kind, kinds, ok, pascal, paths, snake } from './further.ts';
import { type Answer, type Asked, type Shape, token } from './stranger.ts';

/** The paths of records whose id stands there in a way of the service's own. */
const placed = (at: (id: string) => string) => {
  const company = `/v1/company${at('{id}')}`;
  return { updateCompany: `PUT ${company}`, getCompany: company, getDeal: `/v1/deal${at('{dealId}')}` };
};

const keyIn = (name: string, value: string) => (asked: Asked) =>
  asked.headers[name] === value && (name === 'authorization' || asked.headers.authorization === undefined)
    ? null
    : { status: 401 };

const graphPaths = Object.fromEntries(
  ['addCompany', 'addLead', 'addDeal', 'addNote', 'addSubmission', 'addSubmissionLoan', 'addTransactions'].map(
    (name) => [name, '/v1/graphql'],
  ),
);
const graph: Further = {
  name: 'one path, and always 200',
  called: (path) => path,
  requests: (kind) => ({
    envelope: kind === 'transactions' ? 'variables.rows' : 'variables.input',
    beside: { query: `mutation add($input: Input!) { ${kind} }` },
    ...((kind === 'deals' || kind === 'companies') && {
      read: { rename: { id: 'variables.id' }, constants: { query: `query one($id: ID!) { ${kind} }` } },
    }),
    rename: kind === 'company-updates' ? { id: 'id' } : {},
  }),
  around: (row, kind) => {
    const input = kind === 'company-updates' ? { ...(row as object), id: '900' } : row;
    return { query: 'text', variables: kind === 'transactions' ? { rows: [row] } : { input } } as Shape;
  },
  answers: {
    '*': {
      ...{ record: ['data.result.record'], id: ['id'], yes: '2xx', no: ['errors', 'data.result.problems'] },
      ...{ reason: ['errors[].message', 'data.result.problems[].message'], read: { record: ['data.record'] } },
    },
    transactions: {
      ...{ record: ['record'], no: ['errors', 'problems'], reason: ['errors', 'problems'] },
      items: { at: ['data.result.rows'] },
    },
  },
  contract: {
    paths: {
      ...{ ...graphPaths, updateCompany: 'POST /v1/graphql' },
      ...{ getDeal: 'POST /v1/graphql', getCompany: 'POST /v1/graphql', getLoanBalances: 'POST /v1/graphql' },
    },
    balances: {
      body: { rename: { after: 'variables.after:number' }, constants: { query: 'query { loans }', 'variables.n': 2 } },
      pages: {
        ...{ by: 'cursor', at: 'data.loans.pageInfo.endCursor', parameter: 'after' },
        more: 'data.loans.pageInfo.hasNextPage',
      },
    },
  },
  rows: 'variables.rows',
  made: (id) => ok({ data: { result: { record: { id }, problems: [] } }, extensions: { cost: 3 } }),
  no: (message) => ok({ data: { result: null }, errors: [{ message, path: ['result'] }] }),
  madeAll: (rows) => {
    const told = { made: { problems: [] }, refused: { problems: [{ message: 'No' }] }, late: { problems: null } };
    const each = rows.map(({ id, is }) => ({ record: is === 'made' ? { id } : null, ...told[is] }));
    return ok({ data: { result: { rows: each } } });
  },
  routes: ({ take, read }) => ({
    'POST /v1/graphql': (asked) => {
      const { query, variables } = asked.body as { query: string; variables: { after?: number; id?: string } };
      const kind = kinds.find((each) => query.includes(`{ ${each} }`));
      if (kind !== undefined)
        return query.startsWith('query') ? read(kind)({ ...asked, places: [variables.id ?? ''] }) : take(kind)(asked);
      if (query !== 'query { loans }') return ok({ errors: [{ message: 'Unknown' }] });
      const from = variables.after ?? 100 * (kinds.indexOf('deals') + 1);
      const isFirst = variables.after === undefined;
      const nodes = [from, from + 1].slice(0, isFirst ? 2 : 1).map((id) => ({ id, left: '100.25' }));
      return ok({ data: { loans: { nodes, pageInfo: { hasNextPage: isFirst, endCursor: String(from + 2) } } } });
    },
  }),
  read: (id, body) => ({ data: { record: { id, ...(inside(body, 'variables.input') as object) } } }),
  balances: () => ({ status: 404 }),
  odd: [
    { data: null },
    { data: { result: { record: null, problems: [] } } },
    { data: { result: { record: { id: '9' }, problems: [{ message: 'Slow' }] } } },
  ].map(ok),
  oddToAll: { data: { result: { rows: [] } } },
  tellsRows: true,
};

const forms: Further = {
  name: 'forms, cents, days without signs, and pages after the last one',
  called: (path) => {
    if (path === 'contactTypes') return 'kinds';
    if (/Id$|\.id$/.test(path)) return `metadata.${snake(path)}`;
    return /amount/i.test(path) ? `${snake(path)}:times(100)` : snake(path);
  },
  requests: (kind) => (kind === 'transactions' ? { alone: true } : {}),
  mediaType: 'application/x-www-form-urlencoded',
  around: (row) => JSON.parse(JSON.stringify(row).replaceAll('"number"', '"text"')) as Shape,
  answers: { '*': { id: ['id'], yes: '2xx', no: ['error'], reason: ['error.message'] } },
  contract: {
    paths: { updateCompany: 'POST /v1/company/{id}' },
    wire: { date: 'YYYYMMDD', mediaType: 'application/x-www-form-urlencoded' },
    headers: { authorization: 'Basic {token}', 'stripe-version': '2026-06-30' },
    balances: { pages: { by: 'after', at: 'id', parameter: 'starting_after', more: 'has_more' } },
  },
  before: keyIn('authorization', `Basic ${token}`),
  routes: ({ take }) => ({ 'POST /v1/company/900': take('company-updates') }),
  made: (id, kind, body) => ok({ id, object: kind, livemode: false, ...body }),
  no: (message) => json(402, { error: { type: 'invalid_request_error', message, param: 'purpose' } }),
  read: (id, body) => ({ id, object: 'record', ...body }),
  balances: (ids, { query }) => {
    const left = ids.slice(ids.indexOf(query.get('starting_after') ?? '') + 1);
    const data = left.slice(0, 2).map((id) => ({ id, object: 'loan', balance: 100.25 }));
    return ok({ object: 'list', url: '/v1/loans', has_more: left.length > 2, data });
  },
  odd: [{ object: 'deal' }, { id: null, object: 'deal' }, { id: '9', error: { message: 'Slow' } }].map(ok),
  oddToAll: null,
};

const subrequests: Further = {
  name: 'requests in a request',
  called: (path, kind) => {
    if (path === 'reference') return 'referenceId';
    return `${kind === 'transactions' ? 'body.' : ''}${pascal(path)}__c`;
  },
  constants: (kind) => (kind === 'transactions' ? { method: 'POST', url: '/sobjects/Payment__c' } : {}),
  requests: (kind) => (kind === 'transactions' ? { envelope: 'compositeRequest', beside: { allOrNone: false } } : {}),
  answers: {
    '*': {
      yes: { success: true },
      id: ['id'],
      no: ['errors'],
      reason: ['[].message'],
      read: { id: ['Id'], yes: '2xx' },
    },
    'company-updates': { id: [], yes: '2xx' },
    transactions: {
      ...{ record: ['body'], yes: '2xx', itemYes: { httpStatusCode: 201 }, no: [{ httpStatusCode: 400 }] },
      ...{ reason: ['body[].message'], items: { at: ['compositeResponse'], index: 'referenceId', row: 'reference' } },
    },
  },
  contract: { balances: { pages: { by: 'address', at: 'nextRecordsUrl' } }, headers: { 'x-api-key': '{token}' } },
  before: keyIn('x-api-key', token),
  around: (row, kind) => {
    if (kind !== 'transactions') return row;
    return { allOrNone: 'flag', compositeRequest: [row] };
  },
  rows: 'compositeRequest',
  made: (id, kind) => (kind === 'company-updates' ? { status: 204 } : json(201, { id, success: true, errors: [] })),
  no: (message) => json(400, [{ message, errorCode: 'FIELD_INTEGRITY_EXCEPTION', fields: [] }]),
  madeAll: (rows) => {
    const status = { made: 201, refused: 400, late: 503 };
    const body = { refused: [{ message: 'No', errorCode: 'LOCKED' }], late: null };
    const compositeResponse = rows.map(({ id, row, is }) => ({
      ...{ body: is === 'made' ? { id, success: true, errors: [] } : body[is], httpHeaders: {} },
      ...{ httpStatusCode: status[is], referenceId: row.referenceId },
    }));
    return ok({ compositeResponse: compositeResponse.reverse() });
  },
  read: (Id, body) => ({ attributes: { type: 'Opportunity', url: `/sobjects/${Id}` }, Id, ...body }),
  balances: (ids, { query }) => {
    const [first = '', ...others] = ids;
    const records = (some: readonly string[]) => some.map((Id) => ({ Id, Left__c: 100.25 }));
    if (query.has('from')) return ok({ totalSize: 3, done: true, records: records(others) });
    return ok({ totalSize: 3, done: false, nextRecordsUrl: '/v1/loan/balances?from=1', records: records([first]) });
  },
  odd: [
    { id: '9', success: false, errors: [] },
    { success: true, id: '9', errors: [{ message: 'Slow' }] },
    { success: true },
  ].map(ok),
  oddToAll: { compositeResponse: [] },
  tellsRows: true,
};

const beside: Further = {
  name: 'results beside errors, packed, its limit a date',
  called: (path) => (path === 'reference' ? 'traceId' : `properties.${snake(path)}`),
  answers: {
    '*': { yes: '2xx', id: ['id'], no: [{ status: 'error' }], reason: ['message'] },
    transactions: {
      ...{ yes: { status: 'COMPLETE' }, itemYes: '2xx', no: ['errors', { status: 'error' }] },
      items: { at: ['results', 'errors'], index: ['traceId', 'context.traceId[0]'], row: 'reference' },
    },
  },
  rows: 'inputs',
  before: (asked) => {
    if (asked.token !== token) return { status: 401 };
    const isFirst = asked.method === 'POST' && !limited.has(asked.headers.host);
    limited.add(asked.headers.host);
    const until = new Date(Date.now() + 1_000).toUTCString();
    return isFirst ? { status: 429, headers: { 'retry-after': until }, body: { message: 'Ten a second' } } : null;
  },
  made: (id, kind) =>
    kind === 'company-updates' ? packed(200, { id, archived: false }) : packed(201, { id, createdAt: '2026-06-30' }),
  no: (message) => packed(400, { status: 'error', message, category: 'VALIDATION_ERROR' }),
  madeAll: (rows) => {
    const results = rows.flatMap(({ id, row, is }) =>
      is === 'refused' ? [] : [{ ...(is === 'made' && { id }), traceId: row.traceId }],
    );
    const errors = rows.flatMap(({ row, is }) =>
      is === 'refused' ? [{ status: 'error', message: 'No', context: { traceId: [row.traceId] } }] : [],
    );
    return packed(207, { status: 'COMPLETE', results: results.reverse(), numErrors: errors.length, errors });
  },
  read: (id, body) => ({ id, ...body, archived: false }),
  balances: (ids) => packed(200, { results: ids.map((id) => ({ id, properties: { left: '100.25' } })) }),
  odd: [{ status: 'PENDING' }, { id: '' }, { id: '9', status: 'error' }].map((body) => packed(200, body)),
  oddToAll: { status: 'COMPLETE', results: [], errors: [{ status: 'error', context: {} }] },
  tellsRows: true,
};
const limited = new Set<string | undefined>();
function packed(status: number, body: unknown): Answer {
  return { ...json(status, body), headers: { 'content-encoding': 'br', connection: 'close' } };
}

const failures: Further = {
  name: 'failures alone, and ids in queries',
  called: (path, kind) => `${kind === 'transactions' ? 'json.' : ''}${snake(path)}`,
  answers: {
    '*': { yes: '2xx', reason: ['reason'], read: { id: ['key'] } },
    ...Object.fromEntries(kinds.map((kind) => [kind, { idInUrl: `/${paths[kind]}?id={id}` } as const])),
    ...{ 'company-updates': { id: [] }, notes: { id: [] } },
    transactions: {
      ...{ id: [], no: ['errors'], count: ['inserted'], reason: ['errors[].reason'] },
      items: { at: ['insertErrors'], index: 'index', others: 'in' },
    },
  },
  contract: { paths: placed((id) => `?id=${id}`) },
  rows: 'rows',
  made: (id, kind) =>
    kind === 'notes' || kind === 'company-updates'
      ? { status: 204 }
      : { status: 201, headers: { location: `https://api.example/v1/${paths[kind]}?id=${id}` } },
  no: (reason) => json(409, { reason }),
  madeAll: (rows) => {
    const insertErrors = rows.flatMap(({ is }, index): object[] => {
      if (is === 'made') return [];
      return is === 'late'
        ? [{ index, state: 'pending' }]
        : [
            { index, errors: [{ reason: 'No' }] },
            { index, errors: ['x'] },
          ];
    });
    const inserted = rows.filter(({ is }) => is === 'made').length;
    return ok({ kind: 'insertAll', inserted, ...(insertErrors.length > 0 && { insertErrors }) });
  },
  routes: ({ take, read }) => ({
    'PUT /v1/company': take('company-updates'),
    ...Object.fromEntries(
      (['company', 'deal'] as const).map((name) => [
        `GET /v1/${name}`,
        (asked: Asked) =>
          read(name === 'deal' ? 'deals' : 'companies')({ ...asked, places: [asked.query.get('id') ?? ''] }),
      ]),
    ),
  }),
  read: (key, body) => ({ key, ...body }),
  balances: (ids) => ok(ids.map((id) => ({ id, left: 100.25 }))),
  odd: [{ status: 201 }, { status: 201, headers: { location: '/v1/company?id=9' } }, { status: 200, body: 'Saved' }],
  oddToAll: { insertErrors: [{ index: 99, errors: ['x'] }] },
  tellsRows: 'without ids',
};

const d = (body: unknown) => ok({ d: body });
const wrapped: Further = {
  name: 'd around everything, quotes around ids, references as addresses, words of its own',
  called: (path) => {
    if (path === 'contactTypes') return 'Kinds';
    if (/Id$|\.id$/.test(path)) return `${pascal(path.replace(/\.?[iI]d$/, ''))}@bind:text(/records('{}'))`;
    return /amount/i.test(path) ? `${pascal(path)}:text` : pascal(path);
  },
  requests: (kind) =>
    kind === 'companies'
      ? { rename: { contactTypes: null, 'contactTypes[]': 'Kinds[]:words(Merchant=M1|Funder=F0)' } }
      : kind === 'transactions'
        ? { envelope: null }
        : {},
  around: (row, kind) => {
    if (kind === 'companies') return { ...(row as object), Kinds: ['M1|F0'] } as Shape;
    return kind === 'transactions' ? [row] : row;
  },
  answers: {
    '*': { record: ['d'], id: ['Id'], url: ['__metadata.uri'], yes: '2xx', reason: ['error.message.value'] },
    'company-updates': { id: [] },
    transactions: {
      record: ['.'],
      no: ['Fault'],
      reason: ['Fault'],
      items: { at: ['d.results'], index: 'Line', first: 1 },
    },
  },
  contract: {
    paths: placed((id) => `('${id}')`),
    headers: { authorization: 'Zoho-oauthtoken {token}' },
    outcomes: { create: { '440': 'token' } },
    wire: { date: 'YYYY-MM-DDT00:00:00Z' },
    balances: { records: 'd.results', pages: { by: 'address', at: 'd.__next' }, total: 'd.__count' },
  },
  before: keyIn('authorization', `Zoho-oauthtoken ${token}`),
  place: (id) => `('${id}')`,
  rows: '',
  routes: ({ take }) => ({ "PUT /v1/company('900')": take('company-updates') }),
  made: (Id, kind) =>
    kind === 'company-updates' ? { status: 204 } : json(201, { d: { __metadata: { uri: `/x('${Id}')` }, Id } }),
  no: (value) => json(400, { error: { code: '/IWBEP/005', message: { lang: 'en', value } } }),
  madeAll: (rows) => {
    const told = { made: {}, refused: { Fault: 'No' }, late: {} };
    const results = rows.map(({ id, is }, at) => ({
      Line: String(at + 1),
      ...(is === 'made' && { Id: id }),
      ...told[is],
    }));
    return d({ results: results.reverse() });
  },
  read: (Id, body) => ({ d: { __metadata: { uri: `/x('${Id}')` }, Id, ...body } }),
  balances: (ids, { query }) => {
    const results = (some: readonly string[]) => some.map((Id) => ({ __metadata: { uri: '/x' }, Id, Left: '100.25' }));
    if (query.has('$skiptoken')) return d({ results: results(ids.slice(2)), __count: '3' });
    return d({ results: results(ids.slice(0, 2)), __count: '3', __next: 'balances?$skiptoken=2' });
  },
  odd: [d({}), d({ Id: null }), d([{ Id: '9' }])],
  oddToAll: { d: { results: [{ Line: '9', Id: '9' }] } },
  tellsRows: true,
};

const said = (body: string, status = 200): Answer => {
  return { status, body, headers: { 'content-type': body.startsWith('OK') ? 'text/html' : 'text/plain' } };
};
const withoutIds: readonly Kind[] = ['company-updates', 'notes', 'attachments'];
const inWords: Further = {
  name: 'plain texts',
  called: (path) => snake(path),
  requests: (kind) => (kind === 'transactions' ? { envelope: null } : {}),
  answers: {
    '*': { id: ['.'], yes: '2xx', read: { id: ['number'] } },
    ...Object.fromEntries(withoutIds.map((kind) => [kind, { id: [], yes: { '.': 'OK' } }])),
    transactions: { id: [], items: null, yes: { '.': 'OK' }, no: [{ '.': 'CLOSED' }] },
  },
  rows: '',
  made: (id, kind) => said(withoutIds.includes(kind) ? 'OK\r\n' : id.padStart(8, '0')),
  no: (fault) => said(`ERR 12: ${fault}`, 422),
  madeAll: () => said('OK'),
  read: (number, body) => ({ number, ...body }),
  balances: (ids) => ok({ balances: ids.map((id) => ({ id, left: 100.25 })) }),
  odd: [said('ERR 7: Locked for now'), said(''), said('<ok/>')],
  oddToAll: 'Later',
};

fits([graph, forms, subrequests, beside, failures, wrapped, inWords]);
