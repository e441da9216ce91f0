/**
 * Whether a good answer holds the record that was asked for. Its one rule: what may be a no is none, for an id that is taken
 * for that of a row settles the row. No shape of a record is shown (2.4, 4.3), so one without an id is known by what it holds.
 */
import type { ContractSettings } from '../contract/contract-settings.ts';
import { type RecordPaths, recordPaths } from '../contract/envelopes.ts';
import { fieldsOf } from '../contract/fields.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { identifier, isObject, memberAt } from './answers/answer.ts';
import type { SignReader } from './answers/sign-reader.ts';
import { standingAgainst } from './answers/signs.ts';
import { plainName } from './answers/words-of-answer.ts';
import { aboutRead } from './records/question.ts';

export type RecordEndpoint = 'getDeal' | 'getCompany';

const kinds = { getDeal: recordKind('deals'), getCompany: recordKind('companies') } as const;
/** Deeper than this there is something, whatever it is. */
const deepest = 5;
/** Signs that are told; one is enough. */
const mostTold = 3;

/** @returns whole sentences on what the answer is instead, not masked and at any length; `null` when it is the record */
export function noRecordIn(
  value: unknown,
  endpoint: RecordEndpoint,
  id: string,
  contract: ContractSettings,
  reader: SignReader,
): string | null {
  if (!isObject(value) || Array.isArray(value)) return 'Its answer is no record.';
  const paths = recordPaths(kinds[endpoint]);
  const given = idsIn(value, paths, contract);
  const isNamed = given.includes(id);
  const [other] = given;
  if (other !== undefined && !isNamed) return `It gave another record: ${other}.`;
  const signs = reader.of(value, aboutRead);
  const against = standingAgainst(signs, null).map(({ told }) => told);
  // A deal may be declined, and say so: an answer by its id with what a deal has is that deal.
  const isItself = isNamed && !signs.saysNo && holdsFieldOf(endpoint, heldBy(value, paths));
  if (against.length > 0 && !isItself) return `Its answer says no: ${against.slice(0, mostTold).join(', ')}.`;
  return isNamed || holdsRecord(value, paths, contract) ? null : 'Its answer holds no record.';
}

/** The ids of records that an answer gives, wherever one may stand. */
function idsIn(value: unknown, paths: RecordPaths, { answers }: ContractSettings): readonly string[] {
  const ids = answers.id.map((path) => path.split('.'));
  const all = paths.flatMap((path) => ids.map((id) => [...path, ...id]));
  return all.flatMap((path) => identifier(memberAt(value, path))?.trim() ?? []);
}

function heldBy(value: object, paths: RecordPaths): readonly object[] {
  return paths.flatMap((path) => {
    const held = memberAt(value, path);
    return isObject(held) ? [held] : [];
  });
}

function holdsFieldOf(endpoint: RecordEndpoint, records: readonly object[]): boolean {
  const fields = fieldsOf(kinds[endpoint]).filter(({ place }) => place === 'body');
  return records.some((record) =>
    fields.some(({ segments }) => holdsSomething(memberAt(record, segments.map(String)))),
  );
}

/** An empty envelope holds none, whatever stands beside it; a word of success alone is none. */
function holdsRecord(value: object, paths: RecordPaths, { answers }: ContractSettings): boolean {
  const envelopes = new Set(paths.flatMap(([name, ...further]) => (further.length === 0 ? (name ?? []) : [])));
  const { flags, statuses, messages, errors } = answers.signs;
  const ofAnswers = new Set([...flags, ...statuses, ...messages, ...errors].map(plainName));
  const members = Object.entries(value);
  if (members.some(([name, held]) => envelopes.has(name) && !holdsSomething(held))) return false;
  return members.some(
    ([name, held]) =>
      ((envelopes.has(name) && isObject(held)) || !ofAnswers.has(plainName(name))) && holdsSomething(held),
  );
}

function holdsSomething(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (!isObject(value)) return typeof value === 'number';
  return depth > deepest || Object.values(value).some((held) => holdsSomething(held, depth + 1));
}
