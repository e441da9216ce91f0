/** `dealsheet probe`: sends the one row that a person chooses, or reads one record, and tells what the answer means. */
import { resolve } from 'node:path';
import { emptyCounts, rowStates } from '../../contract/row-state.ts';
import { DealsheetError, exitCodeOf } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { retryBudgetFor } from '../../load/defaults.ts';
import type { SendingResult } from '../../load/sending.ts';
import type { Preview } from '../../plan/preview.ts';
import { silentEvents } from '../../service/events.ts';
import type { Exchange } from '../../service/exchange.ts';
import type { JudgedRow } from '../../staging/staged-data.ts';
import { command } from '../command.ts';
import { positiveWholeNumber } from '../flags/positive-number.ts';
import { type ReadingFlags, readingOptions, rememberNamed, withReadingFlags } from '../flags/reading-flags.ts';
import { withAddressFlags, withPaceFlags } from '../flags/service-flags.ts';
import { duringLoad } from '../loading.ts';
import { type FoundProfile, findProfile, readConfiguration } from '../settings/configuration.ts';
import { openChosenLedger, sourcesFolderOf, withLedgerFlag } from '../settings/ledger-choice.ts';
import { typedPace } from '../settings/run-service.ts';
import { chooseService, type ServiceChoice, type ServiceFlags } from '../settings/service-choice.ts';
import { openService } from '../settings/service-session.ts';
import { openEventLog } from '../talk/event-log.ts';
import type { JsonAnswer } from '../talk/json-answer.ts';
import { tellingPauses } from '../talk/pause-talk.ts';
import { type ProbedRow, tellRead, tellRow } from '../talk/probe-talk.ts';
import { errorLines } from '../talk/problem-text.ts';
import { sendingEvents } from '../talk/sending-talk.ts';
import { needConfirmation } from '../terminal/confirmation.ts';
import { exitCodeOfRun, exitCodes } from '../terminal/exit-code.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';

export const probeCommand = command({
  examples: [
    ['dealsheet probe deals.csv --row 2 --profile live', 'send row 2 alone, and see what the answer means'],
    ['dealsheet probe deals.csv --row 2 --profile live --yes --write', 'and declare its answer in the profile'],
    ['dealsheet probe deals deal_000001 --profile live', 'read a deal: nothing is sent'],
  ],
  builder: (yargs) =>
    withLedgerFlag(withPaceFlags(withAddressFlags(withReadingFlags(yargs))))
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'The CSV or XLSX file of the row; or deals or companies, with an id behind it',
      })
      .positional('id', { type: 'string', describe: 'The id of the record to read' })
      .options({
        row: { ...positiveWholeNumber('--row'), describe: 'The row to send, by its number in the sheet' },
        sheet: { type: 'string', requiresArg: true, describe: 'The sheet of the row, where there are several' },
        write: { type: 'boolean', default: false, describe: 'Declare in the profile what the answer proposes' },
        yes: { type: 'boolean', alias: 'y', default: false, describe: 'Send without asking' },
        'sandbox-data': { type: 'string', requiresArg: true, describe: 'The records of the sandbox' },
        json: { type: 'boolean', default: false, describe: 'Print one JSON object' },
      }),
  run: async (flags, answer) => {
    const terminal = openTerminal({ quiet: false });
    const choice = chooseService(flags);
    const profile =
      choice.profile === null ? null : findProfile(readConfiguration(flags.config ?? null), choice.profile);
    if (flags.write && profile === null)
      throw new DealsheetError('usage', 'There is no profile to write into.', 'Name it with --profile NAME.');
    if (flags.id !== undefined) return readOne(flags.file, flags.id, choice, flags, terminal, answer);
    if (flags.row === undefined)
      throw new DealsheetError('usage', 'Which row is to be sent was not said.', 'Name it with --row N.');
    needConfirmation(flags, terminal);
    rememberNamed(flags, terminal);
    return sendOne({ ...flags, row: flags.row }, choice, profile, terminal, answer);
  },
});

interface ProbeFlags extends ReadingFlags, ServiceFlags {
  readonly row: number;
  readonly ledger: string | undefined;
  readonly sandboxData: string | undefined;
  readonly write: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** A load of that one row, with its intent, its run and its results: a later load of the file knows it. */
async function sendOne(
  flags: ProbeFlags,
  choice: ServiceChoice,
  profile: FoundProfile | null,
  terminal: Terminal,
  answer: JsonAnswer,
): Promise<number> {
  const { importFile } = await import('../../load/import-file.ts');
  const ledger = await openChosenLedger(flags);
  const log = await openEventLog(undefined, [], terminal);
  const open = () => openService(choice, flags.sandboxData === undefined ? null : resolve(flags.sandboxData));
  const quiet = { ...flags, quiet: true };
  try {
    return await duringLoad(
      { terminal, answer, flags: quiet, ledger, log, open },
      async ({ session, progress, signal }) => {
        let exchange: Exchange | null = null;
        let found: JudgedRow | null = null;
        const connect = (rows: number) =>
          session.connect(retryBudgetFor(rows), tellingPauses(silentEvents, terminal), (seen) => {
            exchange = seen;
          });
        const options = {
          ...readingOptions({ ...flags, sheet: undefined }, choice.contract),
          snapshotFolder: sourcesFolderOf(ledger.path),
          service: session.identity,
          serviceUrl: session.url.href,
          serviceName: { ...session.name, ...typedPace(flags) },
          again: false,
          allOrNothing: false,
          trustResults: false,
          expectations: [],
          plan: null,
          idempotencyKeys: choice.idempotencyKeys,
          limit: { sheet: flags.sheet ?? null, row: flags.row },
          batch: choice.batch,
          signal,
        };
        const talk = { ...quiet, quiet: false, limit: 1, skipLoaded: false, apply: undefined };
        const about = {
          service: session.url.href,
          ledgerIsNew: (await ledger.runs()).length === 0,
          signal,
          answer,
          progress,
        };
        const events = sendingEvents(terminal, talk, about);
        const result = await importFile(options, connect, ledger, {
          ...events,
          confirm: async (preview) => {
            found = rowNamed(preview, flags);
            return found.isValid && (await events.confirm(preview));
          },
        });
        const row = await probed(found, exchange, result, ledger);
        await tellRow(row, { terminal, answer, profile, isWritten: flags.write, service: session.url.href });
        return exitCodeOfRow(row);
      },
    );
  } finally {
    log.close();
    await ledger.close();
  }
}

/** @throws DealsheetError `usage` where there is no such row, or its sheet has to be named */
function rowNamed(preview: Preview, { sheet, row }: Pick<ProbeFlags, 'sheet' | 'row'>): JudgedRow {
  const sheets = preview.sheets.filter(({ name }) => sheet === undefined || name === sheet);
  const names = preview.sheets.map(({ name }) => name).join(', ');
  if (sheets.length !== 1)
    throw new DealsheetError(
      'usage',
      sheet === undefined ? 'The file has several sheets.' : `The file has no sheet "${sheet}" that is read.`,
      `Give --sheet with one of: ${names}. Nothing was sent.`,
    );
  const judged = preview.rowAt(sheets[0]?.name ?? '', row);
  if (judged !== null) return judged;
  throw new DealsheetError('usage', `There is no row ${row} that is read.`, 'Correct --row. Nothing was sent.');
}

async function probed(
  found: JudgedRow | null,
  exchange: Exchange | null,
  result: SendingResult | null,
  ledger: Ledger,
): Promise<ProbedRow> {
  if (found === null) throw new Error('No row was looked for.');
  const { sheet, row, kind } = found;
  const [entry = null] = result?.run == null ? [] : await ledger.entries(result.run, sheet, row - 1, 1);
  const state = entry === null ? (found.isValid ? 'not-sent' : 'invalid') : entry.state;
  return { sheet, row, kind, state, entry, exchange, result, errors: errorLines(found) };
}

/** A stop at the only row that was meant leaves nothing to go on with. */
function exitCodeOfRow({ state, result }: ProbedRow): number {
  if (state === 'invalid') return exitCodes.failedChecks;
  if (result === null) return exitCodes.usage;
  const stopReason = result.stopReason?.kind === 'undeclared-answer' ? null : result.stopReason;
  const counts = { ...emptyCounts(), rows: 1, [rowStates[state].count]: 1 };
  return exitCodeOfRun({ ...result, counts, stopReason });
}

const readable: Readonly<Record<string, 'getDeal' | 'getCompany'>> = { deals: 'getDeal', companies: 'getCompany' };

async function readOne(
  what: string,
  id: string,
  choice: ServiceChoice,
  flags: { readonly sandboxData: string | undefined },
  terminal: Terminal,
  answer: JsonAnswer,
): Promise<number> {
  const endpoint = readable[what];
  if (endpoint === undefined)
    throw new DealsheetError('usage', `Records of ${what} cannot be read.`, 'Name deals or companies, and an id.');
  const session = await openService(choice, flags.sandboxData === undefined ? null : resolve(flags.sandboxData));
  let exchange: Exchange | null = null;
  const client = session.connect(retryBudgetFor(1), tellingPauses(silentEvents, terminal), (seen) => {
    exchange = seen;
  });
  try {
    const result = await client.read(endpoint, id);
    tellRead({ id, exchange, result }, { terminal, answer, service: session.url.href });
    if (result.state === 'failed' && result.stopReason !== null) return exitCodeOf[result.stopReason.code];
    return result.state === 'found' && result.noRecord === null ? exitCodes.allIn : exitCodes.someNotIn;
  } finally {
    await client.close();
    await session.close();
  }
}
