/** The flags of `export`, as typed and as meant. */
import { resolve } from 'node:path';
import type { Argv } from 'yargs';
import { DealsheetError } from '../../errors.ts';
import { exportFormats } from '../../export/export-file.ts';
import { kebab } from './repeated-flags.ts';
import { standardInputWord } from './standard-input-word.ts';

export const exportKinds = ['balances', 'deals', 'companies'] as const;

export function withExportFlags<Flags>(yargs: Argv<Flags>) {
  return (
    yargs
      // Flags that may be given again are lists; any other given twice is refused.
      .parserConfiguration({ 'duplicate-arguments-array': true, 'greedy-arrays': false })
      .positional('what', { choices: exportKinds, demandOption: true, describe: 'What to bring back' })
      .options({
        output: {
          alias: 'o',
          type: 'string',
          requiresArg: true,
          describe:
            'Where to write it (.xlsx, .csv, .json, .ndjson); by default a name of the day; - for standard output',
        },
        format: { choices: exportFormats, describe: 'The format, when the ending does not tell it' },
        columns: {
          type: 'string',
          array: true,
          requiresArg: true,
          describe:
            'The columns in their order: path, path=Label or path=Label:look, separated by commas; * for all others',
        },
        lists: {
          choices: ['count', 'columns'] as const,
          describe: 'Lists of records in a record: their length, or their items side by side',
        },
        mask: {
          choices: ['default', 'none'] as const,
          default: 'default' as const,
          describe: 'SSN and dates of birth: stars, or as they are',
        },
        query: {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'balances: ask with this parameter, name=value; may be repeated',
        },
        'group-by': {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'balances: count and sum by this column in the Summary',
        },
        previous: {
          type: 'string',
          requiresArg: true,
          describe: "balances: last month's file (.xlsx or .csv): what is new, gone and changed",
        },
        key: { type: 'string', requiresArg: true, describe: 'balances: the column by which months are compared' },
        id: { type: 'string', array: true, requiresArg: true, describe: 'deals, companies: an id; may be repeated' },
        ids: {
          type: 'string',
          requiresArg: true,
          describe: 'deals, companies: a file with ids, FILE or FILE:COLUMN; a results sheet will do',
        },
        'as-template': {
          type: 'boolean',
          default: false,
          describe: 'companies: a template filled in, to correct and import as company-updates',
        },
        'sandbox-data': { type: 'string', requiresArg: true, describe: 'The records of the sandbox' },
        json: { type: 'boolean', default: false, describe: 'Print one JSON object about the export' },
        quiet: { type: 'boolean', default: false, describe: 'Say nothing when all is well' },
      })
  );
}

/** @throws DealsheetError `usage` for a flag given twice that means one thing */
export function refuseRepeated(flags: Readonly<Record<string, unknown>>): void {
  const lists = ['columns', 'query', 'group-by', 'groupBy', 'id', '_'];
  const repeated = Object.keys(flags).find((name) => Array.isArray(flags[name]) && !lists.includes(name));
  if (repeated === undefined) return;
  throw new DealsheetError('usage', `The flag --${repeated} is given twice.`, 'Keep one of them. Nothing was asked.');
}

/** The path of the output, or `null` for standard output. */
export function outputPath(output: string): string | null {
  return output === standardInputWord ? null : resolve(output);
}

/** `name=value`, split at the first `=`. */
export function queryOf(texts: readonly string[] | undefined): readonly (readonly [string, string])[] {
  return (texts ?? []).map((text) => {
    const place = text.indexOf('=');
    if (place > 0) return [text.slice(0, place), text.slice(place + 1)] as const;
    throw new DealsheetError('usage', `"${text}" is no parameter.`, 'Write it like --query status=Active.');
  });
}

/** Lists that are given with commas, in several flags, or both. */
export function listOf(texts: readonly string[] | undefined): readonly string[] {
  return (texts ?? [])
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** @throws DealsheetError `usage` for flags of the other exports, whose silence would be taken for consent */
export function refuseForeign(what: (typeof exportKinds)[number], flags: Readonly<Record<string, unknown>>): void {
  const ofBalances = ['query', 'groupBy', 'previous', 'key'];
  const ofRecords = ['id', 'ids', 'asTemplate'];
  const foreign = (what === 'balances' ? ofRecords : ofBalances).find(
    (name) => flags[name] !== undefined && flags[name] !== false,
  );
  if (foreign === undefined) return;
  throw new DealsheetError(
    'usage',
    `The flag --${kebab(foreign)} has no meaning for ${what}.`,
    'Leave it out. dealsheet export --help says which flag is for what.',
  );
}
