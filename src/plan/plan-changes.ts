/** What is no longer as it was planned, in words: as far as it can be told without anything of what a row says. */
import { isDeepStrictEqual } from 'node:util';
import { plannedWords } from './planned-words.ts';
import type { LoadPlan, SheetPlan } from './written-plan.ts';

/** Sentences; none when everything is as it was planned. */
export function planChanges(planned: LoadPlan, now: LoadPlan): readonly string[] {
  const causes = [
    ...(planned.digest === now.digest ? [] : ['The file has been changed.']),
    ...(planned.service === now.service ? [] : [`The service is ${now.address}, and was ${planned.address}.`]),
    ...(planned.ledger === now.ledger ? [] : ['It was planned with another ledger, which knows of other loads.']),
    ...optionChanges(planned.options, now.options),
  ];
  // Each of these changes what is decided on many rows: then their counts tell nothing further.
  return causes.length > 0 ? causes : [...runChange(planned, now), ...sheetChanges(planned, now)];
}

const namesOfOptions: Readonly<Record<string, string>> = {
  mapping: 'The mapping has been changed.',
  contract: 'The contract has been changed: what a profile says of the service under "contract".',
  idempotencyKeys: 'Whether the service takes an Idempotency-Key has been changed in the profile.',
};

function optionChanges(planned: LoadPlan['options'], now: LoadPlan['options']): readonly string[] {
  return Object.keys(now)
    .filter((name) => !isDeepStrictEqual(planned[name], now[name]))
    .map((name) => namesOfOptions[name] ?? `It was planned with another ${name}.`);
}

function runChange(planned: LoadPlan, now: LoadPlan): readonly string[] {
  if (planned.newestRun === now.newestRun) return [];
  return [
    planned.newestRun === null
      ? `The file has been loaded since then, with the run ${now.newestRun}.`
      : `The newest run of the file is ${now.newestRun ?? 'forgotten'}, and was ${planned.newestRun}.`,
  ];
}

function sheetChanges(planned: LoadPlan, now: LoadPlan): readonly string[] {
  const before = new Map(planned.sheets.map((sheet) => [sheet.sheet, sheet]));
  return now.sheets.flatMap((sheet) => {
    const was = before.get(sheet.sheet);
    return was === undefined ? [`${sheet.sheet} is new.`] : changesOf(was, sheet);
  });
}

type Counted = keyof typeof plannedWords | 'withErrors' | 'leftOut';

const countsInWords: Readonly<Record<Counted, string>> = { ...plannedWords, withErrors: 'wrong', leftOut: 'left out' };

function changesOf(was: SheetPlan, is: SheetPlan): readonly string[] {
  const counted = (Object.keys(countsInWords) as Counted[])
    .filter((name) => was[name] !== is[name])
    .map((name) => `${is.sheet}: ${countChange(was[name], is[name], countsInWords[name])}`);
  if (counted.length > 0) return counted;
  if (was.steps !== is.steps)
    return [`${is.sheet}: as many rows are in, in doubt or to be sent, but not the same ones.`];
  if (was.contents !== is.contents) return [contentChange(is)];
  return isDeepStrictEqual(was, is) ? [] : [`${is.sheet}: the checks find something else.`];
}

function countChange(was: number, is: number, words: string): string {
  return `${is === 1 ? '1 row is' : `${is} rows are`} ${words}, and ${was} ${was === 1 ? 'was' : 'were'}.`;
}

function contentChange({ sheet, kind }: SheetPlan): string {
  return kind === 'attachments'
    ? `${sheet}: files that rows name have been changed, or the ids of their deals.`
    : `${sheet}: ids of earlier loads that rows name have changed, or how often equal rows are in.`;
}
