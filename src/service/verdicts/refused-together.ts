/** What is told of each row of a request that was refused as one. */
import type { Answer } from '../answers/answer.ts';
import { errorTextOf } from '../answers/error-message.ts';
import { rowInPath } from '../answers/values-of-answer.ts';
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import type { Secrets } from './verdict.ts';

/** The rows that the error names get their own words, the others are told why. */
export function refusedTogether(
  records: readonly OutgoingRecord[],
  answer: Answer,
  attempts: number,
  secrets: Secrets,
): readonly Outcome[] {
  // The values of all rows are looked for in it: once, and not for each row.
  const whole = errorTextOf(answer.status, answer.body, secrets());
  const own = new Map<number, { path: string; message: string }[]>();
  for (const { path, message } of whole.fields) {
    const [, index, field] = rowInPath.exec(path) ?? [];
    if (index === undefined || Number(index) >= records.length) continue;
    own.set(Number(index), [...(own.get(Number(index)) ?? []), { path: field ?? '', message }]);
  }
  const others = `The service refused the whole request of ${records.length} rows, this one with them: ${whole.message}`;
  const refused = { state: 'rejected', attempts, httpStatus: answer.status } as const;
  return records.map((_, index) => {
    const fields = own.get(index);
    if (fields === undefined) return { ...refused, message: records.length === 1 ? whole.message : others, fields: [] };
    const message = fields
      .map((field) => (field.path === '' ? field.message : `${field.path}: ${field.message}`))
      .join(' ');
    return { ...refused, message, fields: fields.filter(({ path }) => path !== '') };
  });
}
