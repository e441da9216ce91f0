/** How a file is read, as a person says it on the command line. */
import { resolve } from 'node:path';
import { type CheckCode, type CheckLevels, changeableChecks } from '../contract/check-codes.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { usageError } from '../errors.ts';
import { plainImport } from '../load/defaults.ts';
import type { IgnoredNames } from '../mapping/headers.ts';
import { type NamedMapping, readMapping } from '../mapping/mapping-file/read-mapping.ts';
import type { Expectation } from '../plan/options.ts';
import { mappingsFolder, privatePathsOf } from '../settings/configuration.ts';
import { ledgerFiles, sourcesFolderOf } from '../settings/ledger-choice.ts';
import type { ReadingOptions } from '../staging/reading.ts';
import { rememberMapping } from '../staging/source/remembered-mappings.ts';
import { standardInput } from '../staging/source/snapshot.ts';
import { type FlagsNamed, standardInputWord } from './flags.ts';
import type { Terminal } from './terminal/terminal.ts';

export const readingFlags = [
  ...(['as', 'sheet', 'results', 'ignore-columns', 'ignore-sheets', 'encoding', 'delimiter', 'mapping'] as const),
  ...(['remember', 'date-order', 'attachments', 'mask', 'allow', 'strict', 'ledger', 'config'] as const),
] as const;

export const filePlace = {
  type: 'string',
  demandOption: true,
  describe: 'The CSV or XLSX file; - reads CSV from standard input',
} as const;

export interface ReadingFlags extends FlagsNamed<typeof readingFlags> {
  readonly file: string;
  readonly tokenFile?: string | undefined;
  readonly sandboxData?: string | undefined;
}

export function readingOptions(flags: ReadingFlags, contract: ContractSettings): ReadingOptions {
  const { delimiter } = flags;
  return {
    ...plainImport,
    file: flags.file === standardInputWord ? standardInput : flags.file,
    kind: flags.as === undefined ? null : recordKind(flags.as),
    sheet: flags.sheet ?? null,
    ignoredColumns: ignored(flags.ignoreColumns),
    ignoredSheets: ignored(flags.ignoreSheets),
    encoding: flags.encoding ?? null,
    delimiter: delimiter === 'tab' || delimiter === '\\t' ? '\t' : (delimiter ?? null),
    mapping: mappingOf(flags),
    mappingsFolder: flags.mapping === 'none' ? null : mappingsFolder,
    dateOrder: flags.dateOrder ?? null,
    contract,
    checks: checkLevelsOf(flags),
    attachmentsFolder: flags.attachments ?? null,
    privatePaths: privatePathsOf(flags),
    resultsPath: flags.results ?? null,
    mask: flags.mask === 'default' ? 'rows that are in' : flags.mask,
    snapshotFolder: sourcesFolderOf(ledgerFiles(flags)),
  };
}

/** The file of a load as its JSON object names it. */
export function fileOf(file: string): string {
  return file === standardInputWord ? '-' : resolve(file);
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
export function rememberNamed(flags: ReadingFlags, terminal: Terminal): void {
  if (!flags.remember) return;
  const named = mappingOf(flags);
  if (named === null)
    throw usageError('There is no mapping to remember.', 'Give --mapping FILE with --remember. Nothing was sent.');
  const path = rememberMapping(named, mappingsFolder);
  terminal.say(
    `Remembered: files with exactly these headers are read by ${path} from now on. To forget it, delete it.`,
  );
}

/** Names separated by commas, or `all`. One that has a comma itself stands in quotes: `"City, State",Rep`. */
export function ignored(text: string | undefined): IgnoredNames {
  if (text === undefined) return [];
  if (text === 'all') return 'all';
  const parts = text.match(/\s*"[^"]*"\s*(?=,|$)|[^,]+/g) ?? [];
  return parts.map((part) => part.trim().replace(/^"(.*)"$/s, '$1'));
}

/** @throws DealsheetError `usage` for a code that no check has, or whose level is fixed */
function checkLevelsOf({ allow = [], strict = [] }: Pick<ReadingFlags, 'allow' | 'strict'>): CheckLevels {
  const known = (text: string): CheckCode => {
    const found = changeableChecks.find((code) => code === text);
    if (found !== undefined) return found;
    throw usageError(
      `There is no check ${text}, or its level cannot be changed.`,
      `Give one of: ${changeableChecks.join(', ')}. Nothing was sent.`,
    );
  };
  return Object.fromEntries([
    ...allow.map((code) => [known(code), 'warning'] as const),
    ...strict.map((code) => [known(code), 'error'] as const),
  ]);
}

/**
 * What the file must hold.
 *
 * @throws DealsheetError `usage` for what is no number
 */
export function expectationsOf(flags: FlagsNamed<readonly ['expect-count', 'expect-total']>): readonly Expectation[] {
  const expected = (what: Expectation['what'], flag: string, form: RegExp, example: string) => (text: string) => {
    const [, of = null, written = ''] = /^(?:(.+)=)?([^=]*)$/.exec(text) ?? [];
    const value = written.trim();
    if (form.test(value)) return { of: of === null ? null : of.trim(), what, value };
    throw usageError(
      `"${text}" is not what ${flag} wants, such as ${example}.`,
      'Write it without marks of thousands, with a kind or a sheet and = in front where there are several. Nothing was sent.',
    );
  };
  return [
    ...(flags.expectCount ?? []).map(expected('rows', '--expect-count', /^\d+$/, 'deals=120')),
    ...(flags.expectTotal ?? []).map(expected('amount', '--expect-total', /^-?\d+(\.\d+)?$/, 'deals=2450.00')),
  ];
}
