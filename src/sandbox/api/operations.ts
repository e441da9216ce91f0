/** The operation of each endpoint. A write is checked whole before it writes anything. */
import * as z from 'zod';
import { isObject } from '../../contract/body-path.ts';
import { type EndpointName, endpoints, type RecordKind } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { type Body, bodyFieldsOf, kindWith } from '../kinds.ts';
import { loanBalances } from '../loans.ts';
import { type Answer, checked, type FieldError, jsonAnswer, Problem, refuseInvalid } from '../problem.ts';
import { addRecord, type Commit, changeRecord, recordAt, viewOf, withParents } from '../records.ts';
import type { Tables } from '../store.ts';

export interface Call {
  /** The path parameter, or an empty text. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly text: string;
}

export interface Operation {
  /** Unless it is asked for by GET. */
  readonly takes: 'json' | 'form';
  run(call: Call, commit: Commit): Answer;
}

/** The sandbox's own limit; the interface shows none (8). */
export const mostInBatch = 1000;

const readings: Readonly<Partial<Record<EndpointName, (call: Call, tables: Tables) => object>>> = {
  health: (_call, tables) => ({ status: 'ok', service: 'Dealsheet sandbox', deals: tables.count('deals') }),
  getLoanBalances({ query }, tables) {
    const dealId = query.get('dealId');
    if (dealId !== null) recordAt(recordKind('deals'), dealId, tables);
    return { data: loanBalances(dealId, tables) };
  },
};

export function operationOf(name: EndpointName): Operation {
  const kind = kindWith('endpoint', name);
  if (kind !== undefined) {
    const write = writes[kind.sending.by];
    return { takes: kind.sending.hasFile ? 'form' : 'json', run: (call, commit) => write(kind, call, commit) };
  }
  const read = readings[name];
  const run: Operation['run'] = (call, commit) => {
    if (read !== undefined) return jsonAnswer(200, { success: true, ...read(call, commit.tables) });
    const readKind = kindWith('readBy', name) as RecordKind;
    return jsonAnswer(200, viewOf(readKind, recordAt(readKind, call.id, commit.tables), commit));
  };
  return { takes: 'json', run };
}

type Write = (kind: RecordKind, call: Call, commit: Commit) => Answer;

const writes: Readonly<Record<RecordKind['sending']['by'], Write>> = {
  each: (kind, { body, text }, commit) => created(kind, checked(kind.body, body), text, commit),
  form: (kind, { body }, commit) => {
    const attachment = attachmentOf(kind, body as Body);
    return created(kind, attachment, JSON.stringify(attachment), commit);
  },
  update: (kind, { id, body, text }, commit) => {
    const changed = changeRecord(kindWith('updatedBy', kind.name) as RecordKind, id, checked(kind.body, body), commit);
    commit.tables.log(kind.endpoint, id, commit.at, text);
    return jsonAnswer(200, changed);
  },
  batch,
};

function created(kind: RecordKind, body: Body, text: string, commit: Commit): Answer {
  const result = addRecord(kind, withParents(kind, body, commit.tables), text, commit);
  const location = `${endpoints[kind.endpoint].path}/${result.id}`;
  return jsonAnswer(201, result, kind.readBy === undefined ? {} : { location });
}

/**
 * The sandbox's own choice (4.11): the rows are in a list with the name of their kind, and each stands alone. Good rows are created,
 * bad ones reported, in the order sent.
 */
function batch(kind: RecordKind, { body }: Call, commit: Commit): Answer {
  const list = Array.isArray(body) ? { [kind.name]: body } : body;
  const whole = z.looseObject({ [kind.name]: z.array(z.unknown()).min(1) });
  const rows = (checked(whole, list) as Record<string, unknown[]>)[kind.name] ?? [];
  if (rows.length > mostInBatch) {
    const detail = `A request may hold at most ${mostInBatch} ${kind.name}; this one holds ${rows.length}.`;
    throw new Problem('too-large', { detail });
  }
  const refused = new Map<number, readonly FieldError[]>();
  const ready = rows.map((row, index) => {
    try {
      return withParents(kind, checked(kind.body, row), commit.tables);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.set(index, error.details.errors ?? []);
      return {};
    }
  });
  const inPlace = (error: FieldError, index: number) => {
    const path = [`${kind.name}[${index}]`, error.path].filter((part) => part !== '').join('.');
    return { ...error, path };
  };
  if (commit.takesWholeBatches)
    refuseInvalid([...refused].flatMap(([index, errors]) => errors.map((error) => inPlace(error, index))));
  const results = ready.map((body, index) => {
    const errors = refused.get(index);
    if (errors !== undefined) return { index, success: false, errors };
    return { index, ...addRecord(kind, body, JSON.stringify(rows[index]), commit) };
  });
  const made = results.length - refused.size;
  return jsonAnswer(200, { success: made > 0, made, refused: refused.size, [kind.name]: results });
}

/** The sandbox's own limit; the interface shows none (8). */
export const largestAttachment = 25 * 1024 * 1024;

/** The facts of a form that are kept (4.5); throws a problem that lists every missing part. */
function attachmentOf(kind: RecordKind, form: Body): Body {
  const files = Object.values(form).flat().filter(isObject);
  const fields = bodyFieldsOf(kind);
  const errors = fields.flatMap(({ path, format }): FieldError[] => {
    const value = form[path];
    const isThere =
      format === 'file'
        ? isObject(value) && value.name !== '' && files.length === 1
        : typeof value === 'string' && value !== '';
    if (isThere) return [];
    const message = `The form must have one part “${path}” with ${format === 'file' ? 'a file' : 'the id'}.`;
    return [{ path, rule: 'required', message }];
  });
  refuseInvalid(errors);
  if (files.some(({ size }) => Number(size) > largestAttachment))
    throw new Problem('too-large', { detail: `A file may have at most ${largestAttachment} bytes.` });
  return Object.fromEntries(fields.map(({ path }) => [path, form[path]]));
}
