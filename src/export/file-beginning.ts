/** What the first line of a file says that it is. */
import { closeSync, openSync, readSync } from 'node:fs';

const beginningLength = 65_536;

/** The first line, or as much of it as there is in 64 KiB. */
export function firstLineOf(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(beginningLength);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, beginningLength, 0));
    return text.split('\n')[0] ?? '';
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a line is a JSON object, as in a file of records. */
export function isRecordLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** How each line of a log begins. */
export function isEventLine(line: string): boolean {
  return isRecordLine(line) && /^\{"time":"[^"]*","event":"/.test(line);
}
