/** Every statement on the data file, prepared once. */
import type { Database } from '../../disk/database.ts';
import { openReading } from './reading.ts';
import { openWriting } from './writing.ts';

export type Tables = ReturnType<typeof openTables>;

export function openTables(database: Database) {
  return { ...openReading(database), ...openWriting(database) };
}
