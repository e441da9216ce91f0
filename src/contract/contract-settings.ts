/** What the interface leaves open, with defaults. A profile changes it under `contract` (docs/profiles.md). */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { answersSchema, assumedOutcomeRules, outcomeRulesSchema, type RequestNature } from './answer-rules.ts';
import { segmentsOf } from './body-path.ts';
import { checkLevelsSchema } from './check-codes.ts';
import { blankLevels, expectedNames, fieldsOf, isOpenPath, isSensitiveName, mayHold } from './fields.ts';
import { anyOf, formatsSchema, matching, oneOrMore, path, perKind, scalar } from './profile-parts.ts';
import { type EndpointName, endpoints, type RecordKind, recordKindNames, refScopes, sendings } from './record-kind.ts';
import { recordKind } from './record-kinds.ts';
import { type Names, placesOf, wirePathOf, withDayForm } from './rename.ts';
import { dateForm, ownForm, targetPattern } from './value-types.ts';

const pathWith = (methods: string) =>
  matching(new RegExp(`^(?:(?:${methods}) )?/[^\\s#]*$`), 'a path: "/deals"').optional();
const pathOverrides = z.strictObject(
  Object.fromEntries(
    Object.entries(endpoints).map(([name, { method }]) => [
      name,
      pathWith(method === 'GET' ? 'POST' : 'POST|PUT|PATCH'),
    ]),
  ),
);

/** Headers that only the client may set. */
const ownHeaders = 'cookie|host|connection|expect|upgrade|te|trailer|keep-alive|(?:content|transfer|proxy)-.*';
const headerName = (others = '') =>
  matching(new RegExp(`^(?!(?:${others}${ownHeaders})$)[a-z\\d-]+$`), 'another header, in small letters');
/** Placeholder for the token in the value of a header. */
const token = '{token}';

const names = z.array(z.string().min(1));
const sign = z.strictObject({ path, is: scalar });

const numbered = (parameter: string, first: number) => ({
  parameter: path.default(parameter),
  first: z.int().min(0).default(first),
  more: path.optional(),
  absent: z.boolean().default(false),
});
const pagesSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('none') }),
  z.strictObject({ by: z.literal('link') }),
  z.strictObject({ by: z.literal('address'), at: path, more: path.optional() }),
  z.strictObject({ by: z.literal('cursor'), at: path, parameter: path, more: path.optional() }),
  z.strictObject({ by: z.literal('after'), at: path, parameter: path, more: path.optional() }),
  z.strictObject({ by: z.literal('page'), ...numbered('page', 1), count: path.optional() }),
  z.strictObject({ by: z.literal('offset'), ...numbered('offset', 0) }),
]);
export type Pages = z.output<typeof pagesSchema>;

export const balanceShapes = ['list', 'keyed', 'rows'] as const;
export type BalanceShape = (typeof balanceShapes)[number];

const constants = z.record(path, z.union([scalar.nullable(), z.array(scalar.nullable())])).default({});
const target = matching(
  targetPattern,
  'a name, or one with a form: "deal:number", "sum:times(100)", "kind:words(LLC=1|LLP=2)"',
);
const rename = z.record(path, target.nullable()).default({});
/** The body of a POST that reads: the id, or the parameters of a page, by their names. */
const readBodySchema = z.strictObject({ rename, constants });
export type ReadBody = z.output<typeof readBodySchema>;

const balancesSchema = z.strictObject({
  body: readBodySchema.optional(),
  records: anyOf(path),
  shape: z.enum(balanceShapes).nullable().default(null),
  keyColumn: path.nullable().default(null),
  header: path.nullable().default(null),
  pages: pagesSchema.nullable().default(null),
  total: path.nullable().optional(),
  errors: names.default([
    ...['error', 'errors', 'errorMessage', 'hasError', 'hasErrors', 'isError', 'exception', 'exceptions', 'fault'],
    ...['faults', 'failures', 'failedShards'],
  ]),
  incomplete: names.default([
    ...['truncated', 'isTruncated', 'partial', 'isPartial', 'partialResults', 'incomplete', 'isIncomplete'],
    ...['incompleteResults', 'timedOut', 'partialContent', 'partialSuccess'],
  ]),
  complete: names.default([
    ...['success', 'ok', 'last', 'isLast', 'lastPage', 'isLastPage', 'done', 'isDone', 'complete', 'isComplete'],
    ...['completed', 'isCompleted', 'finished', 'isFinished', 'final', 'isFinal', 'finalPage', 'isFinalPage', 'end'],
    ...['isEnd', 'atEnd', 'endOfList', 'endOfData', 'endOfResults', 'endReached', 'eof', 'isEof', 'all', 'allReturned'],
  ]),
  further: names.default([
    ...['next', 'nextPage', 'hasNext', 'hasNextPage', 'more', 'hasMore', 'hasMorePages', 'hasMoreItems', 'moreRecords'],
    ...['hasMoreRecords', 'hasMoreResults', 'moreAvailable', 'moreResults'],
  ]),
  paging: names.default([
    ...['total', 'totalCount', 'totalElements', 'totalItems', 'totalRecords', 'totalResults', 'totalRows', 'totalSize'],
    ...['totalLoans', 'count', 'itemCount', 'recordCount', 'resultCount', 'rowCount', 'loanCount', 'numberOfElements'],
    ...['page', 'pages', 'pagination', 'paging', 'pageInfo', 'pageNumber', 'pageIndex', 'currentPage', 'number'],
    ...['offset', 'skip', 'start', 'startAt', 'startIndex', 'size', 'pageSize', 'perPage', 'itemsPerPage', 'limit'],
    ...['maxResults', 'totalPages', 'pageCount', 'self', 'current', 'first', 'links', 'href', 'url'],
    ...['meta', 'metadata'],
  ]),
  unrelated: names.default([
    ...['status', 'asOf', 'date', 'timestamp', 'generatedAt', 'currency', 'timeZone', 'object', 'type', 'version'],
    ...['requestId', 'traceId', 'correlationId', 'hasPrevious', 'hasPreviousPage'],
  ]),
  columns: names.default([]),
  groupBy: names.default([]),
  key: z.string().min(1).nullable().default(null),
});

/** How a JSON body is written: as it is, as the fields of a form, or a line for each row of a batch. */
const mediaType = matching(
  /^application\/(?:(?:(?:[\w.-]+\+)?json|(?:x-)?ndjson|jsonl)(?:; ?[\w.=-]+)*|x-www-form-urlencoded)$/,
  '"application/json" or another form of docs/profiles.md',
);
export const isForm = (type = ''): boolean => type.startsWith('application/x-www-form-urlencoded');
export const isLines = (type = ''): boolean => /^application\/(?:(?:x-)?ndjson|jsonl)\b/.test(type);
const headers = z.record(headerName(), matching(/^[\x20-\x7e]+$/, 'letters, digits and signs of ASCII'));

export const requestRulesSchema = z
  .strictObject({
    rename,
    constants,
    headers: headers.refine((own) => !Object.values(own).some((value) => value.includes(token))).default({}),
    mediaType: mediaType.optional(),
    read: readBodySchema.optional(),
    envelope: path.nullable().optional(),
    beside: constants,
    groupBy: z
      .strictObject({ field: oneOrMore(path), list: path })
      .nullable()
      .default(null),
    alone: z.boolean().default(false),
    filePart: matching(/^[^:]+$/, 'a name without a form').default('file'),
  })
  .refine(
    ({ envelope, beside }) =>
      Object.keys(beside).every((path) => !isWithin(path, envelope ?? '') && !isWithin(envelope ?? '', path)),
    { path: ['beside'], message: 'A field beside the envelope must not be inside or around the envelope.' },
  );

export type RequestRules = z.output<typeof requestRulesSchema>;

const requestsSchema = perKind(requestRulesSchema.prefault({}));

const declaredSettings = z.strictObject({
  paths: pathOverrides.default({}),
  requests: requestsSchema.prefault({}),
  answers: answersSchema.prefault({}),
  /** Body values that report a refused token, and those that mean the status 429, whatever the status. Any of them is enough. */
  token: anyOf(sign),
  busy: anyOf(sign),
  /** Sent with every request, such as an API version, or the header that carries the token. */
  headers: headers
    .refine(({ authorization = token }) => authorization.includes(token), {
      path: ['authorization'],
      message: `Write ${token} in place of the token, such as "Token ${token}".`,
    })
    .default({}),
  idempotencyHeader: headerName('authorization|').default('idempotency-key'),
  balances: balancesSchema.prefault({}),
  wire: z
    .strictObject({
      date: matching(dateForm, 'YYYY, MM and DD once each, as in "MM/DD/YYYY", or unix or unix-ms').default(ownForm),
      phone: z.enum(['as typed', 'E.164', 'digits']).default('as typed'),
      ein: z.enum(['as typed', 'digits', 'dashed']).default('as typed'),
      ssn: z.enum(['as typed', 'digits', 'dashed']).default('as typed'),
      mediaType: mediaType.default('application/json'),
    })
    .prefault({}),
  phoneCountry: z.string().length(2).default('US'),
  /** The level of a blank that the schema allows: by default an error for an assumed need, a warning where listed (2.2, 2.3). */
  needs: z.partialRecord(z.enum(expectedNames), z.enum(blankLevels)).default({}),
  dealStatuses: names.default([]),
  /** People who can be assigned to a deal (2.1 does not show how to name one). Offered as a list in templates, not checked. */
  assignees: names.default([]),
  /** By default, Refs name records of the service. */
  refScope: z.enum(refScopes).optional(),
  formats: formatsSchema.prefault({}),
  checks: checkLevelsSchema.default({}),
  outcomes: z
    .strictObject({ create: outcomesOf('create'), update: outcomesOf('update'), read: outcomesOf('read') })
    .prefault({}),
});

function outcomesOf(nature: RequestNature) {
  return outcomeRulesSchema.default({}).transform((own) => ({ ...assumedOutcomeRules[nature], ...own }));
}

type Fault = readonly [path: readonly string[], message: string];
type Declared = z.output<typeof declaredSettings>;

const consistentSettings = declaredSettings.superRefine((settings, issues) => {
  for (const [path, message] of faultsIn(settings)) issues.addIssue({ code: 'custom', path: [...path], message });
});

function* faultsIn(settings: Declared): Generator<Fault> {
  const { headers, idempotencyHeader, requests, paths, balances } = settings;
  const all = [headers, ...recordKindNames.map((name) => requests[name].headers)];
  if (all.some((own) => Object.hasOwn(own, idempotencyHeader)))
    yield [['idempotencyHeader'], 'The key of a request needs a header of its own, and "headers" has this one.'];
  if (balances.body !== undefined && !isPost(paths.getLoanBalances)) yield [['balances', 'body'], withoutPost];
  for (const name of recordKindNames) yield* faultsOf(recordKind(name), settings);
  for (const endpoint of Object.keys(endpoints) as EndpointName[]) yield* pathFaults(endpoint, settings);
}

/** Names that the kind does not have, and members that cannot take effect for it. */
function* faultsOf(kind: RecordKind, { requests, answers, paths, wire }: Declared): Generator<Fault> {
  const { name, sheet, sending, readBy } = kind;
  const { rename, constants, groupBy, alone, filePart, envelope, beside, mediaType, read: asked } = requests[name];
  const { items, itemYes, count = [], unrelated = [], read } = answers[name] ?? {};
  const ofBatch = { items, itemYes, count: count.length, unrelated: unrelated.length };
  const named = Object.keys(rename).flatMap((path) => (path.includes('{') ? placesOf(path) : path));
  for (const [member, paths] of Object.entries({ rename: named, groupBy: groupBy?.field ?? [] }))
    for (const path of paths.filter((each) => !mayHold(kind, each)))
      yield [['requests', name, member, path], `${sheet} have no such field, and no column in braces can be here.`];
  for (const text of Object.keys(rename).filter((path) => path.includes('{'))) {
    const isApart = placesOf(text).some((path) => groupBy?.field.some((field) => isWithin(path, field)));
    if (sending.isUpdate || isApart || !textOfFields.test(text))
      yield [['requests', name, 'rename', text], withoutText];
  }
  const fixed = { envelope: { [envelope ?? '']: 0 }, constants, beside, 'read.constants': asked?.constants ?? {} };
  // The parts of a form are named as they are: `tags[]`.
  for (const [member, places] of Object.entries(sending.hasFile ? {} : fixed))
    for (const path of Object.keys(places).filter((each) => each.includes('[]')))
      yield [['requests', name, member, path], 'This must be one place: write "[0]" in place of "[]".'];
  const row = items?.row ?? null;
  if (row !== null && (wirePathOf(row, rename) === null || !isPlace(kind, row, rename)))
    yield [['answers', name, 'items', 'row'], withoutValue(row, rename)];
  const areLines = sending.isBatch && !alone && isLines(mediaType ?? wire.mediaType);
  const hasEnvelope = envelope === undefined ? sending.isBatch && !alone && !areLines : envelope !== null;
  const members: readonly (readonly [isIdle: boolean, why: string, part: string, members: object])[] = [
    [!sending.isBatch, 'are not sent in batches', 'requests', { alone, groupBy }],
    [!sending.hasFile, 'have no file', 'requests', { filePart: filePart !== 'file' }],
    [sending.hasFile, 'are sent as the parts of a form', 'requests', { envelope, mediaType }],
    [areLines, 'are sent line by line', 'requests', { envelope }],
    [!hasEnvelope, 'have no envelope: use "constants"', 'requests', { beside: Object.keys(beside).length > 0 }],
    [!sendingOf(kind, requests).isBatch, 'are not sent in batches', 'answers', ofBatch],
    [readBy === undefined, 'cannot be read back', 'answers', { read }],
    [readBy === undefined, 'cannot be read back', 'requests', { read: asked }],
  ];
  if (asked !== undefined && readBy !== undefined && !isPost(paths[readBy]))
    yield [['requests', name, 'read'], withoutPost];
  for (const [isIdle, why, part, declared] of members)
    for (const [member, value] of Object.entries(declared))
      if (isIdle && value) yield [[part, name, member], `This has no effect: ${sheet.toLowerCase()} ${why}.`];
}

const textOfFields = /^\{[^{}]+\}(?:[^{}]*\{[^{}]+\})*$/;
/** A blank in an update leaves its field unchanged, but would be cut out of the text. */
const withoutText =
  'A joined text must begin and end with a field in braces. It cannot be in an update, or hold a field of "groupBy".';

const isPost = (path = ''): boolean => path.startsWith('POST ');
const withoutPost = 'This has no effect: only a request by "POST " has a body. Put that in front of its path.';

/** Places in braces that have no value or a personal one, and a request that does not name its record, or the deal that it is for. */
function* pathFaults(endpoint: EndpointName, { paths, requests, needs }: Declared): Generator<Fault> {
  const kinds = recordKindNames.map(recordKind);
  const [kind, read] = (['endpoint', 'readBy'] as const).map((fact) => kinds.find((each) => each[fact] === endpoint));
  const rename = (kind === undefined ? read && requests[read.name].read : requests[kind.name])?.rename ?? {};
  const isById = placesOf(endpoints[endpoint].path).length > 0;
  const places = placesOf(paths[endpoint] ?? endpoints[endpoint].path);
  const ids = isById ? ['id'] : kind === undefined ? [] : parentIdsOf(kind, needs);
  const hasValue = (place: string) =>
    isById ? kind === undefined || !isField(kind, place) : kind !== undefined && isPlace(kind, place, rename);
  const wrong = places.find((place) => !hasValue(place));
  const missing = ids.find((id) => !places.includes(id));
  if (wrong !== undefined) yield [['paths', endpoint], withoutValue(wrong, rename, missing)];
  const personal = places.find((place) => segmentsOf(place).some(isSensitiveName));
  if (personal !== undefined) yield [['paths', endpoint], `"${personal}" is personal and must not be in an address.`];
  const isNamed = (id: string) =>
    isById ? places.length > 0 || (rename.id ?? null) !== null : places.includes(id) || wirePathOf(id, rename) !== null;
  if (ids.length > 0 && !ids.some(isNamed))
    yield [['paths', endpoint], `The request does not say what it is for: put {${ids[0]}} into its path.`];
}

function parentIdsOf(kind: RecordKind, needs: Declared['needs']): readonly string[] {
  const isNeeded = (need?: string) => need !== undefined && (needs[`${kind.name}.${need}`] ?? 'error') === 'error';
  const needed = fieldsOf(kind).filter(({ required, facts }) => required || isNeeded(facts.need));
  return needed.flatMap(({ path }) => (kind.references.some(({ fills }) => fills === path) ? [path] : []));
}

function isField(kind: RecordKind, path: string): boolean {
  return fieldsOf(kind).some((field) => field.place === 'body' && field.path === path);
}

/** Whether a documented field or a column in braces has this path. Names of a profile do not count. */
function isPlace(kind: RecordKind, path: string, rename: Names): boolean {
  const isOpen = path !== '' && isOpenPath(kind, segmentsOf(path));
  return isField(kind, path) || (isOpen && documentedName(path, rename) === undefined);
}

function documentedName(path: string, rename: Names): string | undefined {
  return Object.keys(rename).find((name) => rename[name]?.replace(/:.*/, '') === path);
}

function withoutValue(name: string, rename: Names, fallback?: string): string {
  const right = documentedName(name, rename) ?? fallback;
  return `"${name}" has no value here.${right === undefined ? '' : ` Write "${right}".`}`;
}

export const contractSettingsSchema = consistentSettings.transform(({ requests, ...contract }) => {
  const written = recordKindNames.map((name) => {
    const rules = requests[name];
    const { alone, mediaType = contract.wire.mediaType } = rules;
    const areLines = recordKind(name).sending.isBatch && !alone && isLines(mediaType);
    const whole = { mediaType, ...(areLines && { envelope: null }) };
    return [name, { ...rules, ...whole, rename: withDayForm(recordKind(name), rules.rename, contract.wire.date) }];
  });
  return { ...contract, requests: Object.fromEntries(written) as typeof requests };
});

export type ContractSettings = z.output<typeof contractSettingsSchema>;

export const assumedContract: ContractSettings = contractSettingsSchema.parse({});

/** Parts that only exports and templates use. They do not change how a row is loaded. */
const besidesLoads: ReadonlySet<string> = new Set<keyof ContractSettings>(['balances', 'assignees']);

export function contractDigest(contract: ContractSettings): string {
  const parts = Object.entries(contract).filter(([name]) => !besidesLoads.has(name));
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(parts), inOneOrder))
    .digest('hex');
}

function inOneOrder(_name: string, part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The header that carries the token, and its value: as in the interface (5), unless a profile declares another. */
export function tokenHeaderOf({ headers }: Pick<ContractSettings, 'headers'>): readonly [name: string, value: string] {
  return Object.entries(headers).find(([, value]) => value.includes(token)) ?? ['authorization', `Bearer ${token}`];
}

export function headersWith(given: string, contract: Pick<ContractSettings, 'headers'>): Record<string, string> {
  const headers = Object.entries({ ...Object.fromEntries([tokenHeaderOf(contract)]), ...contract.headers });
  return Object.fromEntries(headers.map(([name, value]) => [name, value.replaceAll(token, () => given)]));
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

export function sendingOf(
  { name, sending }: RecordKind,
  requests: z.output<typeof requestsSchema>,
): RecordKind['sending'] {
  const { alone, groupBy } = requests[name];
  return sending.isBatch && alone && groupBy === null ? sendings.each : sending;
}
