/** What a person is told before a load begins: what will be sent, what will not, and why. */
import Big from 'big.js';
import type { RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { type Counts, type RowState, rowStates } from '../../contract/row-state.ts';
import { cellAddress } from '../../mapping/column.ts';
import { byHarm, type FindingGroup, harmOf } from '../../mapping/finding-groups.ts';
import { type Finding, findingText, isError } from '../../messages/finding.ts';
import type { Preview, PreviewedSheet } from '../../plan/preview.ts';
import { columnName } from '../../sheets/excel-limits.ts';
import { counted, fileSize, listed, money, rows } from '../terminal/figures.ts';

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
  ].join('\n');
}

/** Of the preview, what may make a record twice: a quiet load says that too. `null` when there is nothing. */
export function recordsTwiceText({ notices, sheets }: Preview): string | null {
  const found = sheets.flatMap(({ findings }) => findings).filter(({ first }) => harmOf(first.finding) === 'twice');
  const lines = [...notices, ...findingLines(found)];
  return lines.length === 0 ? null : lines.join('\n');
}

/** How many rows a load would send, or that all pass. */
export function checkedText({ rows: all, invalid, leftOut, waiting, ready }: Counts): string {
  if (invalid === 0) {
    const others = leftOut === 0 ? '' : ` Left out: ${rows(leftOut)}.`;
    return `${rows(all - leftOut)} ${all - leftOut === 1 ? 'passes' : 'pass'} the checks.${others} Nothing was sent.`;
  }
  const waits = waiting === 0 ? '' : `, ${waiting} that wait for rows that are not in`;
  return `${rows(ready)} of ${all} would be sent: ${invalid} with errors${waits}. Correct the errors and check again.`;
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

function sheetText({ toSend, staying, warnedRows, amount, kind }: PreviewedSheet): string {
  const verb = kind.sending.isUpdate ? 'to send' : 'to add';
  const states = Object.keys(rowStates) as RowState[];
  const stays = states.flatMap((state) => {
    const count = staying[state] ?? 0;
    return count === 0 ? [] : [`${count} ${rowStates[state].status.toLowerCase()}`];
  });
  return [
    `${rows(toSend)} ${verb} as ${kind.sheet.toLowerCase()}`,
    ...(stays.length === 0 ? [] : [`not sent: ${stays.join(', ')}`]),
    ...(warnedRows === 0 ? [] : [`${rows(warnedRows)} with a note`]),
    ...(amount === null || amount === '0' ? [] : [`amounts in the source: ${money(amount)}`]),
  ].join('; ');
}

const mostProblems = 10;

/** The errors, then what may be wrong; the most harmful first. Of those that are not named here, the results tell. */
function problemLines({ findings }: PreviewedSheet): readonly string[] {
  const errors = findings.filter(({ first }) => isError(first.finding));
  const others = findings.filter(({ first }) => !isError(first.finding));
  return [errors, others].flatMap((found) => listed(findingLines(found), mostProblems).map((line) => `    ${line}`));
}

/** Whoever says yes knows which files leave this computer. */
function fileLines({ files, bytes, examples }: Preview['files']): readonly string[] {
  if (files === 0) return [];
  const lines = examples.map(({ name, size }) => `${name} (${fileSize(size)})`);
  return [
    `Files to send: ${counted(files, 'file')}, ${fileSize(bytes)}.`,
    ...listed(lines, lines.length, files).map((line) => `  ${line}`),
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
