/**
 * The one place through which every request body goes in and every answer goes out. Without a profile the sandbox speaks as the
 * interface says; with one as the profile says, by the rules that the client goes by, the other way round.
 */
import { type AnswerRules, answerRulesOf, readRulesOf } from '../contract/answer-rules.ts';
import { isObject, valuesAt } from '../contract/body-path.ts';
import { assumedContract, type ContractSettings, sendingOf } from '../contract/contract-settings.ts';
import { type EndpointName, endpoints } from '../contract/endpoints.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import { renamer } from '../contract/rename.ts';
import { type Body, kindAt, kindSentTo } from './kinds.ts';
import { type Answer, jsonAnswer, Problem } from './problem.ts';
import { documentedBody } from './spoken-body.ts';

export interface Dialect {
  /** Whether the rows of a batch are made all or not at all: its answer has no place for each. */
  readonly takesWholeBatches: boolean;
  pathOf(endpoint: EndpointName): string;
  /** A body as it came, JSON or a form, in the names of the contract. Throws a problem that tells the names that it should have. */
  fromWire(endpoint: EndpointName, body: unknown): unknown;
  /** An answer in the names and the shape of the service, be it a result, a list or a problem. `sent`: what {@link fromWire} gave. */
  toWire(endpoint: EndpointName, answer: Answer, sent: unknown): Answer;
  /** The paths at which jobs are asked for, with `{id}`. */
  readonly jobPaths: readonly string[];
  job(id: string): Answer;
}

/** @param declared  the contract of the profile, or `null` for the interface itself */
export function openDialect(declared: ContractSettings | null): Dialect {
  const contract = declared ?? assumedContract;
  const rulesOf = (kind: RecordKind) => answerRulesOf(kind, contract.answers);
  const jobs: { readonly final: Body; readonly isNo: boolean; readonly job: Job; isAsked: boolean }[] = [];
  const begun = (job: Job, final: Body, isNo: boolean): Answer => {
    const id = `job_${jobs.push({ final, isNo, job, isAsked: false })}`;
    const location = jobPathOf(job).replace('{id}', id);
    const place = job.id.length > 0 ? { [job.id[0] as string]: id } : at(job.address, location);
    return jsonAnswer(202, bodyOf(place), { location });
  };
  return {
    takesWholeBatches: recordKinds
      .filter(({ sending }) => sending.isBatch)
      .some((kind) => rulesOf(kind).items === null || rulesOf(kind).count.length > 0),
    pathOf: (endpoint) => contract.paths[endpoint] ?? endpoints[endpoint].path,
    jobPaths: [...new Set(recordKinds.flatMap((kind) => jobOf(rulesOf(kind)) ?? []).map(jobPathOf))],
    fromWire(endpoint, body) {
      const kind = declared === null ? undefined : kindSentTo(endpoint);
      return kind === undefined ? body : documentedBody(kind, body, contract);
    },
    toWire(endpoint, answer, sent) {
      const { status, body } = answer;
      if (declared === null || !isObject(body)) return answer;
      const kind = kindSentTo(endpoint);
      if (status === 401) return tokenRefusal(answer, kind, contract);
      if (kind === undefined) return status === 200 ? readAnswer(endpoint, body, contract) : answer;
      const rules = rulesOf(kind);
      const [only = body] = (kind.sending.isBatch ? (body.transactions ?? []) : [body]) as readonly Body[];
      const isBatch = sendingOf(kind, contract.requests).isBatch;
      const said = isBatch ? batchSaid(body, sent, rules) : recordSaid(only, rules, rules.yes);
      const isNo = said === null;
      if (isNo && !(refusals.has(status) || body.success === false)) return answer;
      const final = bodyOf(said ?? refusalSaid(body, rules, rules.yes));
      const job = jobOf(rules);
      if (job !== null) return begun(job, final, isNo);
      const declaredNo = contract.answers[kind.name]?.no ?? contract.answers['*']?.no;
      const isByStatus = isNo && refusals.has(status) && declaredNo === undefined;
      return isByStatus ? { ...answer, body: { ...body, ...final } } : jsonAnswer(isNo ? 200 : status, final);
    },
    job(id) {
      const found = jobs[Number(id.replace('job_', '')) - 1];
      if (found === undefined) return new Problem('not-found', { detail: 'There is no such job.' }).answer();
      const { final, isNo, job, isAsked } = found;
      found.isAsked = true;
      if (job.state === null) return isAsked ? jsonAnswer(200, final) : jsonAnswer(202, {});
      if (!isAsked) return jsonAnswer(200, bodyOf({ [job.state]: 'under way' }));
      const [failed] = job.failed;
      const hasFailed = isNo && failed !== undefined;
      const held = hasFailed || job.result === '.' ? final : bodyOf({ [job.result]: final });
      return jsonAnswer(200, { ...held, ...bodyOf({ [job.state]: hasFailed ? failed : job.done[0] }) });
    },
  };
}

type Job = NonNullable<AnswerRules['job']>;
/** A body by the paths of its values. */
type Said = Readonly<Record<string, unknown>>;

/** The statuses of the sandbox that say no to what was sent. */
const refusals: ReadonlySet<number> = new Set([400, 404, 413, 415, 422]);

function jobOf({ job }: AnswerRules): Job | null {
  return job === null || job.longestMs === 0 ? null : job;
}

function jobPathOf({ path }: Job): string {
  return path ?? '/v1/jobs/{id}';
}

/** What stands at `.` is the whole body. */
function bodyOf(said: Said): Body {
  if (Object.hasOwn(said, '.')) return said['.'] as Body;
  const places = Object.entries(said).map(([path, value]) => [path.replaceAll('[]', '[0]'), value]);
  return renamer({}, Object.fromEntries(places))({});
}

function at([path]: readonly string[], value: unknown, record = '.'): Said {
  if (path === undefined || value === undefined) return {};
  return { [record === '.' ? path : path === '.' ? record : `${record}.${path}`]: value };
}

/** What a yes to one record says, or `null` when it is none. */
function recordSaid(result: Body, rules: AnswerRules, yes: AnswerRules['yes']): Said | null {
  if (result.success !== true) return null;
  const [record = '.'] = rules.record;
  const company = isObject(result.company) ? result.company.id : undefined;
  return {
    ...firstOf(yes),
    ...at(rules.id, result.id, record),
    ...at(rules.companyId, company, record),
    ...at(rules.url, result.url, record),
  };
}

/** Where items say which row is theirs, they come in another order than they were sent in. */
function batchSaid({ transactions, made }: Body, sent: unknown, rules: AnswerRules): Said | null {
  if (!Array.isArray(transactions)) return null;
  const { items } = rules;
  const whole = { ...firstOf(rules.yes), ...at(rules.count, made) };
  if (items === null) return whole;
  const list = (transactions as readonly Body[]).map((result, place) =>
    bodyOf({
      ...(recordSaid(result, rules, rules.itemYes) ?? refusalSaid(result, rules, rules.itemYes)),
      ...(items.index === null ? {} : { [[items.index].flat().at(-1) ?? '']: place + items.first }),
      ...(items.match === null ? {} : { [items.match.item]: valuesAt(sent, `[${place}].${items.match.row}`)[0] }),
    }),
  );
  return { ...whole, ...at(items.at, items.index === null && items.match === null ? list : list.reverse()) };
}

/** The first of the values that may stand at each path. */
function firstOf(said: AnswerRules['yes']): Said {
  const places = said === '2xx' ? [] : Object.entries(said);
  return Object.fromEntries(places.map(([path, values]) => [path, [values].flat()[0]]));
}

function refusalSaid({ detail, message, errors }: Body, rules: AnswerRules, yes: AnswerRules['yes']): Said {
  const text = detail ?? message ?? valuesAt(errors, '[0].message')[0] ?? 'Refused.';
  const flags = Object.entries(firstOf(yes)).filter(([, value]) => typeof value === 'boolean');
  const reason = at(rules.reason, text);
  const [no] = rules.no;
  const isTold = Object.keys(reason).some((path) =>
    rules.no.some((each) => typeof each === 'string' && path.startsWith(each)),
  );
  return {
    ...Object.fromEntries(flags.map(([path, value]) => [path, !value])),
    ...(typeof no === 'object' ? firstOf(no) : isTold ? {} : at(no === undefined ? [] : [no], text)),
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
  const told = sign === undefined ? {} : bodyOf({ [sign.path]: sign.is });
  return { ...answer, status, body: { ...(answer.body as Body), ...told } };
}

function readAnswer(endpoint: EndpointName, body: Body, contract: ContractSettings): Answer {
  if (endpoint === 'health') return jsonAnswer(200, body);
  const kind = kindAt(endpoints[endpoint].path);
  if (kind === undefined) return jsonAnswer(200, bodyOf(at(contract.balances.records, body.data)));
  const { id, ...record } = body;
  const rules = readRulesOf(kind, contract.answers);
  const [declared = '.'] = rules.record;
  const [idPath = 'id'] = rules.id;
  const named = { ...renamer(contract.requests[kind.name].rename, {})(record), ...bodyOf({ [idPath]: id }) };
  return jsonAnswer(200, declared === '.' ? named : bodyOf({ [declared]: named }));
}
