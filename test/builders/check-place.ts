/** A place for checks of files: each test finds it empty, and nothing is sent from it. */
import { writeFileSync } from 'node:fs';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { recordKind } from '../../src/contract/record-kinds.ts';
import { type CheckResult, checkFile } from '../../src/load/check-file.ts';
import type { CheckedRow } from '../../src/mapping/body.ts';
import { readMapping } from '../../src/mapping/mapping-file/read-mapping.ts';
import type { ReadingOptions } from '../../src/staging/reading.ts';
import { readingDefaults } from './default-options.ts';
import { lenientContract } from './lenient-contract.ts';
import { type Table, writeCsv } from './tables.ts';
import { folderForEachTest } from './temporary-folder.ts';

/** What a check is given beside its file. */
export interface CheckChoice extends Partial<Omit<ReadingOptions, 'file' | 'kind' | 'mapping'>> {
  readonly kind?: RecordKindName;
  /** As it stands in a mapping file. */
  readonly mapping?: object;
}

export interface Checked extends CheckResult {
  /** The rows that have an error or a warning. */
  readonly problemRows: readonly CheckedRow[];
}

export interface CheckPlace {
  readonly path: (name: string) => string;
  readonly check: (name: string, choice?: CheckChoice) => Promise<Checked>;
  /** Checks a table as `rows.csv`. */
  readonly checkTable: (table: Table, choice?: CheckChoice) => Promise<Checked>;
}

/** To be called once, at the top of a file of tests. */
export function checkPlace(): CheckPlace {
  const path = folderForEachTest();

  const check: CheckPlace['check'] = async (name, { kind, mapping, ...choice } = {}) => {
    if (mapping !== undefined) writeFileSync(path('mapping.json'), JSON.stringify(mapping));
    const problemRows: CheckedRow[] = [];
    const result = await checkFile(
      {
        ...readingDefaults,
        ...{ expectations: [], service: null, openLedger: async () => null },
        contract: lenientContract,
        file: path(name),
        sourcesFolder: path('sources'),
        kind: kind === undefined ? null : recordKind(kind),
        mapping: mapping === undefined ? null : readMapping(path('mapping.json')),
        ...choice,
      },
      { onProgress: () => {}, onProblemRow: (row) => problemRows.push(row) },
    );
    return { ...result, problemRows };
  };

  return {
    path,
    check,
    checkTable: (table, choice) => {
      writeCsv(path('rows.csv'), table);
      return check('rows.csv', choice);
    },
  };
}
