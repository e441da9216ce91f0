/** Which ledger a command works with. */
import { resolve } from 'node:path';
import type { Argv } from 'yargs';
import { fromEnvironment } from './environment.ts';
import { defaultLedgerPath } from './folders.ts';

export function withLedgerFlag<Flags>(yargs: Argv<Flags>) {
  return yargs.options({ ledger: { type: 'string', requiresArg: true, describe: 'The ledger to use' } });
}

/** Private copies of the sources of a ledger's runs stand beside it: their names are those of the runs. */
export function sourcesFolderOf(ledger: string): string {
  return `${ledger}.sources`;
}

export function ledgerPath(flags: { readonly ledger: string | undefined }): string {
  return resolve(flags.ledger ?? fromEnvironment('LEDGER') ?? defaultLedgerPath);
}
