/** Records that were read one by one, kept on disk in their order until the columns are known. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** The record of an answer, without an envelope around it; `null` when there is none. */
export function recordOf(value: JsonValue): JsonObject | null {
  if (!isJsonObject(value)) return null;
  if (value.has('id')) return value;
  const inner = ['data', 'company', 'deal', 'result', 'record'].map((name) => value.get(name)).find(isRecord);
  return inner ?? value;
}

function isRecord(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && (value.has('id') || value.size > 1);
}
