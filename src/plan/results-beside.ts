/**
 * The results that stand where those of a load will go, when they are of a run that the ledger does not know: somebody else has
 * loaded the file with another ledger, or this one was put back from a backup. Its guard would let all of those rows in again.
 */

import { basename } from 'node:path';
import { fileAt } from '../disk/same-file.ts';
import { isSandbox } from '../ledger/sandbox-identity.ts';
import { headerText } from '../mapping/header-row.ts';
import { openSource } from '../sheets/open-source.ts';
import { allCells } from '../sheets/row.ts';
import type { Source } from '../sheets/source.ts';
import { areResultHeaders, ownColumnsOf } from '../staging/own-columns.ts';
import { firstRowsOf, serviceInSummary } from '../staging/source/sheets-to-read.ts';

/** Among so many rows of a sheet one is looked for that is in. */
const rowsToLookAt = 200;

export interface BesideOptions {
  readonly service: string;
  readonly serviceUrl: string;
  readonly isKnownRun: (run: string) => boolean;
}

/** @returns a whole sentence, or nothing; a rehearsal is no matter, nor is a file that cannot be read */
export async function resultsOfUnknownRun(path: string, options: BesideOptions): Promise<readonly string[]> {
  if (isSandbox(options.service) || fileAt(path)?.isFile() !== true) return [];
  const run = await unknownRunIn(path, options).catch(() => null);
  if (run === null) return [];
  const name = basename(path);
  return [
    `${name} says that rows are in since the run ${run}, which this ledger does not know: it was written with another ledger, or this one was put back from a backup. To this ledger those rows are new. If they are in ${options.serviceUrl}, do not send them: import ${name} with --trust-results in place of this file.`,
  ];
}

async function unknownRunIn(path: string, options: BesideOptions): Promise<string | null> {
  const source = await openSource(path, {
    name: basename(path),
    encoding: null,
    delimiter: null,
    verifiesLater: true,
  });
  try {
    return await unknownRunOf(source, options);
  } finally {
    await source.close();
  }
}

async function unknownRunOf(source: Source, { serviceUrl, isKnownRun }: BesideOptions): Promise<string | null> {
  let unknown: string | null = null;
  for (const sheet of source.sheets) {
    const [first, ...rows] = await firstRowsOf(sheet, rowsToLookAt);
    if (first === undefined) continue;
    const service = serviceInSummary([first, ...rows]);
    if (service !== null && service !== serviceUrl) return null;
    if (unknown !== null || !areResultHeaders(allCells(first).map(headerText))) continue;
    const [run] = rows.flatMap((row) => {
      const { earlier, saysSomething } = ownColumnsOf(row);
      return earlier !== null && saysSomething ? [earlier.run] : [];
    });
    if (run !== undefined && !isKnownRun(run)) unknown = run;
  }
  return unknown;
}
