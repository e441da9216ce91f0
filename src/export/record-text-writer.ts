/** Records as JSON: one list, or one record a line; written as they come, and in their place when the file is whole. */
import { openTemporaryFile } from '../sheets/temporary-file.ts';

export interface RecordTextWriter {
  /** @param json  a record as JSON on one line */
  add(json: string): Promise<void>;
  /** Gives the path, another one when the place was taken. */
  finish(): Promise<string>;
  abandon(): Promise<void>;
}

const flushLength = 1 << 18;

export async function createRecordTextWriter(
  path: string,
  format: 'json' | 'ndjson',
  mode: number,
): Promise<RecordTextWriter> {
  const file = await openTemporaryFile(path, mode);
  const isList = format === 'json';
  let pending = isList ? '[' : '';
  let count = 0;
  const flush = async (): Promise<void> => {
    const text = pending;
    pending = '';
    await file.write(Buffer.from(text, 'utf8'));
  };
  return {
    add: async (json) => {
      pending += isList ? `${count === 0 ? '\n' : ',\n'}${json}` : `${json}\n`;
      count += 1;
      if (pending.length >= flushLength) await flush();
    },
    finish: async () => {
      if (isList) pending += count === 0 ? ']\n' : '\n]\n';
      await flush();
      return file.place();
    },
    abandon: () => file.remove(),
  };
}
