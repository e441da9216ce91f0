/** `dealsheet resume [RUN]`: continues a run that was stopped. */

import type { DealsheetError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { canGoOn } from '../../ledger/run-records.ts';
import { errorOf } from '../../messages/text.ts';
import { addressFlags, paceFlags } from '../../settings/flags.ts';
import { filesOfLedger, needRun, withLedger } from '../../settings/ledger-choice.ts';
import { flagsOfRun, resumingOptions, serviceOfRun } from '../../settings/service.ts';
import { command, optionalPositional } from '../command.ts';
import { duringLoad, sendingEvents, tellEnd } from '../load-dialog.ts';
import { openListeners } from '../log-and-notify.ts';

export const resumeCommand = command({
  examples: [['dealsheet resume', 'the newest run that has not ended, into its own service']],
  positionals: { run: optionalPositional('The run; without it, the newest one that has not ended') },
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
        const choice = serviceOfRun(run, flags);
        const asked = { terminal, answer, ledger, flags: { ...flags, skipLoaded: true }, choice, log: listeners.log };
        return duringLoad(asked, async (dialog) => {
          const options = resumingOptions(flags, ledger, dialog.session, dialog.signal);
          const result = await resumeRun(run, options, dialog.connect, ledger, sendingEvents(dialog));
          return { code: tellEnd(dialog, result), result };
        });
      });
      return came.code;
    });
  },
});

/** Parents may have come in since the newest run ended. */
async function nothingToResume(ledger: Ledger): Promise<DealsheetError> {
  const [newest] = await ledger.runs();
  const goesOn = newest !== undefined && canGoOn(await ledger.counts(newest.id));
  return errorOf('nothing-to-resume', { newest: goesOn ? newest.id : null });
}
