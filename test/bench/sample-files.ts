/** The files of one benchmark: what several races read is made once. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSampleDeals } from './sample-deals.ts';

export const folder = mkdtempSync(join(tmpdir(), 'dealsheet-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

export function file(name: string): string {
  return join(folder, name);
}

/** @returns the path of a file with this many sample deals */
export async function sampleFile(format: 'csv' | 'xlsx', rows: number): Promise<string> {
  const path = file(`deals-${rows}.${format}`);
  if (!existsSync(path)) await writeSampleDeals(path, rows);
  return path;
}
