/** `dealsheet runs [RUN]`: what the ledger remembers; with a run, its rows in doubt. */
import Table from 'cli-table3';
import { rowStates } from '../../contract/row-state.ts';
import type { Ledger, RunRecord } from '../../ledger/ledger.ts';
import { command } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { ledgerPath, withLedgerFlag } from '../ledger-choice.ts';
import { needRun } from '../run-choice.ts';
import { openTerminal } from '../terminal.ts';

export const runsCommand = command({
  examples: [
    ['dealsheet runs', 'every run, the newest first'],
    ['dealsheet runs 2026-11-20-01', 'one run, with its rows in doubt'],
  ],
  builder: (yargs) =>
    withLedgerFlag(yargs)
      .positional('run', { type: 'string', describe: 'The run to show' })
      .options({ json: { type: 'boolean', default: false, describe: 'Print one JSON object' } }),
  run: async (flags) => {
    const terminal = openTerminal({ quiet: false });
    const { openLedger } = await import('../../ledger/open-ledger.ts');
    const ledger = openLedger(ledgerPath(flags));
    try {
      if (flags.run === undefined) {
        const runs = ledger.runs();
        terminal.print(flags.json ? JSON.stringify({ runs: runs.map(told) }) : listText(runs));
      } else {
        const run = needRun(ledger, flags.run);
        terminal.print(
          flags.json ? JSON.stringify({ ...told(run), inDoubt: doubtsOf(ledger, run) }) : runText(ledger, run),
        );
      }
      return exitCodes.allIn;
    } finally {
      ledger.close();
    }
  },
});

function told(run: RunRecord) {
  const { id, state, serviceUrl, sourcePath, startedAt, endedAt, counts } = run;
  return { run: id, state, service: serviceUrl, file: sourcePath, startedAt, endedAt, counts };
}

function doubtsOf(ledger: Ledger, run: RunRecord) {
  return [...ledger.entriesInState(run.id, 'in-doubt')].map(({ sheet, row, kind, message }) => ({
    row: `${sheet}!${row}`,
    kind,
    message,
  }));
}

function listText(runs: readonly RunRecord[]): string {
  if (runs.length === 0) return 'There are no runs yet.';
  const table = new Table({
    head: ['Run', 'Began', 'State', 'File', 'Service', 'Rows'],
    style: { head: [], border: [] },
  });
  for (const run of runs)
    table.push([
      run.id,
      run.startedAt.slice(0, 16).replace('T', ' '),
      run.state,
      run.sourceName,
      run.serviceUrl,
      countsText(run),
    ]);
  return table.toString();
}

function countsText(run: RunRecord): string {
  return Object.entries(run.counts)
    .map(
      ([state, count]) =>
        `${count} ${state === 'sending' ? 'sending' : rowStates[state as keyof typeof rowStates].status.toLowerCase()}`,
    )
    .join('\n');
}

function runText(ledger: Ledger, run: RunRecord): string {
  const doubts = doubtsOf(ledger, run);
  const head = [
    `Run ${run.id} (${run.state})`,
    `  File     ${run.sourcePath}`,
    `  Service  ${run.serviceUrl}`,
    `  Began    ${run.startedAt}`,
    `  Ended    ${run.endedAt ?? 'not yet'}`,
    `  Rows     ${countsText(run).replaceAll('\n', ', ')}`,
  ];
  if (doubts.length === 0) return [...head, 'No row is in doubt.'].join('\n');
  const rows = doubts.map(({ row, kind, message }) => `  ${row}  ${kind}  ${message ?? ''}`);
  const settle = `Look each up in the service, then: dealsheet resolve ${run.id} --row "${doubts[0]?.row}" --created ID, or --not-created`;
  return [...head, `In doubt:`, ...rows, settle].join('\n');
}
