/** The runs of a ledger as a table. In a narrow window the service gives way first, which a run shows by itself, then the file's name. */
import Table from 'cli-table3';
import { displayWidth, shortenedTo } from '../terminal/display-width.ts';

export interface ListedRun {
  readonly id: string;
  readonly began: string;
  readonly state: string;
  readonly file: string;
  readonly service: string;
  /** A line for each count. */
  readonly rows: string;
}

/** A name in fewer columns tells nothing. */
const narrowestFile = 12;

/** @param columns  of the window, or `null` where there is none */
export function runsTable(runs: readonly ListedRun[], columns: number | null): string {
  const whole = tableOf(runs, true);
  if (columns === null || widthOf(whole) <= columns) return whole;
  const narrower = tableOf(runs, false);
  const surplus = widthOf(narrower) - columns;
  if (surplus <= 0) return narrower;
  const room = Math.max(narrowestFile, widestFile(runs) - surplus);
  return tableOf(
    runs.map((run) => ({ ...run, file: shortenedTo(room, run.file) })),
    false,
  );
}

function tableOf(runs: readonly ListedRun[], hasService: boolean): string {
  const table = new Table({
    head: ['Run', 'Began (UTC)', 'State', 'File', ...(hasService ? ['Service'] : []), 'Rows'],
    style: { head: [], border: [] },
  });
  for (const { id, began, state, file, service, rows } of runs)
    table.push([id, began, state, file, ...(hasService ? [service] : []), rows]);
  return table.toString();
}

/** Its first line is a border, with a sign in each column. */
function widthOf(table: string): number {
  return table.indexOf('\n');
}

function widestFile(runs: readonly ListedRun[]): number {
  return Math.max(...runs.map(({ file }) => displayWidth(file)));
}
