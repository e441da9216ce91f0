/** Which ledger a command works with. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Argv } from 'yargs';
import { isDealsheetError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { keyPathOf } from '../../ledger/ledger-key.ts';
import type { KeptFile } from '../../report/output-guard.ts';
import { besideConfiguration, readConfiguration } from './configuration.ts';
import { defaultLedgerPath } from './folders.ts';
import { type Candidate, fromFlag, type Setting, settled, textFromVariable } from './setting.ts';

export function withLedgerFlag<Flags>(yargs: Argv<Flags>) {
  return yargs.options({ ledger: { type: 'string', requiresArg: true, describe: 'The ledger to use' } });
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

/** Opens the ledger that was chosen, and takes away what earlier commands left beside it and nothing needs any more. */
export async function openChosenLedger(flags: LedgerFlags): Promise<Ledger> {
  const { openLedger } = await import('../../ledger/open-ledger.ts');
  const ledger = openLedger(ledgerPath(flags));
  await tidyLedger(ledger);
  return ledger;
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

interface LedgerFlags {
  readonly ledger: string | undefined;
  readonly config?: string | undefined;
}

export function ledgerPath(flags: LedgerFlags): string {
  return ledgerSetting(flags).value;
}

/** The path of the ledger; one in a configuration file counts from the folder of that file. */
export function ledgerSetting(flags: LedgerFlags): Setting<string> {
  const fromHere = (candidate: Candidate<string> | null) =>
    candidate === null ? null : { ...candidate, value: resolve(candidate.value) };
  return settled(
    [
      fromHere(fromFlag('--ledger', flags.ledger)),
      fromHere(textFromVariable('LEDGER')),
      ...namedInFiles(flags.config ?? null),
    ],
    defaultLedgerPath,
  );
}

/** The ledger that a command finds when it is started in this folder with no flag and no variable. */
export function ledgerPathWithoutFlags(): string {
  return settled(namedInFiles(null), defaultLedgerPath).value;
}

function namedInFiles(config: string | null): readonly (Candidate<string> | null)[] {
  return readConfiguration(config).map(({ path, settings }) =>
    settings.ledger === undefined ? null : { value: besideConfiguration(path, settings.ledger), origin: path },
  );
}
