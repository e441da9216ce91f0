/**
 * Translates every request body and every answer of the sandbox. Without a profile the sandbox follows the interface. With one it
 * applies the client's own rules in reverse.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type AnswerRules, answerRulesOf, readRulesOf } from '../contract/answer-rules.ts';
import { isObject, valuesAt } from '../contract/body-path.ts';
import {
  assumedContract,
  type ContractSettings,
  isForm,
  type RequestRules,
  sendingOf,
  tokenHeaderOf,
} from '../contract/contract-settings.ts';
import { fieldsOf } from '../contract/fields.ts';
import { type EndpointName, endpoints, type RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import {
  divided,
  documentedBy,
  formBody,
  formText,
  placesIn,
  placesOf,
  renamer,
  wirePathOf,
} from '../contract/rename.ts';
import { allDigitsOf } from '../contract/value-types.ts';
import { literal } from '../messages/plain-text.ts';
import { type Body, kindWith } from './kinds.ts';
import { type Answer, type FieldError, invalidFields, jsonAnswer, Problem, refuseInvalid } from './problem.ts';

export type Dialect = ReturnType<typeof openDialect>;

/** @param declared  the contract of the profile, or `null` for the interface itself */
export function openDialect(declared: ContractSettings | null) {
  const contract = declared ?? assumedContract;
  const rulesOf = (kind: RecordKind) => answerRulesOf(kind, contract.answers);
  const [tokenHeader = '', tokenForm = ''] = tokenHeaderOf(contract);
  const jobs: { readonly final: Body; readonly isNo: boolean; readonly job: Job; isAsked: boolean }[] = [];
  const begun = (job: Job, final: Body, isNo: boolean): Answer => {
    const id = `job_${jobs.push({ final, isNo, job, isAsked: false })}`;
    const location = jobPathOf(job).replace('{id}', id);
    const place = job.id.length > 0 ? { [job.id[0] as string]: id } : at(job.address, location);
    return jsonAnswer(job.status?.[0] ?? 202, bodyOf(place), { [job.header]: location });
  };
  return {
    /** Whether a batch succeeds or fails as a whole, because its answer has no place for single rows. */
    takesWholeBatches: recordKinds
      .filter(({ sending }) => sending.isBatch)
      .some((kind) => rulesOf(kind).items === null || rulesOf(kind).count.length > 0),
    pathOf: (endpoint: EndpointName) => contract.paths[endpoint] ?? endpoints[endpoint].path,
    /** The header that carries the token: `Authorization: Bearer …`, or the one that the profile declares. */
    tokenPlace: `${tokenHeader}: ${tokenForm.replace('{token}', '…')}`,
    tokenIn(header: (name: string) => string | undefined): string | undefined {
      const [before = '', after = ''] = tokenForm.split('{token}').map(literal);
      return new RegExp(`^${before}(.*)${after}$`, 'i').exec(header(tokenHeader)?.trim() ?? '')?.[1]?.trim();
    },
    jobPaths: [...new Set(recordKinds.flatMap((kind) => jobOf(rulesOf(kind)) ?? []).map(jobPathOf))],
    /** Converts a received body (JSON or form) to contract names. Throws a problem that lists the expected names. */
    fromWire(endpoint: EndpointName, body: unknown, places: Readonly<Record<string, string>> = {}): unknown {
      if (declared === null || body === undefined) return body;
      const kind = kindWith('endpoint', endpoint);
      if (kind === undefined) return documentedRead(endpoint, body, contract);
      const made = documentedBody(kind, body, contract);
      // What the profile leaves out of the body may be in the address.
      const named = Object.keys(places).filter(
        (path) => wirePathOf(path, contract.requests[kind.name].rename) === null,
      );
      const ofAddress = Object.fromEntries(named.map((path) => [path, places[path]]));
      const whole = (row: unknown) => withTypes(kind, renamer({}, ofAddress)(divided(row as Body, named).rest));
      return named.length === 0 ? made : Array.isArray(made) ? made.map(whole) : whole(made);
    },
    /** Converts a result, list or problem to the service's names and shape. `sent` is the result of `fromWire`. */
    toWire(endpoint: EndpointName, answer: Answer, sent: unknown): Answer {
      const { status, body } = answer;
      if (declared === null || !isObject(body)) return answer;
      const kind = kindWith('endpoint', endpoint);
      if (status === 401) return tokenRefusal(answer, kind, contract);
      if (kind === undefined) return status === 200 ? readAnswer(endpoint, body, sent, contract) : answer;
      const rules = rulesOf(kind);
      const [only = body] = (kind.sending.isBatch ? (body[kind.name] ?? []) : [body]) as readonly Body[];
      const isBatch = sendingOf(kind, contract.requests).isBatch;
      const said = isBatch ? batchSaid(body[kind.name], body.made, sent, rules) : recordSaid(only, rules, rules.yes);
      const isNo = said === null;
      if (isNo && !(refusals.has(status) || body.success === false)) return answer;
      const final = bodyOf(said ?? refusalSaid({ ...only, ...body }, rules, rules.yes));
      const job = jobOf(rules);
      if (job !== null) return begun(job, final, isNo);
      const declaredNo = contract.answers[kind.name]?.no ?? contract.answers['*']?.no;
      const isByStatus = isNo && refusals.has(status) && declaredNo === undefined;
      return isByStatus ? { ...answer, body: { ...body, ...final } } : jsonAnswer(isNo ? 200 : status, final);
    },
    job(id: string): Answer {
      const found = jobs[Number(id.replace('job_', '')) - 1];
      if (found === undefined) return new Problem('not-found', { detail: 'There is no such job.' }).answer();
      const { final, isNo, job, isAsked } = found;
      found.isAsked = true;
      if (job.state === null) return isAsked ? jsonAnswer(200, final) : jsonAnswer(202, {});
      if (!isAsked) return jsonAnswer(200, bodyOf({ [job.state]: 'under way' }));
      const [failed] = job.failed;
      const hasFailed = isNo && failed !== undefined;
      const held = hasFailed || job.result === '.' ? final : bodyOf({ [job.result]: final });
      // The states of its rows may be the state of the job.
      const isSaid = valuesAt(held, job.state).some((each) => [...job.done, ...job.failed].includes(each as never));
      const state = isSaid ? {} : { [job.state]: hasFailed ? failed : job.done[0] };
      return jsonAnswer(200, bodyOf({ ...Object.fromEntries(placesIn(held)), ...state }));
    },
  };
}

type Job = NonNullable<AnswerRules['job']>;
type Said = Readonly<Record<string, unknown>>;

const refusals: ReadonlySet<number> = new Set([400, 404, 413, 415, 422]);

function jobOf({ job }: AnswerRules): Job | null {
  return job === null || job.longestMs === 0 ? null : job;
}

function jobPathOf({ path }: Job): string {
  return path ?? '/v1/jobs/{id}';
}

/** A value at `.` is the whole body, which may also be a list: `[].code`. */
function bodyOf(said: Said): Body {
  if (Object.hasOwn(said, '.')) return said['.'] as Body;
  const paths = Object.keys(said);
  const places = Object.entries(said).map(([path, value]) => [path.replaceAll('[]', '[0]'), value]);
  const body = renamer({}, Object.fromEntries(places))({});
  const isList = paths.length > 0 && paths.every((path) => path.startsWith('[]'));
  return isList ? (Object.values(body) as unknown as Body) : body;
}

function at([path]: readonly string[], value: unknown, record = '.'): Said {
  if (path === undefined || value === undefined) return {};
  return { [record === '.' ? path : path === '.' ? record : `${record}.${path}`]: value };
}

/** The members of a yes to one record; `null` when the answer is not a yes. */
function recordSaid(result: Body, rules: AnswerRules, yes: AnswerRules['yes']): Said | null {
  if (result.success !== true) return null;
  const [record = '.'] = rules.record;
  const company = isObject(result.company) ? result.company.id : undefined;
  return {
    ...firstOf(yes),
    ...firstOf(rules.idIf ?? '2xx'),
    ...at(rules.id, result.id, record),
    ...at(rules.companyId, company, record),
    ...at(rules.url, rules.idInUrl?.replace('{id}', String(result.id)) ?? result.url, record),
  };
}

/** Items that name their row come back in reverse order, so that a client must match them by index. */
function batchSaid(results: unknown, made: unknown, sent: unknown, rules: AnswerRules): Said | null {
  if (!Array.isArray(results)) return null;
  const { items } = rules;
  const whole = { ...firstOf(rules.yes), ...at(rules.count, made) };
  if (items === null) return whole;
  const keyOf = (place: number, { row, first }: typeof items) =>
    row === null ? place + first : valuesAt(sent, `[${place}].${row}`)[0];
  const name = items.index?.at(-1);
  const list = (results as readonly Body[]).flatMap((result, place): [unknown, Body][] => {
    const yes = recordSaid(result, rules, rules.itemYes);
    const key = keyOf(place, items);
    const index = name === undefined || name === '@' ? {} : { [name]: key };
    const isListed = items.others === null || (yes === null) === (items.others === 'in');
    return isListed ? [[key, bodyOf({ ...(yes ?? refusalSaid(result, rules, rules.itemYes)), ...index })]] : [];
  });
  if (items.others === 'refused' && list.length === 0) return null;
  const bodies = list.map(([, body]) => body);
  const inOrder = name === undefined ? bodies : bodies.reverse();
  return { ...whole, ...at(items.at, name === '@' ? Object.fromEntries(list) : inOrder) };
}

function firstOf(said: AnswerRules['yes']): Said {
  const places = said === '2xx' ? [] : Object.entries(said);
  return Object.fromEntries(places.map(([path, values]) => [path, values[0]]));
}

function refusalSaid({ detail, message, errors }: Body, rules: AnswerRules, yes: AnswerRules['yes']): Said {
  const text = detail ?? message ?? valuesAt(errors, '[0].message')[0] ?? 'Refused.';
  const flags = Object.entries(firstOf(yes)).filter(([, value]) => typeof value === 'boolean');
  const reason = at(rules.reason, text);
  const [no] = rules.no;
  const isStated = Object.keys(reason).some((path) =>
    rules.no.some((each) => typeof each === 'string' && path.startsWith(each)),
  );
  return {
    ...Object.fromEntries(flags.map(([path, value]) => [path, !value])),
    ...(typeof no === 'object' ? firstOf(no) : isStated ? {} : at(no === undefined ? [] : [no], text)),
    ...reason,
  };
}

function tokenRefusal(
  answer: Answer,
  kind: RecordKind | undefined,
  { outcomes, token: [sign] }: ContractSettings,
): Answer {
  const nature = kind === undefined ? 'read' : kind.sending.isUpdate ? 'update' : 'create';
  const declared = Object.entries(outcomes[nature]).find(
    ([status, means]) => means === 'token' && /^\d{3}$/.test(status) && status !== '401',
  );
  const status = Number(declared?.[0] ?? (sign === undefined ? 401 : 400));
  const stated = sign === undefined ? {} : bodyOf({ [sign.path]: sign.is });
  return { ...answer, status, body: { ...(answer.body as Body), ...stated } };
}

function readAnswer(endpoint: EndpointName, body: Body, sent: unknown, contract: ContractSettings): Answer {
  if (endpoint === 'health') return jsonAnswer(200, body);
  const kind = kindWith('readBy', endpoint);
  if (kind === undefined) return balancesAnswer(body.data as readonly Body[], sent, contract);
  const { id, ...record } = body;
  const rules = readRulesOf(kind, contract.answers);
  const [declared = '.'] = rules.record;
  const [idPath = 'id'] = rules.id;
  const named = { ...renamer(contract.requests[kind.name].rename, {})(record), ...bodyOf({ [idPath]: id }) };
  return jsonAnswer(200, declared === '.' ? named : bodyOf({ [declared]: named }));
}

/** All balances are on the first page, and none on a further one. */
function balancesAnswer(all: readonly Body[], sent: unknown, { balances }: ContractSettings): Answer {
  const { records, shape, header, total, pages } = balances;
  const parameter = pages !== null && 'parameter' in pages ? pages.parameter : '';
  const asked = (isObject(sent) ? sent[parameter] : null) ?? null;
  const isFurther = asked !== null && !(pages !== null && 'first' in pages && Number(asked) === pages.first);
  const list = isFurther ? [] : all;
  const shown = {
    list,
    rows: list.map((each) => Object.values(each)),
    keyed: Object.fromEntries(list.map((each) => [String(Object.values(each)[0]), each])),
  };
  return jsonAnswer(
    200,
    bodyOf({
      ...at(records.length === 0 ? ['data'] : records, shown[shape ?? 'list']),
      ...(header !== null && { [header]: Object.keys(all[0] ?? {}) }),
      ...(pages !== null && 'more' in pages && pages.more !== undefined && { [pages.more]: false }),
      ...(total && !total.startsWith('@headers.') && { [total]: all.length }),
    }),
    total?.startsWith('@headers.') ? { [total.replace('@headers.', '')]: String(all.length) } : {},
  );
}

/** Of a read by POST: its id or its parameters, by their documented names. */
function documentedRead(endpoint: EndpointName, sent: unknown, { requests, balances }: ContractSettings): Body {
  const kind = kindWith('readBy', endpoint);
  const { rename = {}, constants = {} } = (kind ? requests[kind.name].read : balances.body) ?? {};
  const read = documentedBy(rename)(divided(sent as Body, Object.keys(constants)).rest);
  const named = Object.fromEntries(Object.entries(read).filter(([name]) => Object.hasOwn(rename, name)));
  refuseInvalid(differences(sent as Body, renamer(rename, constants)(named)));
  if (kind !== undefined && Object.hasOwn(rename, 'id') && named.id === undefined)
    throw expected(wirePathOf('id', rename) ?? '');
  return named;
}

/**
 * Converts a record, the rows of a batch or a form to documented names. The client's own rules must reproduce the received body
 * from the result; otherwise the request is refused with the expected names.
 */
function documentedBody(kind: RecordKind, sent: unknown, contract: ContractSettings): unknown {
  const rules = contract.requests[kind.name];
  const asSent = (body: Body): Body => (isForm(rules.mediaType) ? formBody(formText(body)) : body);
  const read = (part: unknown, { constants }: Pick<RequestRules, 'constants'> = rules) =>
    documented(kind, part, contract, constants, asSent);
  if (kind.sending.hasFile) return documentedForm(kind, sent as Body, contract);
  const isBatch = sendingOf(kind, contract.requests).isBatch;
  const { groupBy, alone, beside, envelope = isBatch && !alone ? kind.name : null } = rules;
  const due = placesIn(asSent(renamer({}, beside)({})));
  const other = [...due.keys()].find((path) => !isDeepStrictEqual(valuesAt(sent, path)[0], due.get(path)));
  if (other !== undefined) throw expected(other);
  const inner = envelope === null ? sent : insideOf(sent, envelope);
  if (!isBatch) return kind.sending.isBatch ? [read(inner)] : read(inner);
  if (groupBy === null) return listOf(inner, envelope ?? '').map((row) => read(row));
  const groups = alone ? [inner] : listOf(inner, envelope ?? '');
  return groups.flatMap((group) => {
    const { [groupBy.list]: rows, ...shared } = isObject(group) ? group : {};
    const [first = ''] = groupBy.field;
    if (Object.keys(shared).length === 0) throw expected(wirePathOf(first, rules.rename) ?? first);
    const ofAll = read(shared, { constants: {} });
    return listOf(rows, groupBy.list).map((row) => ({ ...read(row), ...ofAll }));
  });
}

/** @param texts  converts every value to text, as in a form */
function documented(
  kind: RecordKind,
  part: unknown,
  contract: ContractSettings,
  constants: Body,
  texts = (body: Body): Body => body,
): Body {
  if (!isObject(part) || Array.isArray(part)) return part as Body;
  const { rename } = contract.requests[kind.name];
  // The parts of a joined text cannot be told apart, so the first field has the whole text.
  const joins = Object.entries(rename).flatMap(([path, to]): [string, string][] =>
    path.includes('{') && to !== null ? [[placesOf(path)[0] ?? '', to.replace(/:.*/, '')]] : [],
  );
  const joinedAt = joins.map(([, place]) => place);
  const { rest } = divided(part, [...Object.keys(constants), ...joinedAt]);
  const read = withTypes(kind, documentedBy(rename)(rest));
  const written = texts(renamer(rename, constants)(read));
  refuseInvalid(differences(divided(part, joinedAt).rest, written));
  // The contract requires these fields, but the profile does not send them, so they get an example value.
  const leftOut = fieldsOf(kind).filter(
    ({ required, path }) => required && wirePathOf(path, rename) === null && valuesAt(read, path).length === 0,
  );
  const ofTexts = joins.flatMap(([path, place]) =>
    valuesAt(read, path).length > 0 ? [] : valuesAt(part, place).map((text) => [path, text] as const),
  );
  const examples = leftOut.map(({ path, facts }) => [path, facts.example] as const);
  return renamer({}, Object.fromEntries([...examples, ...ofTexts]))(read);
}

/** Every part of a form except the file is text, or an object as JSON. */
function documentedForm(kind: RecordKind, form: Body, contract: ContractSettings): Body {
  const { constants, filePart } = contract.requests[kind.name];
  const { [filePart]: file, ...parts } = form;
  if (!isObject(file)) throw expected(filePart);
  // A constant names its part as it is: `tags[]`.
  const fixed = new Map(
    Object.entries(constants).map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value]),
  );
  for (const [name, value] of fixed)
    if (!isDeepStrictEqual([parts[name]].flat(), [value].flat().map(allDigitsOf))) throw expected(name);
  const others = Object.fromEntries(Object.entries(parts).filter(([name]) => !fixed.has(name)));
  const each = (body: Body, read: (value: unknown) => unknown): Body =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, read(value)]));
  const sent = each(others, (text) => (/^\{".*\}$/s.test(String(text)) ? JSON.parse(String(text)) : text));
  const flat = (body: Body) => each(body, (value) => (isObject(value) ? value : String(value)));
  return { ...documented(kind, sent, contract, {}, flat), file };
}

/** Converts numbers and texts back to the contract's types, because a profile may declare others for the wire. */
function withTypes(kind: RecordKind, body: Body): Body {
  const held = placesIn(body);
  const typed = fieldsOf(kind).flatMap(({ path, schema }): [string, unknown][] => {
    const value = held.get(path);
    if (schema instanceof z.ZodString && (typeof value === 'number' || typeof value === 'boolean'))
      return [[path, String(value)]];
    return schema instanceof z.ZodNumber && typeof value === 'string' ? [[path, Number(value)]] : [];
  });
  const { rest } = divided(
    body,
    typed.map(([path]) => path),
  );
  return typed.length === 0 ? body : renamer({}, Object.fromEntries(typed))(rest);
}

function differences(sent: Body, written: Body): FieldError[] {
  const [came, due] = [placesIn(sent), placesIn(written)];
  const missing = [...due.keys()].filter((path) => !isDeepStrictEqual(came.get(path), due.get(path)));
  const strange = [...came.keys()].filter((path) => !due.has(path));
  return [
    ...missing.map((path) => ({ path, rule: 'name', message: `${path} was expected.` })),
    ...strange.map((path) => ({ path, rule: 'name', message: `${path} is not sent here.` })),
  ];
}

function insideOf(body: unknown, path: string): unknown {
  const [inner] = valuesAt(body, path);
  if (inner === undefined) throw expected(path);
  return inner;
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw expected(path);
  return value;
}

function expected(path: string): Problem {
  return invalidFields([{ path, rule: 'name', message: `${path} was expected.` }]);
}
