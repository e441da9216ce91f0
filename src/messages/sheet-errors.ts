/** The errors of sheets and columns that have no match, of the mappings that say how a file is read, and of templates. */
import { type ErrorCatalogue, inLines, withCode } from './message.ts';
import { sayHowItIsRead } from './ways.ts';

/** What came from standard input has no name to type. */
const draftRest = '<dealsheet map [file?{file}|FILE] --mapping {path} -o NEW.json>';
const otherSheets =
  'Where a sheet only has another name now[gone? (not in the file: {gone})], or several entries could be meant, write its name into the entry in {path} ("sheet": "…"; another month in the name does not matter). Leave other sheets out with "ignoreSheets": ["NAME"] there, or with --ignore-sheets "NAME" this once, or read the file without a mapping with --mapping none. Nothing was sent.';

const ofSources = withCode('unreadable-source', {
  'only-own-sheet': [
    'The file holds no rows: it is the sheet "{title}" alone. A spreadsheet program saves only the sheet in view as CSV.',
    'Give the workbook itself, or open the sheet with the rows in it and save that one as CSV. Nothing was sent.',
  ],
  'no-rows': [
    'The file holds no rows: there is nothing below the headers.',
    'Fill in at least one row, save the file, and try again.',
  ],
  'nothing-to-map': [
    'There is nothing to map: no sheet holds a row of headers with rows below it.',
    '[sheets?Its sheets are: {sheets}.|Name a file with rows.]',
  ],
});

const unmatched = withCode('unmatched-columns', {
  'sheet-not-found': ['There is no sheet "{name}" in the file.', 'Its sheets are: {names}.'],
  'no-sheet-left': [
    'No sheet is left to read:{notices}',
    `[shell?Name a sheet after what it holds, or read it alone with --sheet NAME --as KIND. Nothing was sent.|${sayHowItIsRead}]`,
  ],
  'sheet-fault': ['{sheet}: {fault}', 'Nothing was sent.'],
  'results-columns-moved': [
    'The sheet {name} is a results sheet, and its first six columns are not the ones that it was written with: {columns}.',
    'Put them back in front, in this order, with your own columns behind them. If a column is lost, write the results again with <dealsheet results RUN>, and correct those. Without these columns, rows that are in would be sent again. (If this is not a results sheet, give the columns other names.) Nothing was sent.',
  ],
  'keys-above-headers': [
    '{name}: {rows} above the headers in row {header} came from a results sheet, and would not be loaded.',
    'Move the row of headers to the top of the sheet, save the file, and try again. Nothing was sent.',
  ],
  'data-above-headers': [
    '{name}: {rows} above the headers in row {header} may be data, and would not be loaded.',
    'Move the headers above all rows that you want to load, and delete the other rows above them. Or name the header row in a mapping ("headerRow": {header}). Nothing was sent.',
  ],
  'two-header-rows': [
    '{name}: row {first} and row {second} are both header rows, and all rows would be read under the headers of only one of them.',
    'Give the rows below row {second} a sheet or a file of their own, with their headers; where both rows have the same headers, remove row {second}. If one of them is data, add a column that numbers the rows, with a header in parentheses, such as (row): a row with a number is not taken for headers. Nothing was sent.',
  ],
  'nothing-matches': [
    '[things?{things} things in the file have no match:]{faults}',
    `[shell?Nothing was sent. [path?Correct the mapping {path}, or keep what it decides and draft the rest: ${draftRest}|Correct the headers, or leave columns out with --ignore-columns NAMES (or all). If the file always comes with these headers, draft a mapping once: <dealsheet map [file?{file}|FILE][as? --as {as}] -o mapping.json>]|${sayHowItIsRead}]`,
  ],
  'kept-mappings-differ': [
    '{said}',
    '{remedy}[shell?\nNo remembered mapping has exactly the headers of the file. If one is meant, name it with --mapping to see what differs: {kept}]',
  ],
  'mapping-leaves-all-out': [
    'The mapping leaves out every sheet that this load would read: {leftOut}.',
    `[shell?${otherSheets}|${sayHowItIsRead}]`,
  ],
  'sheets-without-rules': [
    'The mapping has no rules for some sheets: {without}.',
    `[shell?Keep what the mapping decides, and draft the rest: ${draftRest}. ${otherSheets}|${sayHowItIsRead}]`,
  ],
  'no-headers': [
    '{sheet}: no row has headers, or one of them is a value.',
    'Put a row on top that names each column. Then draft the mapping again.',
  ],
  'kinds-unknown': [
    'Neither the name nor the headers of some sheets tell what their rows are: {sheets}. KIND is one of {kinds}.',
    'Say it with --as KIND, or for one sheet with --as SHEET=KIND.',
  ],
});

/** Mappings, their drafts, and templates. */
const ofUse = {
  'mapping-unusable': ['The mapping {file} cannot be used:{faults}', 'Correct it and try again. Nothing was sent.'],
  'mapping-changed': [
    'The mapping {path} has been changed since the run began with it.',
    'Restore it and resume, or import the file again with the new one. Nothing was sent.',
  ],
  'mapping-of-results-gone': [
    'The load that wrote this results sheet read its source by the mapping {path}, which is gone or was changed.',
    'Restore it, or name another with --mapping FILE (--mapping none reads the sheet without a mapping). Nothing was sent.',
  ],
  'several-mappings-fit': [
    ({ paths }: { readonly paths: readonly string[] }) =>
      `Several remembered mappings have exactly the headers of the file:${inLines(paths)}`,
    `[shell?Name the right one with --mapping FILE, or delete the others. Nothing was sent.|${sayHowItIsRead}]`,
  ],
  'kind-unclear': [
    '--as {as} does not name a kind or a sheet, or says more than once what the rows are.',
    'Give KIND once for all sheets, and SHEET=KIND for each of another kind: {kinds}.',
  ],
  'columns-chosen-twice': ['--every, --minimal and --columns choose columns in different ways.', 'Keep one of them.'],
  'columns-of-several-kinds': ['--columns names the columns of one kind.', 'Name one kind.'],
  'columns-not-of-kind': [
    '[problems?Columns that a template cannot have:{problems}|A template has no columns in braces or parentheses.]',
    'Correct --columns. The columns of {kind} are those of: dealsheet template {kind} --every',
  ],
} as const satisfies ErrorCatalogue;

export const sheetErrors = { ...ofSources, ...unmatched, ...ofUse };
