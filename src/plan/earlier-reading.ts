/**
 * A results sheet is read as the load that wrote it read its source. Its one rule: what a person says on the command line goes
 * first, and where the runs of its rows do not agree, nothing is taken over.
 */
import { dirname, resolve } from 'node:path';
import { recordKind } from '../contract/record-kinds.ts';
import { DealsheetError } from '../errors.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { rowsToSearch } from '../mapping/header-row.ts';
import { type NamedMapping, readSameMapping } from '../mapping/mapping-file/read-mapping.ts';
import { namesWithCommas, shellWord } from '../messages/commands.ts';
import type { Source, SourceSheet } from '../sheets/source.ts';
import { ownColumnsIn, ownColumnsOf } from '../staging/own-columns.ts';
import type { ReadingOptions } from '../staging/reading.ts';
import { rememberedMapping } from '../staging/source/remembered-mappings.ts';
import { isResultsFile } from '../staging/source/sheets-to-read.ts';
import { standardInput } from '../staging/source/snapshot.ts';
import { type RecordedOptions, recordedOptionsOf } from './options.ts';

/** How a run was told to read its source: what a later load of its results has to be told as well. */
type Told = Pick<RecordedOptions, 'kind' | 'dateOrder' | 'ignoredColumns' | 'checks' | 'mapping'> & {
  /** `null` for the folder of the source. */
  readonly attachmentsFolder: string | null;
};

interface RunsWord {
  readonly run: string;
  readonly told: Told;
}

/**
 * @returns the choices for this source, and what a person is to know of it, in whole sentences
 * @throws DealsheetError `usage` when the mapping of the run is not what it was
 */
export async function withEarlierReading<Options extends ReadingOptions>(
  source: Source,
  options: Options,
  runs: readonly RunRecord[],
): Promise<{ readonly options: Options; readonly notices: readonly string[] }> {
  const words = runs.length > 0 && (await isResultsFile(source)) ? await wordsOfRuns(source, runs) : [];
  const [first] = words;
  if (first === undefined) return { options, notices: [] };
  if (words.some(({ told }) => textOf(told) !== textOf(first.told))) return { options, notices: [disagreement(words)] };
  const taken = leftUnsaid(first.told, options);
  const flags = flagsOf(taken);
  if (flags === '') return { options, notices: [] };
  const notice = `The results sheet is read as the run ${first.run} read its source: ${flags}. What you say on the command line goes first.`;
  return { options: { ...options, ...(await choicesOf(taken, source, options)) }, notices: [notice] };
}

/** Of every run that rows name and the ledger knows, in the order of the rows. */
async function wordsOfRuns(source: Source, known: readonly RunRecord[]): Promise<readonly RunsWord[]> {
  const words: RunsWord[] = [];
  for (const run of await runsNamedIn(source.sheets)) {
    const record = known.find(({ id }) => id === run);
    const recorded = record === undefined ? null : recordedOptionsOf(record);
    if (record !== undefined && recorded !== null) words.push({ run, told: toldTo(record, recorded) });
  }
  return words;
}

async function runsNamedIn(sheets: readonly SourceSheet[]): Promise<ReadonlySet<string>> {
  const runs = new Set<string>();
  for (const sheet of sheets) {
    let isBelowHeaders = false;
    let searched = 0;
    for await (const row of sheet.rows()) {
      if (isBelowHeaders) {
        const { earlier } = ownColumnsOf(row);
        if (earlier !== null) runs.add(earlier.run);
        continue;
      }
      isBelowHeaders = ownColumnsIn(row) > 0;
      searched += 1;
      if (!isBelowHeaders && searched === rowsToSearch) break;
    }
  }
  return runs;
}

function toldTo({ sourcePath }: RunRecord, recorded: RecordedOptions): Told {
  const { kind, dateOrder, ignoredColumns, checks, mapping, attachmentsFolder } = recorded;
  const isBesideSource = sourcePath === standardInput || resolve(dirname(sourcePath)) === attachmentsFolder;
  const ownFolder = isBesideSource ? null : attachmentsFolder;
  return { kind, dateOrder, ignoredColumns, checks, mapping, attachmentsFolder: ownFolder };
}

/** What the person has not said now. */
function leftUnsaid(told: Told, options: ReadingOptions): Partial<Told> {
  const saysOrder = options.mapping?.mapping.sheets.some(({ dateOrder }) => dateOrder !== undefined) === true;
  const isSaid = (name: string): boolean => {
    if (name === 'mapping' && options.mappingsFolder === null) return true;
    return (name === 'dateOrder' && saysOrder) || !isNothing(options[name as keyof Told]);
  };
  return Object.fromEntries(Object.entries(told).filter(([name, value]) => !isNothing(value) && !isSaid(name)));
}

/** `null`, and a list or an object without anything in it. */
function isNothing(value: object | string | null): boolean {
  return value === null || Object.keys(value).length === 0;
}

async function choicesOf(taken: Partial<Told>, source: Source, options: ReadingOptions): Promise<object> {
  const { kind, mapping, ...same } = taken;
  return {
    ...same,
    ...(kind != null && { kind: recordKind(kind) }),
    ...(mapping != null && { mapping: await mappingOf(mapping, source, options) }),
  };
}

/** One that is remembered anew for the same headers has taken the place of the run's own. */
async function mappingOf(
  recorded: NonNullable<Told['mapping']>,
  source: Source,
  options: ReadingOptions,
): Promise<NamedMapping> {
  const { mappingsFolder } = options;
  try {
    return readSameMapping(recorded);
  } catch (cause) {
    const remembered = mappingsFolder === null ? null : await rememberedMapping(source, mappingsFolder, options);
    if (remembered !== null) return remembered;
    throw new DealsheetError(
      'usage',
      `The load that wrote this results sheet read its source by the mapping ${recorded.path}, which is not there as it was.`,
      'Bring it back, or name another with --mapping FILE (none reads the sheet without). Nothing was sent.',
      { cause },
    );
  }
}

function disagreement(words: readonly RunsWord[]): string {
  const each = words.map(({ run, told }) => `${run} with ${flagsOf(told) || 'none'}`);
  return `The rows come from runs that were given different flags (${each.join('; ')}): none is taken over. Give those that are right for all of these rows.`;
}

/** As a person would type them; empty for none. */
function flagsOf(told: Partial<Told>): string {
  const { ignoredColumns: ignored = [], checks = {} } = told;
  const words: readonly (readonly [flag: string, value: string | null | undefined])[] = [
    ['--as', told.kind],
    ['--date-order', told.dateOrder],
    ['--ignore-columns', typeof ignored === 'string' ? ignored : namesWithCommas(ignored)],
    ...Object.entries(checks).map(([code, level]) => [level === 'error' ? '--strict' : '--allow', code] as const),
    ['--mapping', told.mapping?.path],
    ['--attachments', told.attachmentsFolder],
  ];
  return words
    .flatMap(([flag, value]) => (value == null || value === '' ? [] : [`${flag} ${shellWord(value)}`]))
    .join(' ');
}

function textOf(told: Told): string {
  return JSON.stringify(told);
}
