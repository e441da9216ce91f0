/**
 * Reads a results sheet with the options of the run that wrote it. Its one rule: flags on the command line win, and where the runs
 * of its rows disagree, none of their options is used.
 */
import { dirname, resolve } from 'node:path';
import { recordKind } from '../contract/record-kinds.ts';
import type { RunRecord } from '../ledger/ledger.ts';
import { type ColumnClues, withoutContradiction } from '../mapping/format-inference.ts';
import { rowsToSearch } from '../mapping/header-row.ts';
import { type NamedMapping, readSameMapping } from '../mapping/mapping-file/read-mapping.ts';
import { namesWithCommas, shellWord } from '../messages/commands.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { ownColumnsIn, ownColumnsOf } from '../staging/own-columns.ts';
import type { ReadingOptions } from '../staging/reading.ts';
import { rememberedMapping } from '../staging/source/remembered-mappings.ts';
import { isResultsFile } from '../staging/source/sheets-to-read.ts';
import { standardInput } from '../staging/source/source-copy.ts';
import type { Source } from '../tables/source.ts';
import { type RecordedOptions, recordedOptionsOf } from './options.ts';

type RecordedMapping = NonNullable<RecordedOptions['mapping']>;

const takenOver = ['kind', 'dateOrder', 'ignoredColumns', 'checks', 'mapping', 'attachmentsFolder'] as const;
type EarlierChoices = Partial<Pick<RecordedOptions, (typeof takenOver)[number]>>;

/**
 * @returns the options for this source, and what the person is told of them
 * @throws DealsheetError `usage` when the mapping of the run is missing or has changed
 */
export async function withEarlierReading<Options extends ReadingOptions>(
  source: Source,
  given: Options,
  runs: readonly RunRecord[],
): Promise<{ readonly options: Options; readonly notices: readonly Message[] }> {
  const named = runs.length > 0 && (await isResultsFile(source)) ? await sheetsNamedIn(source) : [];
  const earlier = [...new Set(named.map(({ run }) => run))].flatMap((id) => {
    const run = runs.find((one) => one.id === id);
    const recorded = run === undefined ? null : recordedOptionsOf(run);
    return run === undefined || recorded === null ? [] : [{ id, choices: choicesOf(run, recorded), recorded }];
  });
  const [first] = earlier;
  if (first === undefined) return { options: given, notices: [] };
  const cluesOf = new Map(earlier.map(({ id, recorded }) => [id, recorded.clues]));
  const options = { ...given, clues: cluesFrom(named, cluesOf) };
  if (earlier.some((one) => JSON.stringify(one.choices) !== JSON.stringify(first.choices))) {
    const each = earlier.map((one) => `${one.id} with ${flagsOf(one.choices) || 'none'}`);
    return { options, notices: [messageOf('earlier-flags-differ', { runs: each.join('; ') })] };
  }
  const taken = notSetNow(first.choices, options);
  const flags = flagsOf(taken);
  if (flags === '') return { options, notices: [] };
  const { kind, mapping, ...same } = taken;
  const choices = {
    ...same,
    ...(kind != null && { kind: recordKind(kind) }),
    ...(mapping != null && { mapping: await mappingOf(mapping, source, options) }),
  };
  return { options: { ...options, ...choices }, notices: [messageOf('read-as-earlier', { run: first.id, flags })] };
}

/** A sheet of the source, and the sheet of a run that some of its rows come from. */
interface NamedSheet {
  readonly sheet: string;
  readonly run: string;
  readonly sheetOfRun: string;
}

/** In the order of the rows. */
async function sheetsNamedIn(source: Source): Promise<readonly NamedSheet[]> {
  const named = new Map<string, NamedSheet>();
  for (const sheet of source.sheets) {
    let isBelowHeaders = false;
    let searched = 0;
    for await (const row of sheet.rows()) {
      const { earlier } = isBelowHeaders ? ownColumnsOf(row) : { earlier: null };
      if (earlier !== null) {
        const one = { sheet: sheet.name, run: earlier.run, sheetOfRun: earlier.sheet };
        named.set(JSON.stringify(one), one);
      }
      isBelowHeaders ||= ownColumnsIn(row) > 0;
      searched += 1;
      if (!isBelowHeaders && searched === rowsToSearch) break;
    }
  }
  return [...named.values()];
}

/** Joins the format clues of the sheets that the rows come from. Clues that contradict each other are dropped. */
function cluesFrom(named: readonly NamedSheet[], cluesOf: ReadonlyMap<string, readonly ColumnClues[]>) {
  const found = new Map<string, ColumnClues>();
  for (const { sheet, run, sheetOfRun } of named)
    for (const { path, clues } of (cluesOf.get(run) ?? []).filter((one) => one.sheet === sheetOfRun)) {
      const column = `${sheet}\n${path}`;
      found.set(column, { sheet, path, clues: [...(found.get(column)?.clues ?? []), ...clues] });
    }
  return [...found.values()].map((one) => ({ ...one, clues: withoutContradiction(one.clues) }));
}

/** The options that were set. An attachments folder beside the source is the default, so it does not count. */
function choicesOf({ sourcePath }: RunRecord, recorded: RecordedOptions): EarlierChoices {
  const isBesideSource = sourcePath === standardInput || resolve(dirname(sourcePath)) === recorded.attachmentsFolder;
  const isSet = (name: keyof EarlierChoices) =>
    !isEmpty(recorded[name]) && (name !== 'attachmentsFolder' || !isBesideSource);
  return Object.fromEntries(takenOver.filter(isSet).map((name) => [name, recorded[name]]));
}

/** The options that the person has not set now. */
function notSetNow(choices: EarlierChoices, options: ReadingOptions): EarlierChoices {
  const setsOrder = options.mapping?.mapping.sheets.some(({ dateOrder }) => dateOrder !== undefined) === true;
  const isSetNow = (name: string): boolean => {
    if (name === 'mapping' && options.mappingsFolder === null) return true;
    return (name === 'dateOrder' && setsOrder) || !isEmpty(options[name as keyof EarlierChoices]);
  };
  return Object.fromEntries(Object.entries(choices).filter(([name]) => !isSetNow(name)));
}

function isEmpty(value: object | string | null): boolean {
  return value === null || Object.keys(value).length === 0;
}

/** If the mapping has changed, one that was remembered for the same headers since replaces it. */
async function mappingOf(recorded: RecordedMapping, source: Source, options: ReadingOptions): Promise<NamedMapping> {
  const { mappingsFolder } = options;
  try {
    return readSameMapping(recorded);
  } catch (cause) {
    const remembered = mappingsFolder === null ? null : await rememberedMapping(source, mappingsFolder, options);
    if (remembered !== null) return remembered;
    throw errorOf('mapping-of-results-gone', { path: recorded.path }, cause);
  }
}

/** The options that a person has set, as command-line flags. */
export function flagsIn({ kind, attachmentsFolder, ...same }: ReadingOptions): string {
  return flagsOf({ ...same, kind: kind?.name ?? null, attachmentsFolder: attachmentsFolder ?? '' });
}

/** The options as command-line flags; empty for none. */
function flagsOf({ ignoredColumns = [], checks = {}, ...choices }: EarlierChoices): string {
  const words: readonly (readonly [flag: string, value: string | null | undefined])[] = [
    ['--as', choices.kind],
    ['--date-order', choices.dateOrder],
    ['--ignore-columns', typeof ignoredColumns === 'string' ? ignoredColumns : namesWithCommas(ignoredColumns)],
    ...Object.entries(checks)
      .filter(([, level]) => level !== 'skip')
      .map(([code, level]) => [level === 'error' ? '--strict' : '--allow', code] as const),
    ['--mapping', choices.mapping?.path],
    ['--attachments', choices.attachmentsFolder],
  ];
  return words.flatMap(([flag, value]) => (value ? [`${flag} ${shellWord(value)}`] : [])).join(' ');
}
