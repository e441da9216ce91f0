/** What a person is told before a load begins: what will be sent, what will not, and why. */
import type { LoadPlan, PlannedSheet } from '../pipeline/load-plan.ts';
import type { ReadOtherwise } from '../pipeline/read-otherwise.ts';
import type { Survey, SurveyedSheet } from '../pipeline/survey.ts';

const mostProblems = 10;

/** A few lines, each a whole sentence or a row of figures, by the checks alone: what is in is not known yet. */
export function planText(survey: Survey): string {
  return linesOf(survey, foundByChecks);
}

/** The same by what is decided on each row. */
export function decidedText(survey: Survey, plan: LoadPlan): string {
  const planned = new Map(plan.sheets.map((sheet) => [sheet.sheet, sheet]));
  return linesOf(survey, (sheet) => {
    const decided = planned.get(sheet.name);
    return decided === undefined ? foundByChecks(sheet) : { toSend: decided.toSend, notSent: notSentOf([decided]) };
  });
}

/** What is not sent though its checks find no error. */
export function notSentOf(planned: readonly PlannedSheet[]): readonly string[] {
  const sum = (name: 'alreadyLoaded' | 'inDoubt' | 'waiting' | 'heldBack') =>
    planned.reduce((total, sheet) => total + sheet[name], 0);
  const counted: readonly (readonly [number, string])[] = [
    [sum('alreadyLoaded'), 'in already'],
    [sum('inDoubt'), 'in doubt'],
    [sum('waiting'), 'waiting for rows that are not in'],
    [sum('heldBack'), 'held back'],
  ];
  return counted.filter(([count]) => count > 0).map(([count, words]) => `${rows(count)} ${words}`);
}

/** That a file went in before and was read otherwise, with what would be sent twice by that; a sentence or two for each run. */
export function readOtherwiseText(found: readonly ReadOtherwise[]): string {
  return found
    .map(({ run, startedAt, before, now, rows: count, first }) => {
      const day = startedAt.slice(0, 'YYYY-MM-DD'.length);
      const are = count === 1 ? '1 row that is' : `${count} rows that are`;
      return `This very file was loaded on ${day} (run ${run}), ${before}; now it is read ${now}. By that, ${are} in by that run, or may be, would be sent a second time, from ${first.sheet} row ${first.row} on.`;
    })
    .join('\n');
}

interface RowsOfSheet {
  readonly toSend: number;
  readonly notSent: readonly string[];
}

function foundByChecks(sheet: SurveyedSheet): RowsOfSheet {
  const toSend = sheet.rows - sheet.invalidRows - sheet.heldRows;
  const isResults = sheet.ownColumns > 0;
  const held = isResults ? 'in or in doubt by this results sheet' : 'unchanged since the export';
  return { toSend, notSent: sheet.heldRows > 0 ? [`${rows(sheet.heldRows)} ${held}`] : [] };
}

function linesOf(survey: Survey, rowsOf: (sheet: SurveyedSheet) => RowsOfSheet): string {
  const sheets = survey.sheets.filter((sheet) => sheet.rows > 0);
  const widest = Math.max(...sheets.map((sheet) => sheet.name.length));
  const lines = sheets.flatMap((sheet) => [
    `  ${sheet.name.padEnd(widest)}  ${sheetText(sheet, rowsOf(sheet))}`,
    ...commonestProblems(sheet).map((line) => `    ${line}`),
  ]);
  const clears = sheets.reduce((count, sheet) => count + sheet.clears, 0);
  const cleared = clears === 0 ? [] : [`${fields(clears)} of companies will be emptied (<clear>).`];
  return [...survey.notices, ...lines, ...cleared].join('\n');
}

function sheetText(sheet: SurveyedSheet, { toSend, notSent }: RowsOfSheet): string {
  const verb = sheet.kind.sending === 'update' ? 'to update' : 'to add';
  const parts = [`${rows(toSend)} ${verb} as ${sheet.kind.name}`, ...notSent.map((words) => `${words}, not sent`)];
  if (sheet.invalidRows > 0) parts.push(`${rows(sheet.invalidRows)} with errors, not sent`);
  if (sheet.warnedRows > 0) parts.push(`${rows(sheet.warnedRows)} with a note`);
  if (sheet.amount !== null && sheet.amount !== '0') parts.push(`amounts in the source: ${sheet.amount}`);
  return parts.join('; ');
}

/** The ten reasons that most of the errors have, each with its first one. */
function commonestProblems({ reasons }: SurveyedSheet): readonly string[] {
  const most = [...reasons.values()].sort((one, other) => other.rows - one.rows);
  const lines = most.slice(0, mostProblems).map(({ rows: count, example }) => {
    const where = count === 1 ? `Row ${example.row}` : `Row ${example.row} and ${count - 1} more`;
    return `${where}: ${example.message}`;
  });
  const further = most.length - lines.length;
  return further > 0
    ? [
        ...lines,
        `${further === 1 ? '1 more kind of error is' : `${further} more kinds of errors are`} there: the results name them all.`,
      ]
    : lines;
}

export function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function fields(count: number): string {
  return count === 1 ? '1 field' : `${count} fields`;
}
