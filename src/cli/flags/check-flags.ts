/** The flags by which a person changes what comes of a check, for one load. */
import type { Argv } from 'yargs';
import { type CheckCode, type CheckLevels, changeableChecks } from '../../contract/check-codes.ts';
import { DealsheetError } from '../../errors.ts';
import { withRepeatableFlags } from './repeated-flags.ts';

export interface CheckFlags {
  readonly allow: readonly string[] | undefined;
  readonly strict: readonly string[] | undefined;
}

export function withCheckFlags<Flags>(yargs: Argv<Flags>) {
  return withRepeatableFlags(yargs, {
    allow: 'Treat what this check finds as a warning (docs/checks.md has the codes); may be repeated',
    strict: 'Treat what this check finds as an error; may be repeated',
  });
}

/** @throws DealsheetError `usage` for a code that no check has, or whose level is fixed */
export function checkLevelsOf({ allow = [], strict = [] }: CheckFlags): CheckLevels {
  return Object.fromEntries([
    ...allow.map((code) => [codeOf(code, '--allow'), 'warning'] as const),
    ...strict.map((code) => [codeOf(code, '--strict'), 'error'] as const),
  ]);
}

function codeOf(text: string, flag: string): CheckCode {
  const found = changeableChecks.find((code) => code === text);
  if (found !== undefined) return found;
  throw new DealsheetError(
    'usage',
    `${flag} ${text}: there is no such check, or its level cannot be changed.`,
    `Give one of: ${changeableChecks.join(', ')}. Nothing was sent.`,
  );
}
