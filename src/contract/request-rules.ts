/** How the requests of a kind are written, where that differs from the interface or is not shown there; changed in a profile under `requests`. */
import * as z from 'zod';
import { path, scalar } from './answer-rules.ts';
import { perKind, type RecordKind, sendings } from './record-kind.ts';
import { targetPattern } from './rename.ts';

const constant = scalar.nullable();
const constants = z.record(path, z.union([constant, z.array(constant)])).default({});

export const requestRulesSchema = z
  .strictObject({
    /** Other names of fields, by their documented paths; see {@link Names}. */
    rename: z.record(path, z.string().regex(targetPattern).nullable()).default({}),
    /** Fields that stand in every body, and parts that stand in every form, by the service's own names. */
    constants,
    /** The field around a record, or around the list of a batch; `null` for none. */
    envelope: path.nullable().optional(),
    /** Fields that stand once in a body with an envelope, outside of it. */
    beside: constants,
    /** Of a batch: rows that share a value go into one group, in a list of their own. */
    groupBy: z
      .strictObject({
        /** The documented paths of the values that a group shares; they stand once, beside the list, by their names on the wire. */
        field: z.union([path, z.array(path).min(1)]).transform((fields) => [fields].flat()),
        /** The field that holds the rows of the group. */
        list: path,
        /** Whether each group is a request of its own. */
        alone: z.boolean().default(false),
      })
      .nullable()
      .default(null),
    /** Of a batch: each row is a request of its own, and its answer is read as that of one record. */
    alone: z.boolean().default(false),
    /** Of a form: the name of the part that holds the file (4.5: not shown). */
    filePart: z.string().min(1).default('file'),
  })
  .refine(
    ({ envelope, beside }) =>
      Object.keys(beside).every((path) => !isWithin(path, envelope ?? '') && !isWithin(envelope ?? '', path)),
    {
      path: ['beside'],
      message: 'A field beside the envelope stands neither in it nor around it.',
    },
  );

export type RequestRules = z.output<typeof requestRulesSchema>;

export const requestsSchema = perKind(requestRulesSchema.prefault({}));

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/** How rows go out: those of a batch one by one, where a profile says so. */
export function sendingOf(
  { name, sending }: RecordKind,
  requests: z.output<typeof requestsSchema>,
): RecordKind['sending'] {
  return sending.isBatch && requests[name].alone ? sendings.each : sending;
}
