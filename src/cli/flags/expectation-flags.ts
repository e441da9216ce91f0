/** The flags by which a person says what the file must hold. */
import type { Argv } from 'yargs';
import { DealsheetError } from '../../errors.ts';
import type { Expectation } from '../../plan/expectations.ts';
import { withRepeatableFlags } from './repeated-flags.ts';

export interface ExpectationFlags {
  readonly expectCount: readonly string[] | undefined;
  readonly expectTotal: readonly string[] | undefined;
}

export function withExpectationFlags<Flags>(yargs: Argv<Flags>) {
  return withRepeatableFlags(yargs, {
    'expect-count': 'The rows that the file must hold: N, or deals=N for a kind or sheet; may be repeated',
    'expect-total': 'The exact sum of its amounts: 1234.56, or deals=1234.56; may be repeated',
  });
}

/** @throws DealsheetError `usage` for what is no number */
export function expectationsOf({ expectCount = [], expectTotal = [] }: ExpectationFlags): readonly Expectation[] {
  return [
    ...expectCount.map((text) => expectation(text, 'rows', /^\d+$/, 'a whole number')),
    ...expectTotal.map((text) =>
      expectation(
        text,
        'amount',
        /^-?\d+(\.\d+)?$/,
        'a plain amount such as 1234.56, without marks of thousands and with a point before the cents',
      ),
    ),
  ];
}

function expectation(text: string, what: Expectation['what'], form: RegExp, wanted: string): Expectation {
  const [, of = null, written = ''] = /^(?:(.+)=)?([^=]*)$/.exec(text) ?? [];
  const value = written.trim();
  if (form.test(value)) return { of: of === null ? null : of.trim(), what, value };
  throw new DealsheetError(
    'usage',
    `"${text}" is not what --expect-${what === 'rows' ? 'count' : 'total'} wants: ${wanted}, with a kind or a sheet and = in front where there are several.`,
    `Give it again, as in --expect-${what === 'rows' ? 'count deals=120' : 'total deals=2450.00'}. Nothing was sent.`,
  );
}
