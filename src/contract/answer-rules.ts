/**
 * What an answer to a write means, declared for each record kind. The interface documents the flag `success`, the id, the
 * company's id and the address of two endpoints (2.6); everything else is an assumption that a profile replaces under `answers`.
 */
import * as z from 'zod';
import { oncePer } from '../once.ts';
import { perKind, type RecordKind } from './record-kind.ts';

/** Dotted names into a body; `[]` goes through a list, `[0]` to one part of it, and `.` is the value itself. */
export const path = z.string().min(1).max(512);
const paths = z.array(path);

export const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** What may stand at a path, or any of several: `{ "status": ["ok", "created"] }`. */
const said = z.record(path, z.union([scalar, z.array(scalar).min(1)]));
export type Said = z.output<typeof said>;
const yes = z.union([z.literal('2xx'), said]);
const no = z.array(z.union([path, said]));

const jobSchema = z.strictObject({
  /** Where an answer gives the id of the job, or the address at which it is asked for; else a header gives the address. */
  id: paths.default([]),
  address: paths.default([]),
  header: z
    .string()
    .regex(/^[a-z\d-]+$/)
    .default('location'),
  /** The path at which a job is asked for, with `{id}` in it. */
  path: z.string().startsWith('/').nullable().default(null),
  /** Where the answer about a job tells its states, and which end it; without it, anything but 202 and 204 ends it. */
  state: path.nullable().default(null),
  done: z.array(scalar).default([]),
  failed: z.array(scalar).default([]),
  /** Where the answer about a job that is done holds what the endpoint itself would have answered. */
  result: path.default('.'),
  everyMs: z.number().int().min(10).max(600_000).default(1_000),
  /** After this the rows are in doubt. */
  longestMs: z.number().int().min(1_000).max(3_600_000).default(300_000),
});

const itemsSchema = z.strictObject({
  /** Where the lists of the rows stand, joined in this order, or the object that holds the rows by their keys. */
  at: paths.min(1),
  /**
   * Where an item gives the place of its row, counted from `first`; `@` is its key. Of several paths the first that an item has.
   * Without it, items stand in the order of the rows.
   */
  index: z
    .union([path, paths.min(1)])
    .nullable()
    .default(null),
  first: z.union([z.literal(0), z.literal(1)]).default(0),
  /** A value of an item (`@` is its key) and the value of the row that it repeats: `{ "item": "externalId", "row": "reference" }`. */
  match: z.strictObject({ item: path, row: path }).nullable().default(null),
});

const shape = {
  /** Where the record stands that `id`, `companyId` and `url` are read from. */
  record: paths,
  id: paths,
  companyId: paths,
  url: paths,
  /** How an address ends that holds the id, in `url` or in the header `Location`: `/deals/{id}`. */
  idInUrl: z
    .string()
    .regex(/^\/[^\s{}]*\{id\}[^\s{}]*$/)
    .nullable(),
  /** What a body must say to be a yes, or `2xx` when a good status alone is one. Another value at such a path is a no. */
  yes,
  /** A no: anything there but null, false, "", 0, [] and {}; or one of the values of a path, whose other values then are a doubt. */
  no,
  /** Where the reason of a no stands. */
  reason: paths,
  /** Of a batch: the rows one by one. */
  items: itemsSchema.nullable(),
  /** What an item of a batch must say, where that is not what the whole answer must say. */
  itemYes: yes,
  /** Of a batch: how many rows were taken; of several numbers their sum. Only the number of rows that were sent is a yes. */
  count: paths,
  job: jobSchema.nullable(),
  /** What differs where a record is read back. */
  read: z.strictObject({ record: paths, id: paths, yes, no }).partial(),
} as const;

const wholeRulesSchema = z.strictObject(shape);
type WholeRules = z.output<typeof wholeRulesSchema>;
export const answerRulesSchema = wholeRulesSchema.partial();
export type DeclaredAnswers = z.output<typeof answerRulesSchema>;

/** For all kinds under `*`, and for one kind under its name. */
export const answersSchema = perKind(answerRulesSchema.optional()).extend({ '*': answerRulesSchema.optional() });
export type AnswersOfProfile = z.output<typeof answersSchema>;

export interface AnswerRules extends WholeRules {
  /** Whether a record without an id leaves a doubt: the id is documented, or a profile declares where it stands. */
  readonly needsId: boolean;
  /** Whether an answer to a batch without its list leaves a doubt: a profile declares where the list stands. */
  readonly needsItems: boolean;
  /** Whether the interface or the profile says what answers look like; otherwise the first row goes alone. */
  readonly isDeclared: boolean;
}

/** A body that names a job is no record yet; how a job ends is not known unless a profile says so. */
const assumedJob: NonNullable<WholeRules['job']> = {
  ...jobSchema.parse({ id: ['jobId', 'job_id', 'job.id', 'data.jobId'] }),
  longestMs: 0,
};

const assumed: WholeRules = {
  record: ['.'],
  id: ['id'],
  companyId: ['company.id'],
  url: ['url'],
  idInUrl: null,
  yes: { success: true },
  no: ['errorMessage', 'error', 'errors'],
  reason: [],
  items: null,
  itemYes: { success: true },
  count: [],
  job: assumedJob,
  read: {},
};

/** Assumed of Add transactions (4.11): the rows come back in a list, in their order. */
const assumedItems = itemsSchema.parse({ at: ['transactions'] });

/**
 * By which a read is judged: what differs there, before what is declared of its create. `record` is empty unless it is declared.
 *
 * @param kind  `null` for the balances, which have assumed names of their own for what went wrong
 */
export function readRulesOf(
  kind: RecordKind | null,
  answers: AnswersOfProfile,
): Pick<WholeRules, 'record' | 'id' | 'yes' | 'no' | 'reason'> {
  const own = kind === null ? undefined : answers[kind.name];
  const declared = { ...answers['*'], ...own, ...answers['*']?.read, ...own?.read };
  return { ...assumed, record: [], no: kind === null ? [] : assumed.no, ...(declared as Partial<WholeRules>) };
}

/** The rules by which the answers of a kind are read: what a profile declares, before what is assumed. */
export function answerRulesOf(kind: RecordKind, answers: AnswersOfProfile): AnswerRules {
  return rulesOfProfile(answers)(kind);
}

const rulesOfProfile = oncePer((answers: AnswersOfProfile) =>
  oncePer((kind: RecordKind): AnswerRules => {
    const declared: DeclaredAnswers = { ...answers['*'], ...answers[kind.name] };
    return {
      ...assumed,
      items: kind.sending.isBatch ? assumedItems : null,
      ...(declared as Partial<WholeRules>),
      // A good status of the whole answer says nothing of one row.
      itemYes: declared.itemYes ?? (declared.yes === '2xx' ? assumed.itemYes : (declared.yes ?? assumed.itemYes)),
      needsId:
        [...(declared.id ?? []), ...(declared.idInUrl ?? '')].length > 0 ||
        (kind.answersWithId && declared.id === undefined),
      needsItems: (declared.items ?? null) !== null,
      isDeclared: kind.answersWithId || answers['*'] !== undefined || answers[kind.name] !== undefined,
    };
  }),
);
