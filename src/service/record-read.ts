/**
 * The record that a read gives, and whether it is the one that was asked for. Its one rule: what may be a no, or another record,
 * is not taken for the record, for an id that is taken for that of a row settles the row.
 */

import { readRulesOf } from '../contract/answer-rules.ts';
import { firstAt, isObject, valuesAt } from '../contract/body-path.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { documentedRecord } from '../contract/documented-record.ts';
import { fieldsOf } from '../contract/fields.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { wirePathOf } from '../contract/rename.ts';
import type { Message } from '../messages/message.ts';
import { serviceMessage } from '../messages/service.ts';
import { identifier, stanceOf } from './classify.ts';
import { shapeOf } from './reason.ts';

export type RecordEndpoint = 'getDeal' | 'getCompany';

const kinds = { getDeal: recordKind('deals'), getCompany: recordKind('companies') } as const;

/** What a read gave in place of the record, or `null` when it gave the record. */
export function noRecordIn(
  body: unknown,
  endpoint: RecordEndpoint,
  id: string,
  contract: ContractSettings,
): Message | null {
  const kind = kinds[endpoint];
  const rules = readRulesOf(kind, contract.answers);
  const stance = stanceOf(body, rules, rules.yes);
  if (stance === 'no' || stance === 'unclear') return serviceMessage('read-says-no', { shape: shapeOf(body) });
  const records = recordPaths(endpoint, contract).flatMap((path) => valuesAt(body, path).filter(isRecordLike));
  const given = records.flatMap((record) => identifier(firstAt(record, rules.id))?.trim() ?? []);
  const [other] = given;
  if (other !== undefined && !given.includes(id)) return serviceMessage('read-other-record', { other });
  const fields = wireFieldsOf(endpoint, contract);
  const holdsRecord = records.some((record) => fields.some((path) => valuesAt(record, path).some(isFilled)));
  return given.includes(id) || holdsRecord ? null : serviceMessage('read-without-record', { shape: shapeOf(body) });
}

/** The record that a body holds, by its documented names; `null` when it holds none. */
export function recordIn(body: unknown, endpoint: RecordEndpoint, contract: ContractSettings): object | null {
  const path = recordPathIn(body, endpoint, contract);
  const [record] = path === null ? [] : valuesAt(body, path);
  return isObject(record) ? documentedRecord(kinds[endpoint], contract, record) : null;
}

/** Where the record stands in a body: the first place that has one of its fields, else the first that is an object. */
export function recordPathIn(body: unknown, endpoint: RecordEndpoint, contract: ContractSettings): string | null {
  const held = recordPaths(endpoint, contract).filter((path) => valuesAt(body, path).some(isRecordLike));
  const fields = wireFieldsOf(endpoint, contract);
  const holdsField = (path: string): boolean =>
    fields.some((field) => valuesAt(valuesAt(body, path)[0], field).some(isFilled));
  return held.find(holdsField) ?? held[0] ?? null;
}

/** Declared places, what is in an envelope, the attributes of JSON:API, and the body itself: the innermost first. */
function recordPaths(endpoint: RecordEndpoint, { answers, envelopes }: ContractSettings): readonly string[] {
  const kind = kinds[endpoint];
  const { singular } = kind;
  const { record: declared } = readRulesOf(kind, answers);
  const within = envelopes.flatMap((envelope) => [`${envelope}.attributes`, `${envelope}.${singular}`, envelope]);
  return [...declared.filter((path) => path !== '.'), ...within, singular, '.'];
}

function wireFieldsOf(endpoint: RecordEndpoint, { requests }: ContractSettings): readonly string[] {
  const kind = kinds[endpoint];
  return fieldsOf(kind).flatMap(({ place, path }) =>
    place === 'body' ? (wirePathOf(path, requests[kind.name].rename) ?? []) : [],
  );
}

function isRecordLike(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number';
}
