/** The operation of each endpoint. A read answers at once; a write is checked first, then joins a commit. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type EndpointName, endpoints, type RecordKind } from '../../contract/record-kind.ts';
import { recordKind, recordKinds } from '../../contract/record-kinds.ts';
import { type Body, bodyFieldsOf, kindSentTo } from '../kinds.ts';
import { loanBalances } from '../loans.ts';
import {
  type Answer,
  type FieldError,
  invalidFields,
  jsonAnswer,
  Problem,
  type Validated,
  valid,
  validate,
} from '../problem.ts';
import { addRecord, type Commit, changeRecord, recordAt, viewOf, withParents } from '../records.ts';
import type { Tables } from '../store.ts';

export interface Call {
  /** The path parameter, or an empty text. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly text: string;
}

/** A request that was read and checked. Its write throws a problem before it writes anything. */
export interface Prepared {
  /** What must be equal in requests that share an idempotency key. */
  readonly content: string;
  run(commit: Commit): Answer;
}

/** Throws a problem for anything wrong with the body alone. */
type Prepare = (kind: RecordKind, call: Call) => Prepared | Promise<Prepared>;

export interface Operation {
  readonly takes: 'nothing' | 'json' | 'form';
  prepare(call: Call): Prepared | Promise<Prepared>;
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
  const kind = kindSentTo(name);
  if (kind !== undefined) {
    const prepare = writes[kind.sending.by];
    return { takes: kind.sending.hasFile ? 'form' : 'json', prepare: (call) => prepare(kind, call) };
  }
  const read = readings[name];
  const run = (call: Call) => (commit: Commit) => {
    if (read !== undefined) return jsonAnswer(200, { success: true, ...read(call, commit.tables) });
    const readKind = kindWith('readBy', name);
    return jsonAnswer(200, viewOf(readKind, recordAt(readKind, call.id, commit.tables), commit));
  };
  return { takes: 'nothing', prepare: (call) => ({ content: '', run: run(call) }) };
}

function kindWith(fact: 'readBy' | 'updatedBy', value: string): RecordKind {
  const kind = recordKinds.find((each) => each[fact] === value);
  if (kind === undefined) throw new Error(`Nothing tells what ${value} does.`);
  return kind;
}

const writes: Readonly<Record<RecordKind['sending']['by'], Prepare>> = {
  each: (kind, { body, text }) => creation(kind, valid(validate(kind.body, body)), text),
  form: async (kind, { body }) => {
    const attachment = await attachmentOf(kind, body as Body);
    return creation(kind, attachment, JSON.stringify(attachment));
  },
  update: (kind, { id, body, text }) => {
    const changes = valid(validate(kind.body, body));
    const ofUpdate = kindWith('updatedBy', kind.name);
    const run = (commit: Commit): Answer => {
      const changed = changeRecord(ofUpdate, id, changes, commit);
      commit.tables.log(kind.endpoint, id, commit.at, text);
      return jsonAnswer(200, changed);
    };
    return { content: `${id}\n${text}`, run };
  },
  batch,
};

function creation(kind: RecordKind, body: Body, text: string): Prepared {
  const run = (commit: Commit): Answer => {
    const result = addRecord(kind, valid(withParents(kind, body, commit.tables)), text, commit);
    const location = `${endpoints[kind.endpoint].path}/${result.id}`;
    return jsonAnswer(201, result, kind.readBy === undefined ? {} : { location });
  };
  return { content: text, run };
}

/**
 * The sandbox's own choice (4.11): the rows are in a list with the name of their kind, and each stands alone. Good rows are created,
 * bad ones reported, in the order sent.
 */
function batch(kind: RecordKind, { body, text }: Call): Prepared {
  const list = Array.isArray(body) ? { [kind.name]: body } : body;
  const whole = z.looseObject({ [kind.name]: z.array(z.unknown()).min(1) });
  const rows = (valid(validate(whole, list)) as Record<string, unknown[]>)[kind.name] ?? [];
  if (rows.length > mostInBatch) {
    const detail = `A request may hold at most ${mostInBatch} ${kind.name}; this one holds ${rows.length}.`;
    throw new Problem('too-large', { detail });
  }
  const checked = rows.map((row) => validate(kind.body, row));
  return {
    content: text,
    run(commit) {
      const ready = checked.map((row) => ('errors' in row ? row : withParents(kind, row.value, commit.tables)));
      const refused = ready.filter((row) => 'errors' in row).length;
      if (refused > 0 && commit.takesWholeBatches) throw allRefused(kind, ready);
      const results = ready.map((row, index) => {
        if ('errors' in row) return { index, success: false, errors: row.errors };
        return { index, ...addRecord(kind, row.value, JSON.stringify(rows[index]), commit) };
      });
      const made = results.length - refused;
      return jsonAnswer(200, { success: made > 0, made, refused, [kind.name]: results });
    },
  };
}

function allRefused(kind: RecordKind, outcomes: readonly Validated<object>[]): Problem {
  const inPlace = (error: FieldError, index: number) => ({
    ...error,
    path: [`${kind.name}[${index}]`, error.path].filter((part) => part !== '').join('.'),
  });
  return invalidFields(
    outcomes.flatMap((outcome, index) =>
      'errors' in outcome ? outcome.errors.map((error) => inPlace(error, index)) : [],
    ),
  );
}

/** The sandbox's own limit; the interface shows none (8). */
export const largestAttachment = 25 * 1024 * 1024;

/**
 * What is kept of a form (4.5); throws a problem that lists every missing part. Of the file only name, size, type and digest are
 * kept: enough to prove what arrived, without copies of bank statements.
 */
async function attachmentOf(kind: RecordKind, form: Body): Promise<Body> {
  const files = Object.values(form)
    .flat()
    .filter((value) => value instanceof File);
  const fields = bodyFieldsOf(kind);
  const errors = fields.flatMap(({ path, format }): FieldError[] => {
    const value = form[path];
    const isThere = format === 'file' ? value instanceof File && files.length === 1 : typeof value === 'string';
    if (isThere && value !== '' && (!(value instanceof File) || value.name !== '')) return [];
    const message = `The form must have one part “${path}” with ${format === 'file' ? 'a file' : 'the id'}.`;
    return [{ path, rule: 'required', message }];
  });
  if (errors.length > 0) throw invalidFields(errors);
  const kept = fields.map(async ({ path }) => {
    const value = form[path];
    return [path, value instanceof File ? await keptOf(value) : value] as const;
  });
  return Object.fromEntries(await Promise.all(kept));
}

async function keptOf(file: File): Promise<Record<string, unknown>> {
  if (file.size > largestAttachment) {
    throw new Problem('too-large', { detail: `A file may have at most ${largestAttachment} bytes.` });
  }
  const bytes = Buffer.from(await file.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: file.name.replaceAll('\0', ''), mediaType: file.type, size: file.size, sha256 };
}
