/** `dealsheet resume [RUN]`: go on with a run that was stopped. */

import { DealsheetError } from '../../errors.ts';
import type { Ledger, RunCounts, RunRecord } from '../../ledger/ledger.ts';
import { isSandbox } from '../../ledger/sandbox-identity.ts';
import { commandText } from '../../messages/commands.ts';
import { areResultsThere } from '../../report/unwritten-results.ts';
import { command } from '../command.ts';
import { needRun } from '../flags/run-choice.ts';
import { withAddressFlags, withPaceFlags } from '../flags/service-flags.ts';
import { duringLoad, logged } from '../loading.ts';
import { filesOfLedger, openChosenLedger, sourcesFolderOf, withLedgerFlag } from '../settings/ledger-choice.ts';
import { privatePathsOf } from '../settings/private-paths.ts';
import { serviceOfRun } from '../settings/run-service.ts';
import { openEventLog } from '../talk/event-log.ts';
import { sendingEvents, tellEnd } from '../talk/sending-talk.ts';
import { needConfirmation } from '../terminal/confirmation.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const resumeCommand = command({
  examples: [['dealsheet resume', 'the newest run that has not ended, into its own service']],
  builder: (yargs) =>
    withLedgerFlag(withPaceFlags(withAddressFlags(yargs)))
      .positional('run', { type: 'string', describe: 'The run; without it, the newest one that has not ended' })
      .options({
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Send without asking' },
        results: { type: 'string', requiresArg: true, describe: 'Where the results go (.xlsx or .csv)' },
        log: { type: 'string', requiresArg: true, describe: 'Add what happens to this file, an event a line (NDJSON)' },
        json: { type: 'boolean', default: false, describe: 'Print one JSON object with the counts' },
        quiet: { type: 'boolean', default: false, describe: 'Say nothing when all is well' },
      }),
  run: async (flags, answer) => {
    const terminal = openTerminal(flags);
    const { resumeRun } = await import('../../load/resume-run.ts');
    const ledger = await openChosenLedger(flags);
    try {
      const run = await runToResume(ledger, flags.run);
      answer.about({ run: run.id, service: run.serviceUrl, file: run.sourcePath });
      needConfirmation(flags, terminal);
      const kept = [{ path: run.sourcePath, what: 'the source' }, ...filesOfLedger(ledger.path)];
      const log = await openEventLog(flags.log, kept, terminal);
      return await logged(log, answer, () => {
        const { choice, open } = serviceOfRun(run, flags);
        return duringLoad({ terminal, answer, flags, ledger, log, open }, async (underWay) => {
          const { session, connect, progress, signal } = underWay;
          const options = {
            service: session.identity,
            serviceUrl: session.url.href,
            contract: choice.contract,
            idempotencyKeys: choice.idempotencyKeys,
            resultsPath: flags.results ?? null,
            snapshotFolder: sourcesFolderOf(ledger.path),
            privatePaths: privatePathsOf(flags),
            signal,
          };
          const isRehearsal = isSandbox(run.service);
          const talk = { ...flags, limit: undefined, sandbox: isRehearsal, skipLoaded: true, apply: undefined };
          const about = { service: session.url.href, ledgerIsNew: false, signal, answer, progress };
          const events = log.watch(sendingEvents(terminal, talk, about));
          const result = await resumeRun(run, options, connect, ledger, events);
          const code = tellEnd(result, talk, terminal, answer);
          log.end(result, code);
          return code;
        });
      });
    } finally {
      await ledger.close();
    }
  },
});

async function runToResume(ledger: Ledger, id: string | undefined): Promise<RunRecord> {
  if (id !== undefined) return needRun(ledger, id);
  const runs = await ledger.runs();
  const unended = runs.filter(({ state }) => state !== 'ended');
  const newest = (await firstWith(unsettled, ledger, unended)) ?? unended.find(({ state }) => state === 'running');
  if (newest !== undefined) return newest;
  const nothing = 'Every run is ended, or all of its rows are settled: there is nothing to resume.';
  const open = await firstWith(openStates, ledger, runs);
  if (open !== null)
    throw new DealsheetError(
      'usage',
      `${nothing} But not all rows of ${open.id} are in.`,
      `Send those that are not with: ${commandText('resume', open.id)}`,
    );
  const [last] = runs;
  if (last === undefined || areResultsThere(last))
    throw new DealsheetError('usage', nothing, `${commandText('runs')} lists the runs.`);
  throw new DealsheetError(
    'usage',
    `${nothing} But the results of ${last.id} are not at ${last.resultsPath}.`,
    `Write them with: ${commandText('results', last.id)}`,
  );
}

const openStates: readonly (keyof RunCounts)[] = ['failed', 'not-sent', 'waiting', 'ready'];
const unsettled: readonly (keyof RunCounts)[] = [...openStates, 'sending', 'in-doubt'];

async function firstWith(
  states: readonly (keyof RunCounts)[],
  ledger: Ledger,
  runs: readonly RunRecord[],
): Promise<RunRecord | null> {
  for (const run of runs) {
    const counts = await ledger.counts(run.id);
    if (states.some((state) => counts[state] !== undefined)) return run;
  }
  return null;
}
