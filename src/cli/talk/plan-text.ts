/** What a person is told before a load begins: what will be sent, what will not, and why. */

import Big from 'big.js';
import type { RecordKindName } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { dayOf } from '../../ledger/moments.ts';
import type { FindingGroup } from '../../mapping/finding-groups.ts';
import { commandText } from '../../messages/commands.ts';
import { findingText, isError } from '../../messages/finding.ts';
import type { CheckResult } from '../../pipeline/check-file.ts';
import type { ReadOtherwise } from '../../pipeline/decisions/read-otherwise.ts';
import type { ForeseenSheet, Foresight } from '../../pipeline/foresight/foresight.ts';
import { plannedWords } from '../../pipeline/foresight/planned-words.ts';
import type { HolderOfRef, RefsFound } from '../../pipeline/foresight/refs-in-use.ts';
import { type FilesFound, NamedFiles } from '../../pipeline/survey/named-files.ts';
import type { RepeatsFound } from '../../pipeline/survey/repeats.ts';
import type { Survey, SurveyedSheet } from '../../pipeline/survey/survey.ts';
import { shortenedTo } from '../terminal/display-width.ts';
import { counted, fileSize, money, rows } from '../terminal/figures.ts';

const mostProblems = 10;

/** While the rows are checked. */
export function checkingText(checked: number): string {
  return `Checking: ${rows(checked)} so far.`;
}

/**
 * A few lines, each a whole sentence or a row of figures, by the checks alone: what is in is not known yet.
 * @param areProblemsTold  whether each problem was told already, at its cell
 */
export function planText(survey: Survey, waiting: CheckResult['waiting'], areProblemsTold: boolean): string {
  const text = linesOf(survey, (sheet) => foundByChecks(sheet, waiting.get(sheet.name) ?? 0), areProblemsTold);
  return [text, ...fileLines(NamedFiles.ofAll(survey.sheets))].join('\n');
}

/** How many rows a load would not send, or that all pass. */
export function checkedText({ counts, waiting: bySheet }: Pick<CheckResult, 'counts' | 'waiting'>): string {
  const { rows: all, invalid, leftOut } = counts;
  const waiting = [...bySheet.values()].reduce((sum, count) => sum + count, 0);
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

/** The same by what is foreseen for each row, and the rows that would go out though an earlier one says the same. */
export function foreseenText(survey: Survey, { sheets, repeats, files, refsInUse, settled }: Foresight): string {
  const foreseen = new Map(sheets.map((sheet) => [sheet.sheet, sheet]));
  const text = linesOf(survey, (sheet) => {
    const found = foreseen.get(sheet.name);
    if (found === undefined) return foundByChecks(sheet, 0);
    return { toSend: found.toSend, notSent: notSentOf(found, sheet), clears: found.clears };
  });
  return [
    text,
    ...fileLines(files),
    ...settledLines(settled),
    ...linesOfRecordsTwice({ sheets, repeats, refsInUse }),
  ].join('\n');
}

/** Whoever says yes knows which files leave this computer. */
function fileLines({ files, bytes, examples }: FilesFound): readonly string[] {
  if (files === 0) return [];
  const more = files - examples.length;
  return [
    `Files to send: ${counted(files, 'file')}, ${fileSize(bytes)}.`,
    ...examples.map(({ name, size }) => `  ${name} (${fileSize(size)})`),
    ...(more > 0 ? [`  and ${more} more.`] : []),
  ];
}

/** What is said of doubts by the ID cells: a wrong word there makes a record twice, or none. */
function settledLines({ created, notCreated }: Foresight['settled']): readonly string[] {
  const parts = [
    ...(created > 0 ? [`${rows(created)} as created`] : []),
    ...(notCreated > 0 ? [`${rows(notCreated)} as not created`] : []),
  ];
  if (parts.length === 0) return [];
  const [cells, are] = created + notCreated === 1 ? ['its ID cell', 'is'] : ['their ID cells', 'are'];
  return [`By ${cells}, ${rows(created + notCreated)} in doubt ${are} settled: ${parts.join(', ')}.`];
}

/** Of all that is foreseen, what may make a record twice: a quiet load says that too. `null` when there is nothing. */
export function recordsTwiceText(foresight: Foresight): string | null {
  const lines = [...foresight.elsewhere, ...linesOfRecordsTwice(foresight)];
  return lines.length === 0 ? null : lines.join('\n');
}

function linesOfRecordsTwice({
  sheets,
  repeats,
  refsInUse,
}: Pick<Foresight, 'sheets' | 'repeats' | 'refsInUse'>): readonly string[] {
  const isOfSeveralSheets = sheets.length > 1;
  return [...repeatLines(repeats, isOfSeveralSheets), ...refLines(refsInUse, isOfSeveralSheets)];
}

/** What is not sent though its checks find no error. */
function notSentOf(found: ForeseenSheet, { heldRows, ownColumns }: SurveyedSheet): readonly string[] {
  const unchanged = ownColumns === 0 ? heldRows : 0;
  const counted: readonly (readonly [number, string])[] = [
    [unchanged, 'unchanged since the export'],
    [found.alreadyLoaded - unchanged, plannedWords.alreadyLoaded],
    [found.inDoubt, plannedWords.inDoubt],
    [found.refused, 'refused by the service'],
    [found.waiting, plannedWords.waiting],
    [found.heldBack, plannedWords.heldBack],
  ];
  return counted.filter(([count]) => count > 0).map(([count, words]) => `${rows(count)} ${words}`);
}

/** That a file went in before and was read otherwise, with what would be sent twice by that; a sentence or two for each run. */
export function readOtherwiseText(found: readonly ReadOtherwise[]): string {
  return found
    .map(({ run, startedAt, before, now, rows: count, first }) => {
      const day = dayOf(startedAt);
      const are = count === 1 ? '1 row that is' : `${count} rows that are`;
      return `This very file was loaded on ${day} (run ${run}), ${before}; now it is read ${now}. By that, ${are} in by that run, or may be, would be sent a second time, from ${first.sheet} row ${first.row} on.`;
    })
    .join('\n');
}

function repeatLines(repeats: RepeatsFound, isOfSeveralSheets: boolean): readonly string[] {
  const lines = repeats.examples.map(({ sheet, row, twin, isEarlierLoad, amount }) => {
    const place = isOfSeveralSheets ? `${sheet} row ${row}` : `Row ${row}`;
    const worth = amount === null ? '' : ` (${money(new Big(amount).toFixed())})`;
    return isEarlierLoad
      ? `${place} says the same as ${twin}${worth}, and stands beside it here: it is sent as one more. Take it out if it is there by mistake.`
      : `${place} says the same as ${twin}${worth}: both are sent. Take one out if it is there by mistake.`;
  });
  const more = repeats.rows - lines.length;
  return more > 0 ? [...lines, `${rows(more)} more ${more === 1 ? 'says' : 'say'} the same as an earlier one.`] : lines;
}

function refLines({ rows: count, examples }: RefsFound, isOfSeveralSheets: boolean): readonly string[] {
  const lines = examples.map(({ sheet, row, ref, of: holder }) => {
    const place = isOfSeveralSheets ? `${sheet} row ${row}` : `Row ${row}`;
    return `${place} has the Ref ${ref} of ${holderText(holder)}`;
  });
  const more = count - lines.length;
  return more > 0
    ? [...lines, `${rows(more)} more ${more === 1 ? 'has' : 'have'} the Ref of a record that is in, or may be.`]
    : lines;
}

function holderText(holder: HolderOfRef): string {
  const day = dayOf(holder.startedAt);
  if (holder.kind === 'record')
    return `${holder.id}, in since ${day}, and says something else: it is sent as a new record, and from then on other files can name neither of the two by this Ref. If it is the same one, take the row out, and change ${holder.id} in the service.`;
  const { run, sheet, row } = holder.row;
  return `${sheet} row ${row}, in doubt since ${day} (run ${run}), and says something else: it is sent as a new record. If it is the same one, take the row out: the service may have it already. Look that one up there first; ${commandText('runs', run)} lists it.`;
}

/** `32 rows (amounts: 1,279,192.32)` */
export function sendingText(survey: Survey, { sheets }: Foresight): string {
  const count = sheets.reduce((sum, { toSend }) => sum + toSend, 0);
  const sums = sumsByKind(survey, sheets);
  const amounts = sums.map(
    ([kind, sum]) => `${money(sum)}${sums.length > 1 ? ` of ${recordKind(kind).sheet.toLowerCase()}` : ''}`,
  );
  return amounts.length === 0 ? rows(count) : `${rows(count)} (amounts: ${amounts.join(', ')})`;
}

/** Of each kind that has amounts and rows to send. */
function sumsByKind(survey: Survey, sheets: readonly ForeseenSheet[]): readonly (readonly [RecordKindName, string])[] {
  const sums = new Map<RecordKindName, Big>();
  for (const { sheet, toSend, amountToSend } of sheets) {
    const kind = survey.sheets.find(({ name }) => name === sheet)?.kind.name;
    if (kind === undefined || amountToSend === null || toSend === 0) continue;
    sums.set(kind, (sums.get(kind) ?? new Big(0)).plus(amountToSend));
  }
  return [...sums].map(([kind, sum]) => [kind, sum.toFixed()]);
}

interface RowsOfSheet {
  readonly toSend: number;
  readonly notSent: readonly string[];
  readonly clears: number;
}

/** @param waiting  rows that pass the checks and wait for others that do not */
function foundByChecks(sheet: SurveyedSheet, waiting: number): RowsOfSheet {
  const toSend = sheet.rows - sheet.invalidRows - sheet.leftOutRows - sheet.heldRows - waiting;
  const held = sheet.ownColumns > 0 ? 'whose Status says that they are in or in doubt' : 'unchanged since the export';
  const notSent = [
    ...(sheet.heldRows > 0 ? [`${rows(sheet.heldRows)} ${held}`] : []),
    ...(waiting > 0 ? [`${rows(waiting)} ${plannedWords.waiting}`] : []),
  ];
  return { toSend, notSent, clears: sheet.clears };
}

function linesOf(survey: Survey, rowsOf: (sheet: SurveyedSheet) => RowsOfSheet, areProblemsTold = false): string {
  const sheets = survey.sheets.filter((sheet) => sheet.rows > 0);
  const widest = Math.max(...sheets.map((sheet) => sheet.name.length));
  const found = new Map(sheets.map((sheet) => [sheet, rowsOf(sheet)]));
  const lines = [...found].flatMap(([sheet, rowsFound]) => [
    `  ${sheet.name.padEnd(widest)}  ${sheetText(sheet, rowsFound)}`,
    ...(areProblemsTold ? [] : [...commonestProblems(sheet), ...notesToSee(sheet)]).map((line) => `    ${line}`),
  ]);
  const clears = [...found.values()].reduce((count, one) => count + one.clears, 0);
  const cleared = clears === 0 ? [] : [`${counted(clears, 'field')} of companies will be emptied (<clear>).`];
  return [...survey.notices, ...lines, ...cleared].join('\n');
}

function sheetText(sheet: SurveyedSheet, { toSend, notSent }: RowsOfSheet): string {
  const verb = sheet.kind.sending.isUpdate ? 'to send' : 'to add';
  const parts = [
    `${rows(toSend)} ${verb} as ${sheet.kind.sheet.toLowerCase()}`,
    ...notSent.map((words) => `${words}, not sent`),
  ];
  if (sheet.leftOutRows > 0) parts.push(`${rows(sheet.leftOutRows)} left out`);
  if (sheet.invalidRows > 0) parts.push(`${rows(sheet.invalidRows)} with errors, not sent`);
  if (sheet.warnedRows > 0) parts.push(`${rows(sheet.warnedRows)} with a note`);
  if (sheet.amount !== null && sheet.amount !== '0') parts.push(`amounts in the source: ${money(sheet.amount)}`);
  return parts.join('; ');
}

/** The ten kinds of most of the errors, each with its first one. */
function commonestProblems({ findings }: SurveyedSheet): readonly string[] {
  const errors = findings.filter(({ first }) => isError(first.finding));
  return commonest(errors, (more) =>
    more === 1
      ? '1 more kind of error is there: the results name them all.'
      : `${more} more kinds of errors are there: the results name them all.`,
  );
}

/** The notes that a person is to see before the rows are sent, in the same way. */
function notesToSee({ toldBefore }: SurveyedSheet): readonly string[] {
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

const mostValues = 3;
const widestValue = 30;

/** The message of the first says nothing of what the others are about. */
function valuesText(values: readonly string[]): string {
  if (values.length < 2) return '';
  const told = values.slice(0, mostValues).map((value) => `"${shortenedTo(widestValue, value)}"`);
  return ` (${told.join(', ')}${values.length > mostValues ? ', …' : ''})`;
}
