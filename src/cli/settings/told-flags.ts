/** What this command was told, and a command that is typed without flags, in another shell, would not know. */
import { resolve } from 'node:path';
import { tellCommandsWith } from '../../messages/commands.ts';
import { ledgerPath, ledgerPathWithoutFlags } from './ledger-choice.ts';

export interface FlagsOfCommand {
  readonly ledger?: string | undefined;
  readonly config?: string | undefined;
  readonly tokenFile?: string | undefined;
}

export function tellFlagsOf({ ledger, config, tokenFile }: FlagsOfCommand): void {
  tellCommandsWith(() => {
    const chosen = orNull(() => ledgerPath({ ledger, config }));
    const isFound = chosen === null || chosen === orNull(ledgerPathWithoutFlags);
    return [
      ...(isFound ? [] : [{ flag: '--ledger', path: chosen }]),
      ...(config === undefined ? [] : [{ flag: '--config', path: resolve(config) }]),
      ...(tokenFile === undefined ? [] : [{ flag: '--token-file', path: resolve(tokenFile) }]),
    ];
  });
}

/** A configuration that cannot be read is told by the command itself, never by a message about something else. */
function orNull(find: () => string): string | null {
  try {
    return find();
  } catch {
    return null;
  }
}
