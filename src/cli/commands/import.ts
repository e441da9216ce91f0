/** `dealsheet import FILE`: load a file, and write what became of every row. */
import { resolve } from 'node:path';
import type { KeptFile } from '../../report/output-guard.ts';
import { command } from '../command.ts';
import { expectationsOf, withExpectationFlags } from '../flags/expectation-flags.ts';
import { positiveWholeNumber } from '../flags/positive-number.ts';
import { readingOptions, rememberNamed, withReadingFlags } from '../flags/reading-flags.ts';
import { withAddressFlags, withPaceFlags } from '../flags/service-flags.ts';
import { standardInputWord } from '../flags/standard-input-word.ts';
import { duringLoad, logged } from '../loading.ts';
import {
  filesOfLedger,
  ledgerPath,
  openChosenLedger,
  sourcesFolderOf,
  withLedgerFlag,
} from '../settings/ledger-choice.ts';
import { typedPace } from '../settings/run-service.ts';
import { chooseService } from '../settings/service-choice.ts';
import { openService } from '../settings/service-session.ts';
import { openEventLog } from '../talk/event-log.ts';
import { fileOf } from '../talk/json-answer.ts';
import { needPlanPlace, plannedCounts, tellPlan } from '../talk/plan-file.ts';
import { sendingEvents, tellEnd, tellPreview } from '../talk/sending-talk.ts';
import { needConfirmation } from '../terminal/confirmation.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const importCommand = command({
  examples: [
    ['dealsheet import month.xlsx --sandbox', 'rehearse it on this computer'],
    ['dealsheet import month.xlsx --profile live', 'load it; results in month.results.xlsx'],
    ['dealsheet import deals.csv --url https://service.example --limit 5', 'a trial of the first five rows'],
  ],
  builder: (yargs) =>
    withExpectationFlags(withLedgerFlag(withPaceFlags(withAddressFlags(withReadingFlags(yargs))))).options({
      yes: { type: 'boolean', alias: 'y', default: false, describe: 'Send without asking' },
      limit: {
        ...positiveWholeNumber('--limit'),
        describe: 'A trial: send the first N rows alone',
      },
      'all-or-nothing': { type: 'boolean', default: false, describe: 'Send nothing when a row fails the checks' },
      plan: {
        type: 'string',
        requiresArg: true,
        describe: 'Send nothing: write down here what would be done with each row',
      },
      apply: {
        type: 'string',
        requiresArg: true,
        describe: 'Load only if nothing else would be done than this plan says, and once',
      },
      again: {
        type: 'boolean',
        default: false,
        describe: 'Send every row of the file, also those that were loaded before',
      },
      'skip-loaded': {
        type: 'boolean',
        default: false,
        describe: 'Skip notes and transactions that were loaded before, without asking',
      },
      'trust-results': {
        type: 'boolean',
        default: false,
        describe: 'Believe a results sheet whose run this ledger does not know',
      },
      log: { type: 'string', requiresArg: true, describe: 'Add what happens to this file, an event a line (NDJSON)' },
      'sandbox-data': { type: 'string', requiresArg: true, describe: 'The records of the sandbox' },
      json: { type: 'boolean', default: false, describe: 'Print one JSON object with the counts' },
      quiet: { type: 'boolean', default: false, describe: 'Say nothing when all is well' },
    }),
  takesDashAt: ['file'],
  run: async (flags, answer) => {
    const terminal = openTerminal(flags);
    answer.about({ file: fileOf(flags.file) });
    const { importFile, planImport } = await import('../../load/import-file.ts');
    const { readPlan } = await import('../../plan/written-plan.ts');
    const kept = keptFiles(flags);
    if (flags.plan !== undefined) await needPlanPlace(flags.plan, [...kept, ...named(flags.log, 'the log')]);
    const log = await openEventLog(flags.log, [...kept, ...named(flags.results, 'the place of the results')], terminal);
    return logged(log, answer, async () => {
      const choice = chooseService(flags);
      if (flags.plan === undefined) needConfirmation(flags, terminal);
      const ledger = await openChosenLedger(flags);
      try {
        const open = () => openService(choice, flags.sandboxData === undefined ? null : resolve(flags.sandboxData));
        return await duringLoad({ terminal, answer, flags, ledger, log, open }, async (underWay) => {
          const { session, connect, progress, signal } = underWay;
          answer.about({ service: session.url.href });
          rememberNamed(flags, terminal);
          const options = {
            ...readingOptions(flags, choice.contract),
            snapshotFolder: sourcesFolderOf(ledger.path),
            service: session.identity,
            serviceUrl: session.url.href,
            serviceName: { ...session.name, ...typedPace(flags) },
            again: flags.again,
            allOrNothing: flags.allOrNothing,
            trustResults: flags.trustResults,
            expectations: expectationsOf(flags),
            plan: flags.apply === undefined ? null : readPlan(flags.apply),
            idempotencyKeys: choice.idempotencyKeys,
            limit: flags.limit ?? null,
            batch: choice.batch,
            signal,
          };
          const told = sendingEvents(terminal, flags, {
            service: session.url.href,
            // One that another command has made, or from which all was forgotten, knows as little.
            ledgerIsNew: ledger.isNew || (await ledger.runs()).length === 0,
            signal,
            answer,
            progress,
          });
          const events = log.watch(told);
          if (flags.plan !== undefined) {
            const { plan, preview } = await planImport(options, ledger, events);
            tellPreview(terminal, flags, preview);
            const code = tellPlan(plan, flags.plan, terminal);
            answer.giveUnsent({ service: plan.address, counts: plannedCounts(plan) });
            return code;
          }
          const result = await importFile(options, connect, ledger, events);
          const code = tellEnd(result, flags, terminal, answer);
          log.end(result, code);
          return code;
        });
      } finally {
        await ledger.close();
      }
    });
  },
});

interface FileFlags {
  readonly file: string;
  readonly ledger: string | undefined;
  readonly config: string | undefined;
}

/** What the load reads and remembers in: nothing else is written there. */
function keptFiles(flags: FileFlags): readonly KeptFile[] {
  const source = flags.file === standardInputWord ? [] : named(flags.file, 'the source');
  return [...source, ...filesOfLedger(ledgerPath(flags))];
}

function named(path: string | undefined, what: string): readonly KeptFile[] {
  return path === undefined ? [] : [{ path, what }];
}
