/** How the requests of a kind are written, where that differs from the interface or is not shown there; changed in a profile under `requests`: see docs/profiles.md. */
import * as z from 'zod';
import { path, scalar } from './answer-rules.ts';
import { perKind, type RecordKind, sendings } from './record-kind.ts';
import { targetPattern } from './rename.ts';

const constant = scalar.nullable();
const constants = z.record(path, z.union([constant, z.array(constant)])).default({});

export const requestRulesSchema = z
  .strictObject({
    rename: z.record(path, z.string().regex(targetPattern).nullable()).default({}),
    constants,
    envelope: path.nullable().optional(),
    beside: constants,
    groupBy: z
      .strictObject({
        field: z.union([path, z.array(path).min(1)]).transform((fields) => [fields].flat()),
        list: path,
        alone: z.boolean().default(false),
      })
      .nullable()
      .default(null),
    alone: z.boolean().default(false),
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
