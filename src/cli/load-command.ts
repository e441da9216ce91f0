/** The flags that say how a file is read and sent, as options of a load. */
import { resolve } from 'node:path';
import { type CheckCode, changeableChecks } from '../contract/check-codes.ts';
import type { ContractSettings } from '../contract/contract-settings.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { plainImport } from '../load/defaults.ts';
import type { IgnoredNames } from '../mapping/headers.ts';
import { type NamedMapping, readMapping } from '../mapping/mapping-file/read-mapping.ts';
import { errorOf } from '../messages/text.ts';
import type { Expectation } from '../plan/options.ts';
import { mappingsFolder, privatePathsOf } from '../settings/configuration.ts';
import type { Flags } from '../settings/flags.ts';
import { ledgerFiles, sourcesFolderOf } from '../settings/ledger-choice.ts';
import { type ServiceChoice, typedPace } from '../settings/service.ts';
import type { ReadingOptions } from '../staging/reading.ts';
import { rememberMapping } from '../staging/source/remembered-mappings.ts';
import { standardInput } from '../staging/source/source-copy.ts';
import { namesIn, positional, standardInputWord } from './command.ts';
import type { LoadDialog, LoadFlags } from './load-dialog.ts';
import type { Terminal } from './terminal.ts';

export function sendingOptions(flags: FileFlags, choice: ServiceChoice, { session, signal }: LoadDialog) {
  return {
    ...readingOptions(flags, choice.contract),
    ...session.target,
    serviceName: { ...session.name, ...typedPace(flags) },
    batch: choice.batch.value,
    signal,
  };
}

export const readingFlags = [
  ...(['as', 'sheet', 'results', 'ignore-columns', 'ignore-sheets', 'encoding', 'delimiter', 'mapping'] as const),
  ...(['remember', 'date-order', 'attachments', 'mask', 'allow', 'strict', 'ledger', 'config'] as const),
] as const;

export const filePositional = positional('The CSV or XLSX file; - reads CSV from standard input');

export interface FileFlags extends LoadFlags {
  readonly file: string;
}

export function readingOptions(flags: FileFlags, contract: ContractSettings): ReadingOptions {
  return {
    ...plainImport,
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
    checks: Object.fromEntries([
      ...(flags.allow ?? []).map((code) => [knownCheck(code), 'warning']),
      ...(flags.strict ?? []).map((code) => [notAllowed(knownCheck(code), flags), 'error']),
    ]),
    attachmentsFolder: flags.attachments ?? null,
    privatePaths: privatePathsOf(flags),
    resultsPath: flags.results ?? null,
    mask: flags.mask === 'all' || flags.mask === 'none' ? flags.mask : 'rows that are in',
    sourcesFolder: sourcesFolderOf(ledgerFiles(flags)),
  };
}

export function delimiterOf(typed: string | undefined): string | null {
  const mark = typed === 'tab' || typed === '\\t' ? '\t' : (typed ?? null);
  // Cells that a quote or a line break separates cannot be told apart.
  if (mark !== null && !/^[^"\r\n]$/.test(mark)) throw errorOf('not-a-delimiter');
  return mark;
}

export function fileOf(file: string): string {
  return file === standardInputWord ? '-' : resolve(file);
}

/** `none` also turns remembered mappings off. */
function mappingOf({ mapping }: Flags): NamedMapping | null {
  return mapping === undefined || mapping === 'none' ? null : readMapping(mapping);
}

/** With --remember, what keeps the mapping for files with the same headers, and says where it is. Call it once the person agreed. */
export function remembering(flags: Flags, terminal: Terminal): () => void {
  const named = mappingOf(flags);
  if (!flags.remember) return () => {};
  if (named === null) throw errorOf('no-mapping-to-remember');
  return () => {
    const path = rememberMapping(named, mappingsFolder);
    terminal.say(
      `Remembered: files with exactly these headers are read by ${path} from now on. To forget it, delete it.`,
    );
  };
}

/** Names separated by commas, or `all`. */
export function ignored(text = ''): IgnoredNames {
  return text === 'all' ? 'all' : namesIn([text]);
}

function knownCheck(code: string): CheckCode {
  const found = changeableChecks.find((one) => one === code);
  if (found !== undefined) return found;
  throw errorOf('unknown-check', { check: code, checks: changeableChecks });
}

function notAllowed(code: CheckCode, { allow = [] }: Flags): CheckCode {
  if (allow.includes(code)) throw errorOf('check-allowed-and-strict', { check: code });
  return code;
}

export function expectationsOf(flags: Flags): readonly Expectation[] {
  const expected = (what: Expectation['what'], flag: string, form: RegExp, example: string) => (text: string) => {
    const [, of = null, written = ''] = /^(?:(.+)=)?([^=]*)$/.exec(text) ?? [];
    const value = written.trim();
    if (form.test(value)) return { of: of === null ? null : of.trim(), what, value };
    throw errorOf('expected-value', { text, flag, example });
  };
  return [
    ...(flags.expectCount ?? []).map(expected('rows', '--expect-count', /^\d+$/, 'deals=120')),
    ...(flags.expectTotal ?? []).map(expected('amount', '--expect-total', /^-?\d+(\.\d+)?$/, 'deals=2450.00')),
  ];
}
