/** `dealsheet export balances|deals|companies`: what the service has, as a workbook, CSV or JSON. */
import { resolve } from 'node:path';
import { DealsheetError } from '../../errors.ts';
import { dayOfExport, isEarlierExport } from '../../export/earlier-export.ts';
import { type ExportFormat, exportTarget } from '../../export/export-file.ts';
import { localDay } from '../../export/export-moment.ts';
import { fileAndColumn } from '../../export/id-source.ts';
import { isSandbox } from '../../ledger/sandbox-identity.ts';
import { shellWord } from '../../messages/commands.ts';
import { needWritable } from '../../report/output-guard.ts';
import { rounded, secondsSince } from '../../seconds.ts';
import { silentEvents } from '../../service/events.ts';
import { needFile } from '../../sheets/need-file.ts';
import { isSameFile } from '../../sheets/same-file.ts';
import { command } from '../command.ts';
import { listOf, outputPath, queryOf, refuseForeign, refuseRepeated, withExportFlags } from '../flags/export-flags.ts';
import { withAddressFlags, withPaceFlags } from '../flags/service-flags.ts';
import { type WantedIds, wantedIds } from '../flags/wanted-ids.ts';
import { interruption } from '../interruption.ts';
import { chooseService } from '../settings/service-choice.ts';
import { openService, retryBudgetFor, type ServiceSession } from '../settings/service-session.ts';
import { balancesText, exportProgress, recordsText } from '../talk/export-talk.ts';
import { tellingPauses } from '../talk/pause-talk.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

export const exportCommand = command({
  examples: [
    ['dealsheet export balances -o june.xlsx --profile live', 'the balance of every loan'],
    ['dealsheet export balances -o june.xlsx --previous may.xlsx --profile live', 'and what has changed since May'],
    ['dealsheet export deals --ids month.results.xlsx -o deals.xlsx --profile live', 'the deals of an import'],
    [
      'dealsheet export companies --ids ids.csv --as-template -o fix.xlsx --profile live',
      'to correct and import again',
    ],
  ],
  builder: (yargs) => withPaceFlags(withAddressFlags(withExportFlags(yargs))).hide('batch'),
  takesDashAt: ['output'],
  run: async (flags, answer) => {
    refuseRepeated(flags);
    refuseForeign(flags.what, flags);
    const terminal = openTerminal(flags);
    const day = localDay(new Date());
    const output = outputPath(flags.output ?? `${flags.what}-${day}.${flags.format ?? 'xlsx'}`);
    if (flags.json && output === null) {
      throw new DealsheetError(
        'usage',
        'The records and the JSON object about them cannot both go to standard output.',
        'Leave --json out, or name a file with -o.',
      );
    }
    if (output !== null && flags.previous !== undefined) refusePrevious(output, flags.previous);
    if (flags.previous !== undefined) await needFile(resolve(flags.previous));
    const wanted = flags.what === 'balances' ? null : await wantedIds(flags.what, { ...flags, output });
    if (output !== null) await needExportPlace(output, flags);
    if (output !== null) await askAboutOtherMonth(output, flags, terminal);
    const choice = chooseService(flags);
    const progress = exportProgress(terminal, flags);
    const interrupted = interruption(terminal, answer, {
      stopping: () => 'Stopping: a file that was there before stays as it is.',
      leaving: () => ({
        code: 'interrupted',
        message: 'Left at once.',
        remedy: 'Nothing was written. Export it again.',
      }),
    });
    const session = await openService(choice, flags.sandboxData === undefined ? null : resolve(flags.sandboxData));
    if (choice.address !== null && session.notice !== null) terminal.warn(session.notice);
    if (wanted !== null) warnOfOtherService(wanted, flags.ids, session, terminal);
    const client = session.connect(retryBudgetFor(wanted?.ids.length ?? 0), tellingPauses(silentEvents, terminal));
    interrupted.signal.addEventListener('abort', () => void client.close(), { once: true });
    terminal.say(`Asking ${session.url.href} for ${flags.what}.`);
    const began = performance.now();
    const shared = {
      output,
      format: flags.format ?? null,
      columns: listOf(flags.columns),
      mask: flags.mask === 'default',
      now: new Date(),
      contract: choice.contract,
      signal: interrupted.signal,
      standardOutput: process.stdout,
    };
    const tell = (result: object, text: (seconds: number) => string): void => {
      progress.end();
      const seconds = rounded(secondsSince(began));
      terminal.say(text(seconds));
      answer.give(JSON.stringify({ service: session.url.href, ...result, seconds }));
    };
    try {
      if (wanted === null) {
        const { exportBalances } = await import('../../export/export-balances.ts');
        const result = await exportBalances(
          { ...shared, ...balancesChoice(flags), service: session.url.href },
          client,
          progress,
        );
        tell(result, (seconds) => balancesText(result, seconds));
        return exitCodes.allIn;
      }
      const { exportRecords } = await import('../../export/export-records.ts');
      const lists = flags.lists ?? 'few';
      const result = await exportRecords(
        { ...shared, ...wanted, service: session.identity, lists, asTemplate: flags.asTemplate },
        client,
        progress,
      );
      const serviceWords = flags.asTemplate ? serviceFlags(session.name, flags) : null;
      tell(result, (seconds) => recordsText(result, { ...wanted, serviceWords }, seconds));
      return result.counts.found === result.counts.asked ? exitCodes.allIn : exitCodes.someNotIn;
    } finally {
      progress.end();
      interrupted.stop();
      await client.close();
      await session.close();
    }
  },
});

/** An id of a rehearsal, or of another service, may be that of some other record here. */
function warnOfOtherService(
  { resultsOf }: WantedIds,
  file: string | undefined,
  { url, identity }: ServiceSession,
  terminal: Terminal,
): void {
  if (file === undefined || resultsOf === null || resultsOf === url.href || isSandbox(identity)) return;
  terminal.warn(
    `${fileAndColumn(file).path} holds the results of a load into ${resultsOf}, and ${url.href} is asked: the same id may be another record there. Unless the two are one service, give --ids the results of the load into this one.`,
  );
}

/** What the import of a template has to be told, so that it goes to the service that the template came from. */
function serviceFlags(
  { profile, url, sandboxData }: ServiceSession['name'],
  { config, tokenFile }: { readonly config: string | undefined; readonly tokenFile: string | undefined },
): string {
  const words = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(url === undefined ? [] : ['--url', url]),
    ...(sandboxData === undefined ? [] : ['--sandbox', '--sandbox-data', sandboxData]),
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(tokenFile === undefined ? [] : ['--token-file', resolve(tokenFile)]),
  ];
  return words.map(shellWord).join(' ');
}

/** @throws DealsheetError `usage`: the balances of a month that is past cannot be had again */
function refusePrevious(output: string, previous: string): void {
  if (!isSameFile(resolve(previous), output)) return;
  throw new DealsheetError(
    'usage',
    `${output} is the file of --previous, and would be replaced: the balances of a month that is past cannot be had again.`,
    'Give -o another name. Nothing was asked.',
  );
}

/** An export takes the place of an earlier one; a template may hold what a person has corrected in it. */
async function needExportPlace(
  path: string,
  flags: { readonly format: ExportFormat | undefined; readonly asTemplate: boolean },
): Promise<void> {
  const { format } = exportTarget(path, flags.format ?? null);
  const isEarlier = flags.asTemplate ? () => false : () => isEarlierExport(path, format);
  await needWritable({ path, flag: '-o', kept: [], what: flags.asTemplate ? 'file' : 'earlier export', isEarlier });
}

const lengthOfMonth = 'YYYY-MM'.length;

/**
 * An export of another month may be the only one that there is of it: a person is asked, a schedule is told.
 *
 * @throws DealsheetError `usage` when the person says no
 */
async function askAboutOtherMonth(
  path: string,
  { format: named }: { readonly format: ExportFormat | undefined },
  terminal: Terminal,
): Promise<void> {
  const { format } = exportTarget(path, named ?? null);
  const day = await dayOfExport(path, format);
  if (day === null || day.slice(0, lengthOfMonth) === localDay(new Date()).slice(0, lengthOfMonth)) return;
  if (!terminal.isInteractive) terminal.say(`${path} is an export of ${day}: this one takes its place.`);
  else if (!(await terminal.ask(`${path} is an export of ${day}. Is this one to take its place?`))) {
    throw new DealsheetError('usage', `${path} stays as it is.`, 'Give -o another name. Nothing was asked.');
  }
}

function balancesChoice(flags: BalancesFlags) {
  return {
    query: queryOf(flags.query),
    lists: flags.lists ?? ('count' as const),
    groupBy: listOf(flags.groupBy),
    previous: flags.previous === undefined ? null : resolve(flags.previous),
    key: flags.key ?? null,
  };
}

interface BalancesFlags {
  readonly query: readonly string[] | undefined;
  readonly lists: 'count' | 'columns' | undefined;
  readonly groupBy: readonly string[] | undefined;
  readonly previous: string | undefined;
  readonly key: string | undefined;
}
