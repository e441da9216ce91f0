/** What a person is told before a load begins: what will be sent, what will not, and why. */
import Big from 'big.js';
import type { RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import type { Counts, RowState } from '../../contract/row-state.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { cellAddress } from '../../mapping/column.ts';
import { byHarm, type FindingGroup } from '../../mapping/finding-groups.ts';
import { type Finding, findingText, isError } from '../../messages/finding.ts';
import type { Preview, PreviewedSheet } from '../../plan/preview.ts';
import { plannedWords } from '../../plan/written-plan.ts';
import { columnName } from '../../sheets/xlsx/cell-reference.ts';
import { counted, fileSize, money, rows } from '../terminal/figures.ts';

/** One line an error of one row: `Deals!F12  error  Amount requested "-5" must be at least 0.` */
export function errorLines({ sheet, row, problems }: CheckedRow): readonly string[] {
  return problems
    .filter(isError)
    .map((finding) => findingLine({ rows: 1, first: { sheet, row, finding }, numbers: [row], values: [] }));
}

/** What is told together is one line, the most harmful first: `Deals!F12, F15, F20 and 37 more  note  Owner 1 SSN …` */
export function findingLines(groups: readonly FindingGroup[]): readonly string[] {
  return byHarm(groups).map(findingLine);
}

function findingLine({ rows, first, numbers, values }: FindingGroup): string {
  const { sheet, finding } = first;
  const more = rows === numbers.length ? '' : ` and ${rows - numbers.length} more`;
  const places = `${placesOf(sheet, finding, numbers)}${more}${valuesText(values)}`;
  return `${places}  ${isError(finding) ? 'error' : 'note'}  ${findingText(finding)}`;
}

function placesOf(sheet: string, { column }: Finding, [first = 0, ...others]: readonly number[]): string {
  if (column === null) return `${sheet} ${others.length === 0 ? 'row' : 'rows'} ${[first, ...others].join(', ')}`;
  return [cellAddress(sheet, column, first), ...others.map((row) => `${columnName(column)}${row}`)].join(', ');
}

const mostValues = 3;
const longestValue = 30;

/** The message of the first says nothing of what the others are about. */
function valuesText(values: readonly string[]): string {
  if (values.length < 2) return '';
  const short = (value: string) => (value.length > longestValue ? `${value.slice(0, longestValue - 1)}…` : value);
  const told = values.slice(0, mostValues).map((value) => `"${short(value)}"`);
  return ` (${told.join(', ')}${values.length > mostValues ? ', …' : ''})`;
}

/** While the rows are checked. */
export function checkingText(checked: number): string {
  return `Checking: ${rows(checked)} so far.`;
}

/**
 * A few lines, each a whole sentence or a row of figures: what is to be sent, what is not, and why.
 *
 * @param areProblemsTold  whether each problem was told already, at its cell
 */
export function previewText(preview: Preview, areProblemsTold = false): string {
  const sheets = preview.sheets.filter((sheet) => sheet.rows > 0);
  const widest = Math.max(...sheets.map((sheet) => sheet.name.length));
  const clears = sheets.reduce((count, one) => count + one.clears, 0);
  return [
    ...preview.notices,
    ...sheets.flatMap((sheet) => [
      `  ${sheet.name.padEnd(widest)}  ${sheetText(sheet)}`,
      ...(areProblemsTold ? [] : problemLines(sheet)),
    ]),
    ...(clears === 0 ? [] : [`${counted(clears, 'field')} of companies will be emptied (<clear>).`]),
    ...fileLines(preview.files),
    ...settledLines(preview.settled),
    ...(areProblemsTold ? [] : repeatLines(preview.repeats, preview.sheets.length > 1)),
  ].join('\n');
}

/** Of the preview, what may make a record twice: a quiet load says that too. `null` when there is nothing. */
export function recordsTwiceText({ notices, repeats, sheets }: Preview): string | null {
  const lines = [...notices, ...repeatLines(repeats, sheets.length > 1)];
  return lines.length === 0 ? null : lines.join('\n');
}

/** How many rows a load would not send, or that all pass. */
export function checkedText({ rows: all, invalid, leftOut, waiting }: Counts): string {
  if (invalid === 0) {
    const others = leftOut === 0 ? '' : ` Left out: ${rows(leftOut)}.`;
    return `${rows(all - leftOut)} ${all - leftOut === 1 ? 'passes' : 'pass'} the checks.${others} Nothing was sent.`;
  }
  const waits = waiting === 0 ? '' : `: ${invalid} with errors, and ${waiting} that wait for rows that are not in`;
  return `${rows(invalid + waiting)} of ${all} would not be sent${waits}. Correct the errors and check again.`;
}

/** `32 rows (amounts: 1,279,192.32)` */
export function sendingText({ sheets }: Preview): string {
  const count = sheets.reduce((sum, { toSend }) => sum + toSend, 0);
  const sums = new Map<RecordKindName, Big>();
  for (const { kind, toSend, amountToSend } of sheets) {
    if (amountToSend === null || toSend === 0) continue;
    sums.set(kind.name, (sums.get(kind.name) ?? new Big(0)).plus(amountToSend));
  }
  const ofKind = (kind: RecordKindName) => (sums.size > 1 ? ` of ${recordKind(kind).sheet.toLowerCase()}` : '');
  const amounts = [...sums].map(([kind, sum]) => `${money(sum.toFixed())}${ofKind(kind)}`);
  return amounts.length === 0 ? rows(count) : `${rows(count)} (amounts: ${amounts.join(', ')})`;
}

/** Rows that stay, in the order in which a person is told of them. */
const stayingWords: readonly (readonly [RowState, string])[] = [
  ['unchanged', plannedWords.unchanged],
  ['already-loaded', plannedWords.alreadyLoaded],
  ['changed-since-loaded', plannedWords.changedSinceLoaded],
  ['in-doubt', plannedWords.inDoubt],
  ['rejected', 'refused by the service'],
  ['waiting', plannedWords.waiting],
  ['ready', 'left for another load'],
  ['not-sent', 'held for you to decide'],
  ['invalid', 'with errors'],
];

function sheetText({ toSend, staying, warnedRows, amount, kind }: PreviewedSheet): string {
  const verb = kind.sending.isUpdate ? 'to send' : 'to add';
  const counts: readonly (readonly [number, string])[] = [
    ...stayingWords.map(([state, words]) => [staying[state] ?? 0, `${words}, not sent`] as const),
    [staying['left-out'] ?? 0, 'left out'],
    [warnedRows, 'with a note'],
  ];
  return [
    `${rows(toSend)} ${verb} as ${kind.sheet.toLowerCase()}`,
    ...counts.flatMap(([count, words]) => (count > 0 ? [`${rows(count)} ${words}`] : [])),
    ...(amount !== null && amount !== '0' ? [`amounts in the source: ${money(amount)}`] : []),
  ].join('; ');
}

const mostProblems = 10;

/** The errors, and the notes that a person is to see before the rows are sent. */
function problemLines({ findings, toldBefore }: PreviewedSheet): readonly string[] {
  const errors = findings.filter(({ first }) => isError(first.finding));
  return [errors, toldBefore].flatMap((found) => {
    const lines = findingLines(found).map((line) => `    ${line}`);
    const more = lines.length - mostProblems;
    return more > 0
      ? [...lines.slice(0, mostProblems), `    … and ${more} more of this kind: the results name them all.`]
      : lines;
  });
}

/** Whoever says yes knows which files leave this computer. */
function fileLines({ files, bytes, examples }: Preview['files']): readonly string[] {
  if (files === 0) return [];
  const more = files - examples.length;
  return [
    `Files to send: ${counted(files, 'file')}, ${fileSize(bytes)}.`,
    ...examples.map(({ name, size }) => `  ${name} (${fileSize(size)})`),
    ...(more > 0 ? [`  and ${more} more.`] : []),
  ];
}

/** What is said of doubts by the ID cells: a wrong word there makes a record twice, or none. */
function settledLines({ created, notCreated }: Preview['settled']): readonly string[] {
  const both: readonly (readonly [number, string])[] = [
    [created, 'created'],
    [notCreated, 'not created'],
  ];
  const parts = both.flatMap(([count, word]) => (count > 0 ? [`${rows(count)} as ${word}`] : []));
  if (parts.length === 0) return [];
  const [cells, are] = created + notCreated === 1 ? ['its ID cell', 'is'] : ['their ID cells', 'are'];
  return [`By ${cells}, ${rows(created + notCreated)} in doubt ${are} settled: ${parts.join(', ')}.`];
}

function repeatLines(repeats: Preview['repeats'], isOfSeveralSheets: boolean): readonly string[] {
  const lines = repeats.examples.map(({ sheet, row, twin, amount }) => {
    const place = isOfSeveralSheets ? `${sheet} row ${row}` : `Row ${row}`;
    const worth = amount === null ? '' : ` (${money(new Big(amount).toFixed())})`;
    return `${place} has the same values as ${twin}${worth}, and is sent as well. Delete one of them if it is there by mistake.`;
  });
  const more = repeats.rows - lines.length;
  return more > 0 ? [...lines, `${rows(more)} more with the same values as an earlier one.`] : lines;
}
