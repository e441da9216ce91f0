/**
 * What the body of an answer means, and its status. The interface documents the answers of two endpoints (2.6), and no status (7.1).
 * Everything else is an assumption that a profile replaces; docs/profiles.md explains each member.
 */
import * as z from 'zod';
import { oncePer } from '../once.ts';
import { matching, oneOrMore, path, perKind, scalar } from './profile-parts.ts';
import type { RecordKind } from './record-kind.ts';

const paths = z.array(path);

/** Declared values by path; any value of a list counts: `{ "status": ["ok", "created"] }`. */
const said = z.record(path, oneOrMore(scalar), 'expected values such as { "status": "ok" }');
export type Said = z.output<typeof said>;
const yes = z.union([z.literal('2xx'), said]);
const no = z.array(z.union([path, said]));

const header = matching(/^[a-z\d-]+$/, 'a header in small letters');

const jobMembers = z.strictObject({
  status: oneOrMore(z.int().min(200).max(299)).nullable().default(null),
  id: paths.default([]),
  address: paths.default([]),
  header: header.default('location'),
  path: z.string().startsWith('/').nullable().default(null),
  state: path.nullable().default(null),
  done: z.array(scalar).default([]),
  failed: z.array(scalar).default([]),
  result: path.default('.'),
  everyMs: z.number().int().min(10).max(600_000).default(1_000),
  longestMs: z.number().int().min(1_000).max(3_600_000).default(300_000),
});

const jobSchema = jobMembers
  .refine(({ state, done, failed }) => {
    if (state === null) return done.length + failed.length === 0;
    return done.length > 0 && !done.some((each) => failed.includes(each));
  }, 'Give "state" together with "done". What is "done" is not "failed".')
  .refine(
    ({ id, path }) => path === null || (id.length > 0 && path.includes('{id}')),
    'A "path" needs {id} in it, and an "id".',
  );

const itemsSchema = z
  .strictObject({
    at: paths.min(1),
    index: oneOrMore(path).nullable().default(null),
    first: z.union([z.literal(0), z.literal(1)]).default(0),
    row: path.nullable().default(null),
    others: z.enum(['in', 'refused', 'in-doubt']).nullable().default(null),
  })
  .refine(
    ({ index, row, others }) => index !== null || (row === null && others === null),
    'Give "index" too: it names the row of each item.',
  );

const wholeRulesSchema = z.strictObject({
  record: paths,
  id: paths,
  idIf: said.nullable(),
  companyId: paths,
  url: paths,
  idInUrl: matching(/^[/(][^\s{}]*\{id\}[^\s{}]*$/, 'the end of an address, such as "/deals/{id}"').nullable(),
  header,
  yes,
  no,
  reason: paths,
  items: itemsSchema.nullable(),
  itemYes: yes,
  count: paths,
  unrelated: paths,
  job: jobSchema.nullable(),
  read: z.strictObject({ record: paths, id: paths, yes, no }).partial(),
});
type WholeRules = z.output<typeof wholeRulesSchema>;
export const answerRulesSchema = wholeRulesSchema.partial().refine(({ yes, no = [] }) => {
  const values = no.flatMap((each) => (typeof each === 'string' ? [] : Object.entries(each)));
  return typeof yes !== 'object' || !values.some(([path, said]) => said.some((each) => yes[path]?.includes(each)));
}, 'The same value is a "yes" and a "no".');
/** As written in a profile. */
export type DeclaredAnswers = z.input<typeof answerRulesSchema>;

export const answersSchema = perKind(answerRulesSchema.optional()).extend({ '*': answerRulesSchema.optional() });
export type AnswersOfProfile = z.output<typeof answersSchema>;

export interface AnswerRules extends WholeRules {
  /** Whether a yes without an id is in doubt: the id is documented, or a profile declares its path. */
  readonly needsId: boolean;
  /** Whether an answer to a batch without its list is in doubt: a profile declares where the list is. */
  readonly needsItems: boolean;
  /** Whether the interface or the profile declares the answers. If not, the first row is sent alone. */
  readonly isDeclared: boolean;
}

/** A body that names a job is not a record yet. Without a profile it stays unknown how the job ends. */
const assumedJob: NonNullable<WholeRules['job']> = {
  ...jobMembers.parse({ id: ['jobId', 'job_id', 'job.id', 'data.jobId'] }),
  longestMs: 0,
};

const assumed: WholeRules = {
  record: ['.'],
  id: ['id'],
  idIf: null,
  companyId: ['company.id'],
  url: ['url'],
  idInUrl: null,
  header: 'location',
  yes: { success: [true] },
  no: ['errorMessage', 'error', 'errors'],
  reason: [],
  items: null,
  itemYes: { success: [true] },
  count: [],
  unrelated: [],
  job: assumedJob,
  read: {},
};

/** @param kind  `null` for the balances, which have their own assumed error names */
export function readRulesOf(
  kind: RecordKind | null,
  answers: AnswersOfProfile,
): Pick<WholeRules, 'record' | 'id' | 'yes' | 'no' | 'reason'> {
  const own = kind === null ? undefined : answers[kind.name];
  const declared = { ...answers['*'], ...own, ...answers['*']?.read, ...own?.read };
  return { ...assumed, record: [], no: kind === null ? [] : assumed.no, ...(declared as Partial<WholeRules>) };
}

export function answerRulesOf(kind: RecordKind, answers: AnswersOfProfile): AnswerRules {
  return rulesOfProfile(answers)(kind);
}

const rulesOfProfile = oncePer((answers: AnswersOfProfile) =>
  oncePer((kind: RecordKind): AnswerRules => {
    const declared = { ...answers['*'], ...answers[kind.name] };
    const isIdDeclared = declared.id === undefined ? kind.answersWithId : declared.id.length > 0;
    const { job = null, idInUrl = null } = declared;
    // The id in the last answer of a job may be that of the job.
    const hasOtherId = idInUrl !== null || (job !== null && job.state !== null && job.result === '.');
    return {
      ...assumed,
      id: hasOtherId ? [] : assumed.id,
      // Assumed for Add transactions (4.11): the rows come back in a list with the name of their kind, in their order.
      items: kind.sending.isBatch ? itemsSchema.parse({ at: [kind.name] }) : null,
      ...(declared as Partial<WholeRules>),
      // A good status of the whole answer says nothing about a single row.
      itemYes: declared.itemYes ?? (declared.yes === '2xx' ? undefined : declared.yes) ?? assumed.itemYes,
      // An update has its id in its own path, and the `idInUrl` may be that of all kinds.
      needsId: isIdDeclared || (idInUrl !== null && !kind.sending.isUpdate),
      needsItems: (declared.items ?? null) !== null,
      isDeclared: kind.answersWithId || answers['*'] !== undefined || answers[kind.name] !== undefined,
    };
  }),
);

/**
 * - `success`: the body decides (an id, `success: false`, nothing readable)
 * - `rejected`: the service refused it for good
 * - `retry`: nothing was done, and a later try may succeed
 * - `retry-if-told`: the same, but only when the answer carries `Retry-After`; otherwise the rule of its class applies
 * - `in-doubt`: the record may or may not have been created
 * - `token`: the token was refused
 * - `closed`: rejected, and five in a row from the start of a run mean that the whole address is wrong
 * - `stop`: in doubt, and nothing more may be sent
 */
const meanings = ['success', 'rejected', 'retry', 'retry-if-told', 'in-doubt', 'token', 'closed', 'stop'] as const;
export type AnswerMeaning = (typeof meanings)[number];

/** A create (also bulk and upload) must not be repeated; an update may be repeated; a read is always safe. */
export type RequestNature = 'create' | 'update' | 'read';

export const outcomeRulesSchema = z.record(matching(/^[1-5](\d\d|xx)$/, '"409" or "5xx"'), z.enum(meanings));
export type OutcomeRules = Readonly<Record<string, AnswerMeaning>>;

const common: OutcomeRules = {
  '2xx': 'success',
  '3xx': 'stop',
  '4xx': 'rejected',
  '401': 'token',
  '403': 'closed',
  '405': 'closed',
  '408': 'retry',
  '425': 'retry',
  '429': 'retry',
  '503': 'retry-if-told',
};

export const assumedOutcomeRules: Readonly<Record<RequestNature, OutcomeRules>> = {
  create: { ...common, '404': 'closed', '1xx': 'in-doubt', '5xx': 'in-doubt' },
  update: { ...common, '1xx': 'retry', '5xx': 'retry' },
  read: { ...common, '1xx': 'retry', '5xx': 'retry' },
};

export function meaningOf(rules: OutcomeRules, status: number, hasRetryAfter: boolean): AnswerMeaning {
  const ofClass = rules[`${Math.floor(status / 100)}xx`] ?? 'in-doubt';
  const exact = rules[String(status)];
  if (exact === 'retry-if-told') return hasRetryAfter ? 'retry' : ofClass;
  return exact ?? ofClass;
}
