/** `dealsheet resume [RUN]`: continues a run that was stopped. */

import { type DealsheetError, usageError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { commandText } from '../../messages/commands.ts';
import { areResultsThere } from '../../report/results-file.ts';
import { addressFlags, paceFlags } from '../../settings/flags.ts';
import { filesOfLedger, needRun, withLedger } from '../../settings/ledger-choice.ts';
import { flagsOfRun, resumingOptions, serviceOfRun } from '../../settings/service.ts';
import { command, maybePlace } from '../command.ts';
import { rows } from '../formats.ts';
import { duringLoad } from '../load-command.ts';
import { sendingEvents, tellEnd } from '../load-dialog.ts';
import { openListeners } from '../log-and-notify.ts';

export const resumeCommand = command({
  examples: [['dealsheet resume', 'the newest run that has not ended, into its own service']],
  places: { run: maybePlace('The run; without it, the newest one that has not ended') },
  flags: [...addressFlags, ...paceFlags, 'yes', 'results', 'ledger', 'log', 'notify', 'json', 'quiet'],
  run: async (flags, terminal, answer) => {
    const { resumeRun, runToGoOnWith } = await import('../../load/resume-run.ts');
    return withLedger(flags, async (ledger) => {
      const { run: id } = flags;
      const run = id === undefined ? await runToGoOnWith(ledger, null) : await needRun(ledger, id);
      if (run === null) throw await nothingToResume(ledger);
      answer.about({ run: run.id, service: run.serviceUrl, file: run.sourcePath });
      const kept = [{ path: run.sourcePath, what: 'the source' }, ...filesOfLedger(ledger.files)];
      const about = { name: run.sourceName, kept };
      const listeners = await openListeners(flagsOfRun(run, flags), about, terminal, answer);
      const came = await listeners.during(async () => {
        const { open } = serviceOfRun(run, flags);
        const said = { ...flags, skipLoaded: true };
        return duringLoad({ terminal, answer, ledger, listeners, flags: said, open }, async (dialog) => {
          const options = resumingOptions(flags, ledger, dialog.session, dialog.signal);
          const result = await resumeRun(run, options, dialog.connect, ledger, listeners.watch(sendingEvents(dialog)));
          return { code: tellEnd(dialog, result), result };
        });
      });
      return came.code;
    });
  },
});

async function nothingToResume(ledger: Ledger): Promise<DealsheetError> {
  const nothing = 'There is nothing to resume: every run has ended, or all of its rows are settled.';
  const [last] = await ledger.runs();
  const doubts = last === undefined ? 0 : ((await ledger.counts(last.id))['in-doubt'] ?? 0);
  if (last !== undefined && doubts > 0)
    return usageError(
      `There is nothing to resume. In the newest run, ${last.id}, ${rows(doubts)} may or may not be in.`,
      `Look them up, then settle them: ${commandText('runs', last.id)}`,
    );
  const { hasOpenRows } = await import('../../load/run-source.ts');
  if (last !== undefined && (await hasOpenRows(ledger, last)))
    return usageError(nothing, `Rows of ${last.id} that are not in go out with: ${commandText('resume', last.id)}`);
  if (last === undefined || areResultsThere(last)) return usageError(nothing, `${commandText('runs')} lists the runs.`);
  const lost = `${nothing} The results of ${last.id} are not where it wrote them, at ${last.resultsPath}.`;
  return usageError(lost, `If they are lost, write them again with: ${commandText('results', last.id)}`);
}
