/**
 * Reads a body that speaks as a profile says. Its one rule: what the client would write, were it given the documented body that was
 * read, must be what came; else the request is refused with the names that were expected.
 */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isObject, valuesAt } from '../contract/body-path.ts';
import { type ContractSettings, type RequestRules, sendingOf } from '../contract/contract-settings.ts';
import { fieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { divided, documentedBy, placesIn, renamer, wirePathOf } from '../contract/rename.ts';
import type { Body } from './kinds.ts';
import { type FieldError, invalidFields, type Problem } from './problem.ts';

/** The record of a request, the rows of a batch, or a form, by their documented names. */
export function documentedBody(kind: RecordKind, sent: unknown, contract: ContractSettings): unknown {
  const rules = contract.requests[kind.name];
  const read = (part: unknown, { constants }: Pick<RequestRules, 'constants'> = rules) =>
    documented(kind, part, contract, constants);
  if (kind.sending.hasFile) return documentedForm(kind, sent as Body, contract);
  const isBatch = sendingOf(kind, contract.requests).isBatch;
  const { groupBy, envelope = isBatch && groupBy?.alone !== true ? 'transactions' : null } = rules;
  const inner = envelope === null ? sent : insideOf(sent, envelope);
  if (!isBatch) return kind.sending.isBatch ? [read(inner)] : read(inner);
  if (groupBy === null) return listOf(inner, envelope ?? '').map((row) => read(row));
  const groups = groupBy.alone ? [inner] : listOf(inner, envelope ?? '');
  return groups.flatMap((group) => {
    const { [groupBy.list]: rows, ...shared } = isObject(group) ? group : {};
    const [first = ''] = groupBy.field;
    if (Object.keys(shared).length === 0) throw expected(wirePathOf(first, rules.rename) ?? first);
    const ofAll = read(shared, { constants: {} });
    return listOf(rows, groupBy.list).map((row) => ({ ...read(row), ...ofAll }));
  });
}

/** @param texts  whether every value is a text, as in a form */
function documented(
  kind: RecordKind,
  part: unknown,
  contract: ContractSettings,
  constants: Body,
  texts = (body: Body): Body => body,
): Body {
  if (!isObject(part) || Array.isArray(part)) return part as Body;
  const { rename } = contract.requests[kind.name];
  const { rest } = divided(part, Object.keys(constants));
  const read = withTypes(kind, documentedBy(rename)(rest));
  const written = texts(renamer(rename, constants)(read));
  const errors = isDeepStrictEqual(written, part) ? formatErrors(kind, part, contract) : differences(part, written);
  if (errors.length > 0) throw invalidFields(errors);
  // The contract wants them all the same, and nothing can be told of them.
  const leftOut = fieldsOf(kind).filter(({ required, path }) => required && wirePathOf(path, rename) === null);
  return renamer({}, Object.fromEntries(leftOut.map(({ path, facts }) => [path, facts.example])))(read);
}

/** Every part of a form but the file is a text. */
function documentedForm(kind: RecordKind, form: Body, contract: ContractSettings): Body {
  const { constants, filePart } = contract.requests[kind.name];
  const { [filePart]: file, ...texts } = form;
  if (!(file instanceof File)) throw expected(filePart);
  const asTexts = (body: Body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
  return { ...documented(kind, texts, contract, constants, asTexts), file };
}

/** A number where the contract has a text, or a text where it has a number, as a profile may have it written. */
function withTypes(kind: RecordKind, body: Body): Body {
  const held = placesIn(body);
  const typed = fieldsOf(kind).flatMap(({ path, schema }): [string, unknown][] => {
    const value = held.get(path);
    if (schema instanceof z.ZodString && (typeof value === 'number' || typeof value === 'boolean'))
      return [[path, String(value)]];
    return schema instanceof z.ZodNumber && typeof value === 'string' ? [[path, Number(value)]] : [];
  });
  const { rest } = divided(
    body,
    typed.map(([path]) => path),
  );
  return typed.length === 0 ? body : renamer({}, Object.fromEntries(typed))(rest);
}

/** Each place that should hold something else, and each that should hold nothing. */
function differences(sent: Body, written: Body): FieldError[] {
  const [came, due] = [placesIn(sent), placesIn(written)];
  const missing = [...due].filter(([path, value]) => !isDeepStrictEqual(came.get(path), value)).map(([path]) => path);
  const strange = [...came.keys()].filter((path) => !due.has(path));
  const also = strange.length === 0 ? '' : `, and ${strange.join(', ')} came`;
  const told = missing.length === 0 ? 'is not sent here' : `was expected${also}`;
  const paths = missing.length === 0 ? strange : missing;
  return paths.map((path) => ({ path, rule: 'name', message: `${path} ${told}.` }));
}

const patterns: Readonly<Record<string, RegExp>> = {
  'E.164': /^\+\d{7,15}$/,
  digits: /^\d+$/,
  'ein dashed': /^\d{2}-\d{7}$/,
  'ssn dashed': /^\d{3}-\d{2}-\d{4}$/,
};

function formatErrors(kind: RecordKind, sent: Body, { wire, requests }: ContractSettings): FieldError[] {
  const formOf: Readonly<Record<string, string>> = wire;
  return fieldsOf(kind).flatMap(({ path, format, place }) => {
    const form = formOf[format];
    const own = place === 'body' && form !== undefined ? wirePathOf(path, requests[kind.name].rename) : null;
    if (own === null || form === undefined || form === 'as typed') return [];
    const pattern = patterns[form] ?? patterns[`${format} ${form}`] ?? new RegExp(`^${form.replace(/[YMD]/g, '\\d')}$`);
    const isWritten = valuesAt(sent, own).every((value) => typeof value !== 'string' || pattern.test(value));
    return isWritten ? [] : [{ path: own, rule: 'format', message: `${own} is written as ${form} here.` }];
  });
}

function insideOf(body: unknown, path: string): unknown {
  const [inner] = valuesAt(body, path);
  if (inner === undefined) throw expected(path);
  return inner;
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw expected(path);
  return value;
}

function expected(path: string): Problem {
  return invalidFields([{ path, rule: 'name', message: `${path} was expected.` }]);
}
