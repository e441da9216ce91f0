/** What a person is told before a load begins: what will be sent, what will not, and why. */

import Big from 'big.js';
import type { RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import type { RowState } from '../../contract/row-state.ts';
import type { CheckResult } from '../../load/check-file.ts';
import type { FindingGroup } from '../../mapping/finding-groups.ts';
import { findingText, isError } from '../../messages/finding.ts';
import type { Preview, PreviewedSheet } from '../../plan/preview.ts';
import { plannedWords } from '../../plan/written-plan.ts';
import { counted, fileSize, money, rows } from '../terminal/figures.ts';
import { valuesText } from './problem-text.ts';

const mostProblems = 10;

/** While the rows are checked. */
export function checkingText(checked: number): string {
  return `Checking: ${rows(checked)} so far.`;
}

/**
 * A few lines, each a whole sentence or a row of figures: what is to be sent, what is not, and why.
 * @param areProblemsTold  whether each problem was told already, at its cell
 */
export function previewText(preview: Preview, areProblemsTold = false): string {
  return [
    linesOf(preview, areProblemsTold),
    ...fileLines(preview.files),
    ...settledLines(preview.settled),
    ...repeatLines(preview.repeats, preview.sheets.length > 1),
  ].join('\n');
}

/** How many rows a load would not send, or that all pass. */
export function checkedText({ counts }: Pick<CheckResult, 'counts'>): string {
  const { rows: all, invalid, leftOut, waiting } = counts;
  if (invalid === 0) {
    const others = leftOut === 0 ? '' : ` Left out: ${rows(leftOut)}.`;
    return `${passText(all - leftOut, leftOut === 0)} the checks.${others} Nothing was sent.`;
  }
  const notSent = `${rows(invalid + waiting)} of ${all} would not be sent`;
  if (waiting === 0) return `${notSent}. Correct ${invalid === 1 ? 'it' : 'them'} and check again.`;
  const why = `${invalid} with errors, and ${waiting} that ${waiting === 1 ? 'waits' : 'wait'} for rows that are not in`;
  return `${notSent}: ${why}. Correct the errors and check again.`;
}

/** @param areAll  whether there are no others */
function passText(count: number, areAll: boolean): string {
  if (!areAll) return `${rows(count)} ${count === 1 ? 'passes' : 'pass'}`;
  if (count === 1) return 'The one row passes';
  return count === 2 ? 'Both rows pass' : `All ${rows(count)} pass`;
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
  const parts = [
    ...(created > 0 ? [`${rows(created)} as created`] : []),
    ...(notCreated > 0 ? [`${rows(notCreated)} as not created`] : []),
  ];
  if (parts.length === 0) return [];
  const [cells, are] = created + notCreated === 1 ? ['its ID cell', 'is'] : ['their ID cells', 'are'];
  return [`By ${cells}, ${rows(created + notCreated)} in doubt ${are} settled: ${parts.join(', ')}.`];
}

/** Of the preview, what may make a record twice: a quiet load says that too. `null` when there is nothing. */
export function recordsTwiceText({ notices, repeats, sheets }: Preview): string | null {
  const lines = [...notices, ...repeatLines(repeats, sheets.length > 1)];
  return lines.length === 0 ? null : lines.join('\n');
}

function repeatLines(repeats: Preview['repeats'], isOfSeveralSheets: boolean): readonly string[] {
  const lines = repeats.examples.map(({ sheet, row, twin, amount }) => {
    const place = isOfSeveralSheets ? `${sheet} row ${row}` : `Row ${row}`;
    const worth = amount === null ? '' : ` (${money(new Big(amount).toFixed())})`;
    return `${place} has the same values as ${twin}${worth}, and is sent as well. Delete one of them if it is there by mistake.`;
  });
  const more = repeats.rows - lines.length;
  return more > 0
    ? [...lines, `${rows(more)} more ${more === 1 ? 'has' : 'have'} the same values as an earlier one.`]
    : lines;
}

/** `32 rows (amounts: 1,279,192.32)` */
export function sendingText({ sheets }: Preview): string {
  const count = sheets.reduce((sum, { toSend }) => sum + toSend, 0);
  const sums = sumsByKind(sheets);
  const amounts = sums.map(
    ([kind, sum]) => `${money(sum)}${sums.length > 1 ? ` of ${recordKind(kind).sheet.toLowerCase()}` : ''}`,
  );
  return amounts.length === 0 ? rows(count) : `${rows(count)} (amounts: ${amounts.join(', ')})`;
}

/** Of each kind that has amounts and rows to send. */
function sumsByKind(sheets: readonly PreviewedSheet[]): readonly (readonly [RecordKindName, string])[] {
  const sums = new Map<RecordKindName, Big>();
  for (const { kind, toSend, amountToSend } of sheets) {
    if (amountToSend === null || toSend === 0) continue;
    sums.set(kind.name, (sums.get(kind.name) ?? new Big(0)).plus(amountToSend));
  }
  return [...sums].map(([kind, sum]) => [kind, sum.toFixed()]);
}

function linesOf(preview: Preview, areProblemsTold: boolean): string {
  const sheets = preview.sheets.filter((sheet) => sheet.rows > 0);
  const widest = Math.max(...sheets.map((sheet) => sheet.name.length));
  const lines = sheets.flatMap((sheet) => [
    `  ${sheet.name.padEnd(widest)}  ${sheetText(sheet)}`,
    ...(areProblemsTold ? [] : [...commonestProblems(sheet), ...notesToSee(sheet)]).map((line) => `    ${line}`),
  ]);
  const clears = sheets.reduce((count, one) => count + one.clears, 0);
  const cleared = clears === 0 ? [] : [`${counted(clears, 'field')} of companies will be emptied (<clear>).`];
  return [...preview.notices, ...lines, ...cleared].join('\n');
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

function sheetText(sheet: PreviewedSheet): string {
  const { toSend, staying, warnedRows, amount, kind } = sheet;
  const verb = kind.sending.isUpdate ? 'to send' : 'to add';
  const parts = [`${rows(toSend)} ${verb} as ${kind.sheet.toLowerCase()}`];
  for (const [state, words] of stayingWords) {
    const count = staying[state] ?? 0;
    if (count > 0) parts.push(`${rows(count)} ${words}, not sent`);
  }
  const leftOut = staying['left-out'] ?? 0;
  if (leftOut > 0) parts.push(`${rows(leftOut)} left out`);
  if (warnedRows > 0) parts.push(`${rows(warnedRows)} with a note`);
  if (amount !== null && amount !== '0') parts.push(`amounts in the source: ${money(amount)}`);
  return parts.join('; ');
}

/** The ten kinds of most of the errors, each with its first one. */
function commonestProblems({ findings }: PreviewedSheet): readonly string[] {
  const errors = findings.filter(({ first }) => isError(first.finding));
  return commonest(errors, (more) =>
    more === 1
      ? '1 more kind of error is there: the results name them all.'
      : `${more} more kinds of errors are there: the results name them all.`,
  );
}

/** The notes that a person is to see before the rows are sent, in the same way. */
function notesToSee({ toldBefore }: PreviewedSheet): readonly string[] {
  return commonest(toldBefore, (more) => `${more} more such ${more === 1 ? 'note is' : 'notes are'} in the results.`);
}

function commonest(found: readonly FindingGroup[], moreText: (more: number) => string): readonly string[] {
  const most = [...found].sort((one, other) => other.rows - one.rows);
  const lines = most.slice(0, mostProblems).map(({ rows: count, first, values }) => {
    const where = count === 1 ? `Row ${first.row}` : `Row ${first.row} and ${count - 1} more`;
    return `${where}${valuesText(values)}: ${findingText(first.finding)}`;
  });
  const more = most.length - lines.length;
  return more > 0 ? [...lines, moreText(more)] : lines;
}
