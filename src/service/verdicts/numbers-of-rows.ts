/**
 * What the answer to a request of many rows must not repeat of them. Its one rule: an amount is a secret of its own row alone,
 * for in what is said of another it may be any number.
 */
import type { Outcome } from '../records/outcome.ts';
import type { OutgoingRecord } from '../records/outgoing-record.ts';
import { isShortNumber, masked } from '../text/masking.ts';
import type { Secrets } from './verdict.ts';

/** What must not be repeated of any row. An amount is one of its own row alone: `at most 1000 rows` is to be read. */
export function secretsOfRows(
  records: readonly OutgoingRecord[],
  secretsOf: (record: OutgoingRecord) => Secrets,
): Secrets {
  return () => {
    const secrets = records.flatMap((record) => secretsOf(record)());
    return records.length === 1 ? secrets : secrets.filter((secret) => !isShortNumber(secret));
  };
}

/** An outcome of many rows, as it may be told of the one that has these secrets. */
export function withoutOwnNumbers(outcome: Outcome, secrets: Secrets): Outcome {
  if (!('message' in outcome)) return outcome;
  const numbers = secrets().filter(isShortNumber);
  if (numbers.length === 0) return outcome;
  const message = masked(outcome.message, numbers);
  if (outcome.state !== 'rejected') return { ...outcome, message };
  const fields = outcome.fields.map((field) => ({ ...field, message: masked(field.message, numbers) }));
  return { ...outcome, message, fields };
}
