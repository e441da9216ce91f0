/** Why balances cannot be exported completely, and what to do, by code. */

import { DealsheetError, usageError } from '../errors.ts';
import { type Parameters, type ParamsOf, textWith } from './message.ts';
import { textOf } from './text.ts';

const inProfile = (members: string) => `"contract": { "balances": { ${members} } }`;
const allAtOnce = 'ask for all at once with --query (such as --query limit=100000)';
const kinds: Readonly<Record<string, string>> = {
  link: 'a header that names the next page',
  asked: 'a parameter of the request, and exactly so many came',
  text: 'a text',
  flag: 'a flag',
  number: 'a number',
  above: 'a number above these records',
};

interface MayBeMore {
  readonly records: number;
  readonly seen: readonly { readonly kind: string; readonly path: string }[];
  readonly others: number;
}

const balanceTexts = {
  'says-no': 'The service said no[reason?: {reason}|.]',
  'no-records': 'The answer of the service {what}: there is nothing to make a table of.',
  'several-lists': 'The answer of the service holds several lists that may be the balances: {lists}.',
  'broken-record': 'The service gave something as a balance that is not one: {place}.',
  'other-row': 'Row {row} of the balances has {values} values for {columns} columns.',
  'unusable-header':
    'The names of the columns ({at}) are missing, blank, or there twice: a value could be lost, or stand in another column.',
  'other-key': 'The balance with the key {key} has a "{column}" of its own that says something else.',
  'page-twice':
    'The service gave the same page twice ({path}): following its pages would never end, or the records would be doubled.',
  'empty-pages':
    'The service gave {pages} pages without a record, one after the other, and each says that there are more.',
  'unknown-pages':
    'The service gave {records} records and says that there are more, but not how to ask for the others: an export would be incomplete.',
  /** `seen` holds paths without values, because a value could be a secret. */
  'may-be-more': ({ records, seen, others }: MayBeMore) =>
    `The service gave ${records} records and more beside them: ${seen.map(({ kind, path }) => `${path} (${kinds[kind]})`).join(', ')}${others > 0 ? ` and ${others} more` : ''}. There may be further pages, and an export would be incomplete.`,
  'other-total':
    'The service gave {records} records and says that there are {total} ({at}): an export could be incomplete.',
  changed:
    'The list changed while it was read: the service counted {before}, and on a later page {now} ({at}). A balance may be missing or stand there twice.',
  'went-wrong': 'The service says beside its balances that {told}: an export could be incomplete.',
  'not-whole':
    'The service says beside its balances that {told}, and not how to ask for the others: an export would be incomplete.',
  unfinished:
    'The service says that {told}: the list may be a part, or not ready yet, and an export would be incomplete.',
  'total-key': 'The key {key} of an amount has a name of "paging": it may be a total and not a balance.',
  'there-twice':
    'The service gave two records with the {name} {id}: its balance would be counted twice, and another one may be missing.',
  'broken-json': 'The answer of the service is not complete JSON: {why}.',
} as const;

const declareRecords = `Declare in the profile where the balances stand: ${inProfile('"records": "path.to.them", "shape": "list"')}. The shape is list, keyed or rows. A path leads to one list: the lists within the items of another, as in deals[].loans, cannot be joined.`;
const declarePages = `Ask for all at once with --query (such as --query limit=100000), or declare in the profile how pages are asked for: ${inProfile('"pages": { "by": "page", "parameter": "page" }')}.`;
const declareTotal = `Try again, or ${allAtOnce}. If the number counts something else, declare where the total stands, or that nothing is it: ${inProfile('"total": null')}.`;
const tryAgain = 'Try again. If it happens again, tell the people who run the service.';
const takeOut = (what: string, ...members: readonly string[]) =>
  `Try again, or ${allAtOnce}. If the balances are all there in spite of it, take ${what} out in the profile: ${inProfile(members.map((member) => `"${member}": […]`).join(', '))}.`;

const balanceRemedies: Readonly<Record<keyof typeof balanceTexts, string>> = {
  'says-no': 'Nothing was exported.',
  'no-records': declareRecords,
  'several-lists': declareRecords,
  'broken-record': declareRecords,
  'other-row': tryAgain,
  'unusable-header': `Declare in the profile where they stand: ${inProfile('"header": "path.to.the.names"')}.`,
  'other-key': `Give the key a column of its own in the profile: ${inProfile('"keyColumn": "key"')}.`,
  'page-twice': declarePages,
  'empty-pages': declarePages,
  'unknown-pages': declarePages,
  'may-be-more': `If this is all, say so in the profile: ${inProfile('"pages": { "by": "none" }')}. If there is more, declare how it is asked for, such as ${inProfile('"pages": { "by": "page", "parameter": "page" }')}; docs/profiles.md has the other ways. If what is named tells nothing of pages, such as a day, name it, or its path: ${inProfile('"unrelated": ["asOf", "message"]')}.`,
  'other-total': declareTotal,
  changed: declareTotal,
  'went-wrong': takeOut('the name', 'errors'),
  'not-whole': takeOut('the name (or the word that a status says)', 'incomplete', 'further'),
  unfinished: `Try again, or ${allAtOnce}. If one answer always has all balances in spite of it, say so in the profile: ${inProfile('"pages": { "by": "none" }')}. If they come in parts (206), declare how to ask for them, and the total that shows which part is the last: ${inProfile('"pages": { "by": "offset" }, "total": "path.to.total"')}. If the number is no status, take its name out of "unrelated".`,
  'total-key': `If it is a balance, take the name out in the profile: ${inProfile('"paging": […]')}.`,
  'there-twice': `The list may have changed while it was read: try again, or ${allAtOnce}. If a loan has several records, name a column in which each has its own value, with --key or in the profile: ${inProfile('"key": "Column"')}.`,
  'broken-json': tryAgain,
};

export const asBefore = 'An earlier file of that name is unchanged.';

/** Balances that cannot be exported completely, by the code of the text. */
export function balanceFault<Code extends keyof typeof balanceTexts>(
  code: Code,
  params: ParamsOf<(typeof balanceTexts)[Code]>,
): DealsheetError {
  return noFile(textWith(balanceTexts[code], params as Parameters, textOf), balanceRemedies[code]);
}

export function noFile(message: string, remedy: string, cause?: unknown): DealsheetError {
  return new DealsheetError('output-failed', message, `${remedy} ${asBefore}`, { cause });
}

/** Why last month cannot be compared with this one, and what to do. */
const monthTexts = {
  'unclear-rows': [
    'It cannot be told which rows below the totals of {file} are records.',
    'Move the records above the totals, or delete the rows of totals and of notes.',
  ],
  'two-columns': [
    'Two columns have the name "{label}", so {file} and this month cannot be compared.',
    'Give each column a name of its own: in that file, or with --columns.',
  ],
  'no-common-key': [
    '[named?The key "{named}" is not a column of both this month and {file}.|{file} and this month have no id column in common, so their records cannot be compared.]',
    '[both?Name the column of the key with --key, such as --key loanId. Both have: {both}.|They have no column in common: name the columns of that month with --columns. The headers of {file} are: {labels}.]',
  ],
  'no-key': [
    '[key?The {label} "{key}" is on several records {where}|A record {where} has no {label}]: the months cannot be compared by it.',
    'With --key, name a column whose value is different on every record.',
  ],
} as const;

/** Last month's file is no export of balances. */
export function noExport(message: string, cause?: unknown): DealsheetError {
  const remedy = 'Give the file that an earlier export of balances has written as a workbook (.xlsx), with --previous.';
  return new DealsheetError('unreadable-source', message, remedy, { cause });
}

export function monthFault(code: keyof typeof monthTexts, params: Parameters): DealsheetError {
  const [message, remedy] = monthTexts[code];
  return usageError(textWith(message, params, textOf), textWith(remedy, params, textOf));
}
