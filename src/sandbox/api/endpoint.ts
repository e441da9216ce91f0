/** What an endpoint is to the sandbox: a read answers at once; a write is judged as far as it can be, then joins a commit. */
import { type Answer, jsonAnswer } from '../problem.ts';
import { idOf, pagePathOf, type StoredKind } from '../record-ids.ts';
import type { Tables } from '../store/tables.ts';
import type { Surroundings } from '../surroundings.ts';

export interface ReadCall {
  /** The value of the path's parameter, or an empty text. */
  readonly id: string;
  readonly query: URLSearchParams;
}

export interface ReadEndpoint {
  readonly takes: 'nothing';
  answer(call: ReadCall, tables: Tables, surroundings: Surroundings): Answer;
}

export interface JsonCall {
  readonly id: string;
  readonly body: unknown;
  /** The body as it was sent. */
  readonly text: string;
}

export interface FormCall {
  readonly form: FormData;
}

/** A write that may join a commit: it reads and judges first, and throws a problem before it writes anything. */
export interface PreparedWrite {
  /** What must be the same for a request under the same idempotency key. */
  readonly content: string;
  /** Runs inside the commit. `at` is in milliseconds since 1970. */
  run(tables: Tables, at: number): Answer;
}

export interface JsonEndpoint {
  readonly takes: 'json';
  /** Throws a problem for whatever is wrong with the body by itself. */
  prepare(call: JsonCall, surroundings: Surroundings): PreparedWrite;
}

export interface FormEndpoint {
  readonly takes: 'form';
  prepare(call: FormCall, surroundings: Surroundings): Promise<PreparedWrite>;
}

export type SandboxEndpoint = ReadEndpoint | JsonEndpoint | FormEndpoint;

export const status = { ok: 200, created: 201 } as const;

/** The result of a create call (service interface 2.6); by the sandbox's own choice also where none is shown. */
export function createResult(kind: StoredKind, number: number, surroundings: Surroundings) {
  return { success: true, id: idOf(kind, number), url: `${surroundings.publicUrl}${pagePathOf(kind, number)}` };
}

/** The answer of 201 to a create call without anything further in its result. */
export function createdAnswer(kind: StoredKind, number: number, surroundings: Surroundings): Answer {
  return jsonAnswer(status.created, createResult(kind, number, surroundings));
}
