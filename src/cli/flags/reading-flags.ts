/** The flags by which `import` and `check` are told how to read a file. */
import type { Argv } from 'yargs';
import type { ContractSettings } from '../../contract/contract-settings.ts';
import { type RecordKindName, recordKindNames } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { DealsheetError } from '../../errors.ts';
import type { IgnoredNames } from '../../mapping/headers.ts';
import { type NamedMapping, readMapping } from '../../mapping/mapping-file/read-mapping.ts';
import { type DateOrder, dateOrders } from '../../mapping/values/date-order.ts';
import type { ReadingOptions } from '../../staging/reading.ts';
import { rememberMapping } from '../../staging/source/remembered-mappings.ts';
import { standardInput } from '../../staging/source/snapshot.ts';
import { defaultLedgerPath, mappingsFolder } from '../settings/folders.ts';
import { sourcesFolderOf } from '../settings/ledger-choice.ts';
import { type PrivateFlags, privatePathsOf } from '../settings/private-paths.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CheckFlags, checkLevelsOf, withCheckFlags } from './check-flags.ts';
import { standardInputWord } from './standard-input-word.ts';

const maskChoices = ['default', 'all', 'none'] as const;

export interface ReadingFlags extends CheckFlags {
  readonly file: string;
  readonly as: RecordKindName | undefined;
  readonly sheet: string | undefined;
  readonly results: string | undefined;
  readonly ignoreColumns: string | undefined;
  readonly ignoreSheets: string | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly mapping: string | undefined;
  readonly remember: boolean;
  readonly dateOrder: DateOrder | undefined;
  readonly attachments: string | undefined;
  readonly mask: (typeof maskChoices)[number];
}

export function withReadingFlags<Flags>(yargs: Argv<Flags>) {
  return withCheckFlags(yargs)
    .positional('file', {
      type: 'string',
      demandOption: true,
      describe: 'The CSV or XLSX file; - reads CSV from standard input',
    })
    .options({
      as: { choices: recordKindNames, describe: 'What the rows are, when neither sheet name nor headers tell' },
      sheet: { type: 'string', requiresArg: true, describe: 'Read this sheet alone' },
      results: { type: 'string', requiresArg: true, describe: 'Where the results go (.xlsx or .csv)' },
      'ignore-columns': {
        type: 'string',
        requiresArg: true,
        describe: 'Headers to leave out, separated by commas ("City, State" in quotes), or all',
      },
      'ignore-sheets': {
        type: 'string',
        requiresArg: true,
        describe: 'Sheets to leave out, separated by commas, or all',
      },
      encoding: { type: 'string', requiresArg: true, describe: 'Character set of a CSV file, such as windows-1252' },
      delimiter: {
        type: 'string',
        requiresArg: true,
        describe: 'What stands between the cells of a CSV file: , ; | or tab',
      },
      mapping: {
        type: 'string',
        requiresArg: true,
        describe: 'How a file with other headers is read (see dealsheet map); none uses none',
      },
      remember: {
        type: 'boolean',
        default: false,
        describe: 'Use this mapping from now on for files with the same headers',
      },
      'date-order': { choices: dateOrders, describe: 'How to read dates like 03/04/2026' },
      attachments: { type: 'string', requiresArg: true, describe: 'The folder that file cells may name' },
      mask: {
        choices: maskChoices,
        default: 'default' as const,
        describe: 'SSN and dates of birth in the results: masked on rows that are in, on all, or on none',
      },
    });
}

export function readingOptions(flags: ReadingFlags & PrivateFlags, contract: ContractSettings): ReadingOptions {
  return {
    file: flags.file === standardInputWord ? standardInput : flags.file,
    kind: flags.as === undefined ? null : recordKind(flags.as),
    sheet: flags.sheet ?? null,
    ignoredColumns: ignored(flags.ignoreColumns),
    ignoredSheets: ignored(flags.ignoreSheets),
    encoding: flags.encoding ?? null,
    delimiter: delimiterOf(flags.delimiter),
    mapping: mappingOf(flags),
    mappingsFolder: flags.mapping === 'none' ? null : mappingsFolder,
    dateOrder: flags.dateOrder ?? null,
    contract,
    checks: checkLevelsOf(flags),
    attachmentsFolder: flags.attachments ?? null,
    privatePaths: privatePathsOf(flags),
    resultsPath: flags.results ?? null,
    mask: flags.mask === 'default' ? 'rows that are in' : flags.mask,
    snapshotFolder: sourcesFolderOf(defaultLedgerPath),
    standardInput: process.stdin,
  };
}

/** `none` says that no remembered mapping is to be used either. */
function mappingOf({ mapping }: Pick<ReadingFlags, 'mapping'>): NamedMapping | null {
  return mapping === undefined || mapping === 'none' ? null : readMapping(mapping);
}

/**
 * Keeps the mapping for files with the same headers where the person says so, and tells where it is.
 *
 * @throws DealsheetError `usage` when no mapping is named
 */
export function rememberNamed(
  flags: Pick<ReadingFlags, 'mapping' | 'remember' | 'dateOrder'>,
  terminal: Terminal,
): void {
  if (!flags.remember) return;
  const named = mappingOf(flags);
  if (named === null) {
    throw new DealsheetError(
      'usage',
      'Which mapping is to be remembered was not said.',
      'Give --mapping FILE with --remember. Nothing was sent.',
    );
  }
  const path = rememberMapping(named, mappingsFolder);
  terminal.say(
    `Remembered: files with exactly these headers are read by ${path} from now on. To forget it, delete it.`,
  );
  if (flags.dateOrder !== undefined && named.mapping.sheets.some(({ dateOrder }) => dateOrder === undefined)) {
    terminal.say(
      `--date-order ${flags.dateOrder} is for this load alone: next month wants it too, or "dateOrder": "${flags.dateOrder}" in each sheet of the mapping.`,
    );
  }
}

/** Names separated by commas, or `all`. One that has a comma itself stands in quotes: `"City, State",Rep`. */
export function ignored(text: string | undefined): IgnoredNames {
  if (text === undefined) return [];
  if (text === 'all') return 'all';
  const parts = text.match(/\s*"[^"]*"\s*(?=,|$)|[^,]+/g) ?? [];
  return parts.map((part) => part.trim().replace(/^"(.*)"$/s, '$1'));
}

function delimiterOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text === 'tab' || text === '\\t' ? '\t' : text;
}
