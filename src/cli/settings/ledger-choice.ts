/** Which ledger a command works with. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DealsheetError, isDealsheetError } from '../../errors.ts';
import type { Ledger, RunRecord } from '../../ledger/ledger.ts';
import { keyPathOf } from '../../ledger/ledger-key.ts';
import { commandText, tellCommandsWith } from '../../messages/commands.ts';
import type { KeptFile } from '../../report/output-guard.ts';
import { besideConfiguration, readConfiguration } from './configuration.ts';
import { defaultLedgerPath } from './folders.ts';
import { fromFlag, fromVariable, readAs, type Setting, settled } from './setting.ts';

export interface LedgerFlags {
  readonly ledger?: string | undefined;
  readonly config?: string | undefined;
}

/** The path of the ledger; one in a configuration file counts from the folder of that file. */
export function ledgerSetting({ ledger, config }: LedgerFlags): Setting<string> {
  const named = readConfiguration(config ?? null).map(({ path, settings }) =>
    settings.ledger === undefined ? null : { value: besideConfiguration(path, settings.ledger), origin: path },
  );
  const fromHere = (path: string) => resolve(path);
  return settled(
    [readAs(fromFlag('--ledger', ledger), fromHere), readAs(fromVariable('LEDGER'), fromHere), ...named],
    defaultLedgerPath,
  );
}

export function ledgerPath(flags: LedgerFlags): string {
  return ledgerSetting(flags).value;
}

/** Private copies of the sources of a ledger's runs stand beside it: their names are those of the runs. */
export function sourcesFolderOf(ledger: string): string {
  return `${ledger}.sources`;
}

/** What belongs to a ledger, so that nothing else is written there. */
export function filesOfLedger(ledger: string): readonly KeptFile[] {
  return [
    ...['', '-wal', '-shm'].map((ending) => ({ path: `${ledger}${ending}`, what: 'the ledger' })),
    { path: keyPathOf(ledger), what: 'the key of the ledger' },
    { path: sourcesFolderOf(ledger), what: "in the ledger's private folder" },
  ];
}

/** Works with the ledger that was chosen; what earlier commands left beside it and nothing needs any more is taken away. */
export async function withLedger<Result>(
  flags: LedgerFlags,
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const { openLedger } = await import('../../ledger/open-ledger.ts');
  const ledger = openLedger(ledgerPath(flags));
  try {
    await tidyLedger(ledger);
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/**
 * The ledger, where one is there and can be read; for a command that does as well without.
 *
 * @throws DealsheetError where it was named on the command line, is there and cannot be read
 */
export async function withLedgerIfAny<Result>(
  flags: LedgerFlags,
  work: (open: () => Promise<Ledger | null>) => Promise<Result>,
): Promise<Result> {
  let ledger: Ledger | null = null;
  try {
    return await work(async () => {
      ledger = await openIfAny(flags);
      return ledger;
    });
  } finally {
    await (ledger as Ledger | null)?.close();
  }
}

async function openIfAny(flags: LedgerFlags): Promise<Ledger | null> {
  const path = ledgerPath(flags);
  if (!existsSync(path) && !existsSync(keyPathOf(path))) return null;
  const { openLedger } = await import('../../ledger/open-ledger.ts');
  try {
    return openLedger(path);
  } catch (error) {
    if (isDealsheetError(error) && flags.ledger === undefined) return null;
    throw error;
  }
}

/** After rows were settled or runs forgotten: the copies of their sources go. */
export async function tidyLedger(ledger: Ledger): Promise<void> {
  const { tidySources } = await import('../../load/kept-source.ts');
  await tidySources(sourcesFolderOf(ledger.path), ledger);
}

/**
 * Finds a run by its id; the letters at its end may be left out where that names one run alone.
 *
 * @throws DealsheetError `usage` when the ledger does not know the run
 */
export async function needRun(ledger: Ledger, typed: string): Promise<RunRecord> {
  const id = typed.trim();
  const run = await ledger.run(id);
  if (run !== null) return run;
  const [found, another] = (await ledger.runs()).filter((candidate) => candidate.id.startsWith(`${id}-`));
  if (found !== undefined && another === undefined) return found;
  throw new DealsheetError(
    'usage',
    `There is no run ${id} in the ledger ${ledger.path}.`,
    `${commandText('runs')} lists its runs. A run of another ledger is found with --ledger FILE.`,
  );
}

/** Tells the commands in messages what this one was told, and one that is typed in another shell would not know. */
export function tellFlagsOf(flags: LedgerFlags & { readonly tokenFile?: string | undefined }): void {
  const { config, tokenFile } = flags;
  tellCommandsWith(() => [
    ...ledgerFlag(flags),
    ...(config === undefined ? [] : [{ flag: '--config', path: resolve(config) }]),
    ...(tokenFile === undefined ? [] : [{ flag: '--token-file', path: resolve(tokenFile) }]),
  ]);
}

/** The ledger, where the command alone would find another one. */
function ledgerFlag(flags: LedgerFlags): readonly { readonly flag: string; readonly path: string }[] {
  try {
    const { value, origin } = ledgerSetting(flags);
    const isFound = origin === 'default' || (flags.config === undefined && !/^(--|DEALSHEET_)/.test(origin));
    return isFound ? [] : [{ flag: '--ledger', path: value }];
  } catch {
    // A configuration that cannot be read is told by the command itself, never by a message about something else.
    return [];
  }
}
