/** What a person is told before a load begins: what will be sent, what will not, and why. */
import type { Survey, SurveyedSheet } from '../pipeline/survey.ts';

const mostProblems = 10;

/** A few lines, each a whole sentence or a row of figures. */
export function planText(survey: Survey): string {
  const sheets = survey.sheets.filter((sheet) => sheet.rows > 0);
  const widest = Math.max(...sheets.map((sheet) => sheet.name.length));
  const lines = sheets.flatMap((sheet) => [
    `  ${sheet.name.padEnd(widest)}  ${sheetText(sheet)}`,
    ...commonestProblems(sheet).map((line) => `    ${line}`),
  ]);
  const clears = sheets.reduce((count, sheet) => count + sheet.clears, 0);
  const cleared = clears === 0 ? [] : [`${fields(clears)} of companies will be emptied (<clear>).`];
  return [...survey.notices, ...lines, ...cleared].join('\n');
}

function sheetText(sheet: SurveyedSheet): string {
  const toSend = sheet.rows - sheet.invalidRows - sheet.heldRows;
  const verb = sheet.kind.sending === 'update' ? 'to update' : 'to add';
  const parts = [`${rows(toSend)} ${verb} as ${sheet.kind.name}`];
  const isResults = sheet.ownColumns > 0;
  const held = isResults ? 'in or in doubt by this results sheet' : 'unchanged since the export';
  if (sheet.heldRows > 0) parts.push(`${rows(sheet.heldRows)} ${held}, not sent`);
  if (sheet.invalidRows > 0) parts.push(`${rows(sheet.invalidRows)} with errors, not sent`);
  if (sheet.warnedRows > 0) parts.push(`${rows(sheet.warnedRows)} with a note`);
  if (sheet.amount !== null && sheet.amount !== '0') parts.push(`amounts in the source: ${sheet.amount}`);
  return parts.join('; ');
}

/** The ten fields that have most of the errors, each with its first one. */
function commonestProblems({ problems }: SurveyedSheet): readonly string[] {
  const most = [...problems].sort(([, one], [, other]) => other.rows - one.rows);
  const lines = most.slice(0, mostProblems).map(([, { rows: count, example }]) => {
    const where = count === 1 ? `Row ${example.row}` : `Row ${example.row} and ${count - 1} more`;
    return `${where}: ${example.message}`;
  });
  const further = most.length - lines.length;
  return further > 0 ? [...lines, `${further} more fields have errors: the results name them all.`] : lines;
}

export function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function fields(count: number): string {
  return count === 1 ? '1 field' : `${count} fields`;
}
