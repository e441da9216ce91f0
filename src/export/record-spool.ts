/** Records that were read one by one, kept on disk in their order until the columns are known. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerOnly } from '../file-modes.ts';
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
