/**
 * How Get loan balances answers (4.12 does not show it). Where the list stands is found out on the first page and holds for all
 * of them; further pages are asked for only as declared. What is declared counts alone.
 */
import * as z from 'zod';
import { path } from './answer-rules.ts';

/** Names of an answer, compared without case and punctuation. */
const answerNames = (...usual: string[]) => z.array(z.string().min(1)).default(usual);

/** How the next page is asked for, and what tells that there is one. */
const pagesSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('none') }),
  /** The `Link` header. */
  z.strictObject({ by: z.literal('link') }),
  /** The address that stands there. */
  z.strictObject({ by: z.literal('address'), at: path, more: path.optional() }),
  /** What stands there goes into the parameter, a page number as well as a cursor. */
  z.strictObject({ by: z.literal('cursor'), at: path, parameter: path, more: path.optional() }),
  /** Pages are counted from `first`. `more` is true or false, `count` is the number of pages; without them, up to an empty page. */
  z.strictObject({
    by: z.literal('page'),
    parameter: path.default('page'),
    first: z.int().min(0).default(1),
    more: path.optional(),
    count: path.optional(),
  }),
  /** The number of balances to pass over. */
  z.strictObject({
    by: z.literal('offset'),
    parameter: path.default('offset'),
    first: z.int().min(0).default(0),
    more: path.optional(),
  }),
]);
export type Pages = z.output<typeof pagesSchema>;

/** A list of objects, an object with the balances by their ids, or a list of lists beside the names of the columns. */
export const balanceShapes = ['list', 'keyed', 'rows'] as const;
export type BalanceShape = (typeof balanceShapes)[number];

export const balancesSchema = z.strictObject({
  /** Where the balances stand; of several places the first that an answer has. `.` is the answer itself. */
  records: z
    .union([path, z.array(path)])
    .default([])
    .transform((given) => [given].flat()),
  shape: z.enum(balanceShapes).nullable().default(null),
  /** Of `keyed` balances: the column that takes the key. */
  keyColumn: path.nullable().default(null),
  /** Of `rows`: where the names of the columns stand, as texts or as objects with a `name`. */
  header: path.nullable().default(null),
  pages: pagesSchema.nullable().default(null),
  /** Where the number of all balances stands, or `null` when no number is one; by default a header, such as `X-Total-Count`. */
  total: path.nullable().optional(),
  /** What stands beside the list and tells that something went wrong: anything in it, and nothing is exported. */
  errors: answerNames(
    ...['error', 'errors', 'errorMessage', 'exception', 'exceptions', 'fault', 'faults', 'failures', 'failedShards'],
  ),
  /** What stands beside the list and is true where it is not whole. */
  incomplete: answerNames(
    ...['truncated', 'isTruncated', 'partial', 'isPartial', 'partialResults', 'incomplete', 'isIncomplete'],
    ...['incompleteResults', 'timedOut'],
  ),
  /** The columns of an export in their order, as with `--columns`; empty for those that the records have. */
  columns: z.array(z.string().min(1)).default([]),
  /** The column by which a summary counts, as with `--group-by`. */
  groupBy: z.array(z.string().min(1)).default([]),
  /** The column by which two months are compared, as with `--key`. */
  key: z.string().min(1).nullable().default(null),
});
