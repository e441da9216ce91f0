/** What a person reads before and after a load, and the JSON object for programs. */

import { basename } from 'node:path';
import Big from 'big.js';
import type { RecordKindName } from '../contract/record-kind.ts';
import { recordKind } from '../contract/record-kinds.ts';
import { allStates, type Counts, type RowState, rowStates } from '../contract/row-state.ts';
import type { CheckResult } from '../load/check-file.ts';
import type { SendingResult } from '../load/sending.ts';
import { cellAddress } from '../mapping/column.ts';
import { commandText } from '../messages/commands.ts';
import { type Finding, findingText, isError, levelOf } from '../messages/finding.ts';
import { messageOf, textOf } from '../messages/text.ts';
import { byHarm, type FindingGroup, harmOf, valuesText } from '../plan/finding-groups.ts';
import type { countedIn, Preview, PreviewedSheet } from '../plan/preview.ts';
import { standardInput } from '../staging/source/source-copy.ts';
import { columnName } from '../tables/excel-limits.ts';
import type { SheetTotals } from '../workbooks/summary.ts';
import { counted, duration, fileSize, listed, money, rounded, rows } from './formats.ts';

/** One line per group of findings, the most harmful first: `Deals!F12, F15, F20 and 37 more  note  Owner 1 SSN …` */
export function findingLines(groups: readonly FindingGroup[]): readonly string[] {
  return byHarm(groups).map(findingLine);
}

function findingLine({ rows, first, numbers, values }: FindingGroup): string {
  const { sheet, finding } = first;
  const more = rows === numbers.length ? '' : ` and ${rows - numbers.length} more`;
  const places = `${placesOf(sheet, finding, numbers)}${more}${valuesText(values)}`;
  return `${places}  ${levelOf(finding)}  ${findingText(finding)}`;
}

function placesOf(sheet: string, { column }: Finding, [first = 0, ...others]: readonly number[]): string {
  if (column === null) return `${sheet} ${others.length === 0 ? 'row' : 'rows'} ${[first, ...others].join(', ')}`;
  return [cellAddress(sheet, column, first), ...others.map((row) => `${columnName(column)}${row}`)].join(', ');
}

export function checkingText(checked: number): string {
  return `Checking: ${rows(checked)} so far.`;
}

/**
 * A few lines: what will be sent, what will not, and why.
 *
 * @param areFindingsShown  whether each finding was already listed at its cell
 */
export function previewText(preview: Preview, areFindingsShown = false): string {
  const sheets = preview.sheets.filter((sheet) => sheet.rows > 0);
  const widest = Math.max(...sheets.map((sheet) => sheet.name.length));
  const clears = sheets.reduce((count, one) => count + one.clears, 0);
  const { created, notCreated } = preview.settled;
  return [
    ...preview.notices,
    ...sheets.flatMap((sheet) => [
      `  ${sheet.name.padEnd(widest)}  ${sheetText(sheet)}`,
      ...(areFindingsShown ? [] : problemLines(sheet)),
    ]),
    ...(clears === 0 ? [] : [`${counted(clears, 'field')} of companies will be emptied (<clear>).`]),
    ...fileLines(preview.files),
    ...(created + notCreated === 0 ? [] : [textOf(messageOf('settled-by-cells', preview.settled))]),
  ].join('\n');
}

/** The part of the preview about possible duplicates, which even a quiet load shows; `null` when there is none. */
export function recordsTwiceText({ notices, sheets }: Preview): string | null {
  const found = sheets.flatMap(({ findings }) => findings).filter(({ first }) => harmOf(first.finding) === 'twice');
  const lines = [...notices, ...findingLines(found)];
  return lines.length === 0 ? null : lines.join('\n');
}

/** Whether each row would be sent, or needs nothing. */
export function isAllWell(counts: Counts): boolean {
  return allStates.every(
    (state) => state === 'ready' || rowStates[state].isDone || counts[rowStates[state].count] === 0,
  );
}

export function checkedText(counts: Counts): string {
  const { rows: all, leftOut, ready } = counts;
  if (isAllWell(counts)) {
    const others = leftOut === 0 ? '' : ` Left out: ${rows(leftOut)}.`;
    return `${rows(all - leftOut)} ${all - leftOut === 1 ? 'passes' : 'pass'} the checks.${others} Nothing was sent.`;
  }
  const stays = staysText((state) => (state === 'ready' ? 0 : counts[rowStates[state].count]));
  const remedy =
    counts.invalid > 0 ? 'Correct the errors and check again.' : 'The lines above say why, and what to do.';
  return `${rows(ready)} of ${all} would be sent. Not sent: ${stays}. ${remedy}`;
}

/** `32 rows (possible duplicates: 1; amounts: 1,279,192.32)` */
export function sendingText({ sheets }: Preview): string {
  const count = sheets.reduce((sum, { toSend }) => sum + toSend, 0);
  const sums = new Map<RecordKindName, Big>();
  for (const { kind, toSend, amountToSend } of sheets) {
    if (amountToSend === null || toSend === 0) continue;
    sums.set(kind.name, (sums.get(kind.name) ?? new Big(0)).plus(amountToSend));
  }
  const ofKind = (kind: RecordKindName) => (sums.size > 1 ? ` of ${recordKind(kind).sheet.toLowerCase()}` : '');
  const amounts = [...sums].map(([kind, sum]) => `${money(sum.toFixed())}${ofKind(kind)}`);
  const twice = sheets.reduce((sum, { mayBeTwice }) => sum + mayBeTwice, 0);
  const ofTwice = twice === 0 ? [] : [`possible duplicates: ${twice}`];
  const told = amounts.length === 0 ? ofTwice : [...ofTwice, `amounts: ${amounts.join(', ')}`];
  return told.length === 0 ? rows(count) : `${rows(count)} (${told.join('; ')})`;
}

function sheetText({ toSend, onceMore, staying, warnedRows, totals, kind }: PreviewedSheet): string {
  const verb = kind.sending.isUpdate ? 'to send' : 'to add';
  const stays = staysText((state) => staying[state] ?? 0);
  return [
    `${rows(toSend)} ${verb} as ${kind.sheet.toLowerCase()}`,
    ...(onceMore === 0 ? [] : [`sent once more, although in: ${rows(onceMore)}`]),
    ...(stays === '' ? [] : [`not sent: ${stays}`]),
    ...(warnedRows === 0 ? [] : [`${rows(warnedRows)} with a note`]),
    ...amountTexts(totals),
  ].join('; ');
}

/** `2 invalid, 1 held` */
function staysText(countOf: (state: RowState) => number): string {
  const states = allStates.filter((state) => countOf(state) > 0);
  const wordOf = (state: RowState) => (state === 'not-sent' ? 'held' : rowStates[state].status.toLowerCase());
  return states.map((state) => `${countOf(state)} ${wordOf(state)}`).join(', ');
}

/** `amounts in the source: 300.00 (100.00 created, 200.00 invalid)`, and what that sum does not have. */
function amountTexts({ byState, amounts }: SheetTotals): readonly string[] {
  if (amounts === null) return [];
  const { source, byState: sums, unreadable, leftOut, leftOutUnreadable } = amounts;
  const states = allStates.filter((state) => state !== 'left-out' && (byState[state] ?? 0) > 0 && sums[state] !== '0');
  const each = states.map((state) => `${money(sums[state] ?? '0')} ${rowStates[state].status.toLowerCase()}`);
  return [
    ...(source === '0'
      ? []
      : [`amounts in the source: ${money(source)}${each.length < 2 ? '' : ` (${each.join(', ')})`}`]),
    ...(unreadable === 0 ? [] : [`${rows(unreadable)} without a readable amount`]),
    ...(leftOut === '0' ? [] : [`amounts left out: ${money(leftOut)}`]),
    ...(leftOutUnreadable === 0 ? [] : [`${rows(leftOutUnreadable)} left out without a readable amount`]),
  ];
}

/** The rows and sums of each sheet. The counts above already have the rows of the only one. */
function totalsLines(totals: readonly SheetTotals[]): readonly string[] {
  return totals.flatMap((sheet) => {
    const states = allStates.filter((state) => (sheet.byState[state] ?? 0) > 0);
    const counts = states.map((state) => `${sheet.byState[state]} ${rowStates[state].status.toLowerCase()}`);
    const texts = [...(totals.length > 1 ? counts : []), ...amountTexts(sheet)];
    return texts.length === 0 ? [] : [`  ${sheet.name}: ${texts.join('; ')}`];
  });
}

const mostProblems = 10;

/** Errors, then warnings, the most harmful first. The results have those that are not listed here. */
function problemLines({ findings }: PreviewedSheet): readonly string[] {
  const errors = findings.filter(({ first }) => isError(first.finding));
  const others = findings.filter(({ first }) => !isError(first.finding));
  return [errors, others].flatMap((found) => listed(findingLines(found), mostProblems).map((line) => `    ${line}`));
}

function fileLines({ files, bytes, examples }: Preview['files']): readonly string[] {
  if (files === 0) return [];
  const lines = examples.map(({ name, size }) => `${name} (${fileSize(size)})`);
  return [
    `Files to send: ${counted(files, 'file')}, ${fileSize(bytes)}.`,
    ...listed(lines, lines.length, files).map((line) => `  ${line}`),
  ];
}

/** The `--json` object of a load, without its run and service. */
export function resultJson(result: Omit<CheckResult, 'besides' | 'preview'>): object {
  const { file, results, seconds } = result;
  return { file, results, seconds: rounded(seconds), ...countedJson(result) };
}

export function countedJson({ counts, totals, findings }: ReturnType<typeof countedIn>): object {
  return { counts, totals: totals.map(totalsJson), findings };
}

/** Uses the names of `counts` for rows and sums. */
function totalsJson({ name, kind, rows, byState, amounts }: SheetTotals): object {
  const byCount = <Value>(values: Readonly<Partial<Record<RowState, Value>>>) =>
    Object.fromEntries(Object.entries(values).map(([state, value]) => [rowStates[state as RowState].count, value]));
  const { byState: sums = {}, source, unreadable, leftOut } = amounts ?? {};
  const ofAmounts = amounts === null ? null : { source, unreadable, leftOut, byStatus: byCount(sums) };
  return { sheet: name, kind, rows, byStatus: byCount(byState), amounts: ofAmounts };
}

export function resultText(result: SendingResult, { isRehearsal }: { readonly isRehearsal: boolean }): string {
  const { run, counts, seconds, stopReason, interrupted, unwritten } = result;
  const { notSent, ready, failed } = counts;
  const lines = allStates.flatMap((state) => {
    const { count: name, status } = rowStates[state];
    const count = counts[name];
    const remedy = remedyOf(state, result, isRehearsal)?.replaceAll('\n', besideStatus) ?? null;
    return count === 0 ? [] : [`  ${String(count).padStart(7)}  ${status}${remedy === null ? '' : `. ${remedy}`}`];
  });
  return [
    run === null ? 'Nothing was sent.' : `Run ${run}: ${rows(counts.rows)} in ${duration(seconds)}.`,
    ...lines,
    ...(result.heldBack ? ['Some rows failed the checks, and --all-or-nothing holds the others back.'] : []),
    ...(interrupted && notSent + ready + failed === 0 ? [stoppedAtItsEnd] : []),
    ...(stopReason === null ? [] : [`The run stopped: ${textOf(stopReason.message)}`, textOf(stopReason.remedy)]),
    ...totalsLines(result.totals),
    ...result.notices,
    ...(result.sourceChanged ? [sourceChanged] : []),
    ...(unwritten === null ? [] : [unwritten.message, unwritten.remedy]),
  ].join('\n');
}

const sourceChanged = 'The file was changed during the load. The load used the file as it was at the start.';
const stoppedAtItsEnd = 'You stopped the load after its last row: there is nothing to resume.';
const besideStatus = `\n${' '.repeat(11)}`;

function remedyOf(state: RowState, result: SendingResult, isRehearsal: boolean): string | null {
  const { run, heldBack, file, original } = result;
  const [source, loaded] = file === standardInput ? ['the source', 'the source'] : [basename(original), basename(file)];
  const orStop = result.stopReason === null ? '' : ', or what stopped the run,';
  const isStopped = result.stopReason !== null || result.interrupted;
  switch (state) {
    case 'invalid':
    case 'rejected':
      // Results of a rehearsal mask the SSN and date of birth of each row that is in the sandbox.
      if (isRehearsal)
        return `Correct them in ${source} and rehearse again. Do not load this results file: it may have stars in place of values.`;
      return state === 'invalid'
        ? `Correct the marked cells in the results sheet, or delete rows that are no records, and import it again. Each Run cell ends with the row in ${loaded}.`
        : `The service refused these rows. Correct them as the Problems column says${orStop} and import the sheet again.`;
    case 'left-out':
      return 'Total rows, example rows, and what a profile leaves out. No sum counts them; the Problems column says how to send one.';
    case 'changed-since-loaded': {
      const line =
        'Loaded earlier, and the row has other values now: the change was not sent. The Problems column says what to do.';
      const areCompanies = result.totals.some(({ kind, byState }) => kind === 'companies' && byState[state]);
      if (run === null || !areCompanies) return line;
      return `${line}\nWrite the changes of companies as updates with: ${commandText('results', run)} --only changed`;
    }
    case 'failed':
      return 'The service did not accept these rows, even after retries. Import the file again later.';
    case 'waiting':
      return 'The record that each row belongs to is not in, or has changed. The Problems column says which row, and what to do.';
    case 'in-doubt': {
      const sent = 'Sent, but no clear answer came: they may or may not be in.';
      if (isRehearsal)
        return `${sent} To start over, rehearse ${source} with --fresh.${run === null ? '' : `\nTo practice settling them, see: ${commandText('runs', run)}`}`;
      // A load that began no run met doubts of earlier runs, and each row names its own.
      if (run === null) return `${sent} Look them up in the service, then settle them as their Problems cells say.`;
      const settle = commandText('resolve', run, '--row', 'SHEET!N');
      return `${sent} List them with: ${commandText('runs', run)}
Look each one up in the service, type what you found into its ID cell and import the sheet again, or settle it with: ${settle} --created ID, or --not-created`;
    }
    case 'not-sent':
    case 'ready':
      if (state === 'ready' && heldBack)
        return `Correct the rows that failed${isRehearsal ? ` in ${source}` : ''}: these rows are sent with them.`;
      if (isStopped) return `Import the file again, or continue with: ${commandText('resume', run ?? 'RUN')}`;
      if (state === 'ready')
        return 'Import the file again without --limit: rows that are in are not sent a second time.';
      return 'The Problems column says why, and what to do.';
    default:
      return null;
  }
}

/** Where an older file with the name of the results is now, or the other name of the results; empty when there was none. */
export function besidesText(besides: SendingResult['besides'], results: string | null): readonly string[] {
  if (besides === null || results === null) return [];
  const { path, movedTo } = besides;
  if (movedTo === null) return [`${basename(path)} is kept. The new results are ${basename(results)}.`];
  return [`${basename(path)} is kept as ${basename(movedTo)}. ${basename(results)} has the new results.`];
}
