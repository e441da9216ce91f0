/** The name of the one sheet of a CSV file. */
import { basename } from 'node:path';

export function csvSheetName(fileName: string): string {
  return basename(fileName).replace(/\.(csv|tsv|txt)$/i, '');
}
