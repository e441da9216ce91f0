/** What is said of a file whose sheets or columns have no match, and how a person goes on. */
import { DealsheetError, unmatchedError, usageError } from '../errors.ts';
import { namesWithCommas, shellWord } from './commands.ts';
import { asReader, sayHowItIsRead } from './ways.ts';

/**
 * The command that drafts a mapping of the file.
 * @param file  its path; `-` for standard input, which cannot be read again
 * @param before  the path of a mapping whose decisions stay
 * @param as  the kind of the rows, or `KIND` if the person has to choose it
 */
function draftCommand(file: string, before: string | null, as?: string): string {
  const how =
    before === null
      ? `${as === undefined ? '' : ` --as ${as}`} -o mapping.json`
      : ` --mapping ${shellWord(before)} -o NEW.json`;
  return `dealsheet map ${file === '-' ? 'FILE' : shellWord(file)}${how}`;
}

export function ignoreSheets(name: string): string {
  return `--ignore-sheets ${shellWord(namesWithCommas([name]))}`;
}

interface Unmatched {
  readonly file: string;
  /** The path of the mapping that reads the file. */
  readonly mapping: string | null;
  readonly as: string | undefined;
  readonly holdsResults: boolean;
  /** The headers without a match. */
  readonly headers: readonly string[];
}

export function nothingMatches(
  faults: readonly string[],
  { file, mapping, as, holdsResults, headers }: Unmatched,
): DealsheetError {
  const [fault = '', second] = faults;
  const list = `${faults.length} things in the file have no match:\n${faults.map((one) => `  ${one}`).join('\n')}`;
  const draft = draftCommand(file, mapping, as);
  const [name, another] = headers;
  const column = another === undefined ? 'the column' : 'a column';
  const leave = name && `, or leave ${column} out with --ignore-columns ${shellWord(namesWithCommas([name]))} (or all)`;
  const remedy =
    mapping === null
      ? `Correct the header${leave ?? ''}. If the file always comes with these headers, draft a mapping once: ${draft}`
      : `Correct the mapping ${mapping}, or keep what it decides and draft the rest: ${draft}`;
  const [typed, onPage] = holdsResults && mapping === null ? ofResults : ['', ''];
  return unmatchedError(
    second === undefined ? fault : list,
    asReader(`Nothing was sent. ${typed}${remedy}`, `${onPage}${sayHowItIsRead}`),
  );
}

/** Its source may have been read by a mapping that only the ledger of that load knows. */
const ofResults = [
  'It holds the results of a load: if the file of that load was read by a mapping, name it with --mapping FILE. ',
  'It holds the results of a load: say of its columns what was said of those of the file. ',
] as const;

interface UnknownSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly isCsv: boolean;
  /** Whether it is the only sheet, because --as applies to all sheets. */
  readonly isAlone: boolean;
  /** The kinds that its headers fit, if there are several. */
  readonly fitting: readonly string[];
  readonly kinds: readonly string[];
}

export function unknownSheetText({ name, isHidden, isCsv, isAlone, fitting, kinds }: UnknownSheet): string {
  const what = isCsv ? 'The file' : `The ${isHidden ? 'hidden sheet' : 'sheet'} ${name}`;
  const areSeveral = fitting.length > 1;
  const doubt = areSeveral
    ? 'has headers that fit several kinds'
    : 'has neither a name nor headers that show what its rows are';
  const say = isAlone
    ? 'Say what they are with --as KIND'
    : `Name the sheet after what it holds, read it alone with --sheet ${shellWord(name)} --as KIND`;
  const leave = isCsv ? '' : `, or leave the sheet out with ${ignoreSheets(name)}`;
  return `${what} ${doubt}.${asReader(` ${say}${leave}. KIND is one of ${(areSeveral ? fitting : kinds).join(', ')}.`, '')}`;
}

/** How a file differs from the remembered mapping that is nearest to it. */
export interface NearMapping {
  readonly path: string;
  /** The headers that only the mapping names. */
  readonly missing: readonly string[];
  /** The headers that only the file has. */
  readonly further: readonly string[];
}

interface KeptMappings {
  readonly file: string;
  readonly kept: readonly string[];
  readonly nearest: NearMapping | null;
}

/** Says the remembered mapping that nearly fits before the error of a reading without one, or the names of all after it. */
export function besideMappings(error: DealsheetError, { file, kept, nearest }: KeptMappings): DealsheetError {
  const told = (message: string, remedy: string) => new DealsheetError(error.code, message, remedy, { cause: error });
  if (nearest === null) {
    const further = `\nNo remembered mapping has exactly the headers of the file. If one is meant, name it with --mapping to see what differs: ${kept.join(', ')}`;
    return told(error.message, error.remedy + asReader(further, ''));
  }
  const { path, missing, further } = nearest;
  const listed = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  const differences = [
    ...(missing.length > 0 ? [`without ${listed(missing)}`] : []),
    ...(further.length > 0 ? [`with ${listed(further)} besides`] : []),
  ];
  const mapped = asReader(`that the remembered mapping ${path} names`, 'of a file whose columns you chose before');
  const draft = `Nothing was sent. Correct the header, or keep what the mapping decides and draft the rest: ${draftCommand(file, path)}`;
  return told(
    `The file has the headers ${mapped}, ${differences.join(', and ')}. Read without that mapping: ${error.message}`,
    asReader(draft, error.remedy),
  );
}

export function severalFit(paths: readonly string[]): DealsheetError {
  return usageError(
    `Several remembered mappings have exactly the headers of the file:\n${paths.map((path) => `  ${path}`).join('\n')}`,
    asReader('Name the right one with --mapping FILE, or delete the others. Nothing was sent.', sayHowItIsRead),
  );
}

interface WithoutRules {
  readonly file: string;
  /** The path of the mapping. */
  readonly path: string;
  /** The sheets without rules, each with those of the mapping that could be meant. */
  readonly without: ReadonlyMap<string, readonly string[]>;
  /** The sheets that the mapping leaves out, if no other is left. */
  readonly leftOut: readonly string[];
  /** The sheets that only the mapping has. */
  readonly gone: readonly string[];
}

export function noRulesFor({ file, path, without, leftOut, gone }: WithoutRules): DealsheetError {
  const missing = gone.length === 0 ? '' : ` (the file has no "${gone.join('" and no "')}")`;
  const unclear = [...without].flatMap(([name, like]) => (like.length > 1 ? [name] : []));
  const sayWhich = unclear
    .map((name) => `In ${path}, copy the entry that is meant, with "sheet": "${name}". `)
    .join('');
  const renamed =
    unclear.length > 0 && unclear.length === without.size
      ? ''
      : `Where a sheet only has another name now${missing}, write that into its entry in ${path} ("sheet": "…"; another month in the name does not matter). `;
  const draft = `Keep what the mapping decides, and draft the rest: ${draftCommand(file, path)}. `;
  return unmatchedError(
    [
      ...[...without].map(([name, like]) =>
        like.length < 2
          ? `The mapping has no rules for the sheet "${name}".`
          : `The mapping has no rules for the sheet "${name}" alone: what it says of "${like.join('" and of "')}" differs, and each could be meant.`,
      ),
      ...(leftOut.length > 0
        ? [`The mapping leaves out every sheet that this load would read: ${leftOut.join(', ')}.`]
        : []),
    ].join('\n'),
    asReader(
      `${sayWhich}${leftOut.length > 0 ? '' : draft}${renamed}Leave other sheets out with "ignoreSheets": ["NAME"] there, or with --ignore-sheets "NAME" this once, or read the file without a mapping with --mapping none. Nothing was sent.`,
      sayHowItIsRead,
    ),
  );
}

export function nothingLeft(sentences: readonly string[]): DealsheetError {
  return unmatchedError(
    `${sentences.join(' ')} No sheet is left to read.`,
    asReader(
      'Name a sheet after what it holds, or read it alone with --sheet NAME --as KIND. Nothing was sent.',
      sayHowItIsRead,
    ),
  );
}

export function readByMapping(path: string): string {
  const onPage = 'The columns are read as “How it is read” shows.';
  return asReader(`The file is read by the mapping ${path}.`, onPage);
}

/** A misspelled name leaves nothing out, so what the person meant to hold back would be sent. */
export function notThere(what: 'column' | 'sheet', names: readonly string[]): readonly string[] {
  return names.map((name) => `--ignore-${what}s names "${name}", but the file has no such ${what}.`);
}

/** @param rows  in words, such as `rows 1, 2` */
export function keysAboveHeaders(name: string, rows: string, header: number): DealsheetError {
  return unmatchedError(
    `${name}: ${rows} above the headers in row ${header} came from a results sheet, and would not be loaded.`,
    'Move the row of headers to the top of the sheet, save the file, and try again. Nothing was sent.',
  );
}

/** @param rows  in words, such as `rows 1, 2` */
export function dataAboveHeaders(name: string, rows: string, header: number): DealsheetError {
  return unmatchedError(
    `${name}: ${rows} above the headers in row ${header} may be data, and would not be loaded.`,
    `Move the headers above all rows that you want to load, and delete the other rows above them. Or name the header row in a mapping ("headerRow": ${header}). Nothing was sent.`,
  );
}

export function twoHeaders(name: string, first: number, second: number): DealsheetError {
  return unmatchedError(
    `${name}: row ${first} and row ${second} are both header rows, and all rows would be read under the headers of only one of them.`,
    `Give the rows below row ${second} a sheet or a file of their own, with their headers; where both rows have the same headers, remove row ${second}. If one of them is data, add a column that numbers the rows, with a header in parentheses, such as (row): a row with a number is not taken for headers. Nothing was sent.`,
  );
}

export function noHeaders(sheet: string): DealsheetError {
  return unmatchedError(
    `${sheet}: no row has headers, or one of them is a value.`,
    'Put a row on top that names each column. Then draft the mapping again.',
  );
}
