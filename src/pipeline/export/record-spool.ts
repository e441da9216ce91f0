/** Records that were read one by one, kept on disk in their order until the columns are known. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordPaths } from '../../contract/envelopes.ts';
import { fieldsOf } from '../../contract/fields.ts';
import type { RecordKind } from '../../contract/record-kind.ts';
import { ownerOnly } from '../../file-modes.ts';
import { exactText, isJsonObject, type JsonObject, type JsonValue } from './exact-json.ts';
import { type AnswerFolder, openAnswer } from './kept-answers.ts';

/** What became of one id. */
export interface ReadRecord {
  readonly id: string;
  readonly state: 'found' | 'not-found' | 'failed';
  /** Why there is no record; empty when there is one. */
  readonly message: string;
  readonly record: JsonObject | null;
}

const flushLength = 1 << 18;

export class RecordSpool {
  readonly #path: string;
  #pending = '';

  constructor(folder: AnswerFolder) {
    this.#path = join(folder.path, 'records');
    appendFileSync(this.#path, '', { mode: ownerOnly });
  }

  add({ id, state, message, record }: ReadRecord): void {
    const parts: readonly JsonValue[] = [id, state, message, record];
    this.#pending += `${exactText(parts)}\n`;
    if (this.#pending.length >= flushLength) this.#flush();
  }

  *records(): Generator<ReadRecord> {
    this.#flush();
    const { reader, close } = openAnswer(this.#path);
    try {
      while (reader.peek() !== '') {
        const [id, state, message, record] = reader.value() as readonly [
          string,
          ReadRecord['state'],
          string,
          JsonValue,
        ];
        yield { id, state, message, record: isJsonObject(record) ? record : null };
      }
    } finally {
      close();
    }
  }

  #flush(): void {
    appendFileSync(this.#path, this.#pending);
    this.#pending = '';
  }
}

/** The record of an answer, without envelopes around it: what has a field of its kind, else what may be any record. */
export function recordOf(value: JsonValue, kind: RecordKind): JsonObject | null {
  const held = recordPaths(kind)
    .map((path) => valueAtPath(value, path))
    .filter(isJsonObject);
  const fields = fieldsOf(kind).filter(({ place }) => place === 'body');
  const hasField = (record: JsonObject): boolean =>
    fields.some(({ segments }) => valueAtPath(record, segments.map(String)) !== undefined);
  const [whole, ...inner] = held;
  if (whole === undefined) return null;
  return held.find(hasField) ?? (whole.has('id') ? whole : (inner.find(isRecord) ?? whole));
}

export function valueAtPath(value: JsonValue, names: readonly string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>((at, name) => (isJsonObject(at) ? at.get(name) : undefined), value);
}

function isRecord(record: JsonObject): boolean {
  return record.has('id') || record.size > 1;
}
