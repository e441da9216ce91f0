/** The errors of exports: balances that may not be complete, months that cannot be compared, and files that cannot be written. */
import type { Catalogue, ErrorCatalogue } from './message.ts';

export const asBefore = 'An earlier file of that name is unchanged.';

/** Errors after which an earlier file is unchanged: their remedies say so. */
function noFile<const Texts extends Catalogue>(remedy: string, texts: Texts) {
  const errors = Object.entries(texts).map(([reason, what]) => [
    reason,
    [what, `${remedy} ${asBefore}`, 'output-failed'],
  ]);
  return Object.fromEntries(errors) as {
    readonly [Reason in keyof Texts]: readonly [Texts[Reason], string, 'output-failed'];
  };
}

const inProfile = (members: string) => `"contract": { "balances": { ${members} } }`;
const allAtOnce = 'ask for all at once with --query (such as --query limit=100000)';
const tryAgain = 'Try again. If it happens again, tell the people who run the service.';

const declareRecords = `Declare in the profile where the balances stand: ${inProfile('"records": "path.to.them", "shape": "list"')}. The shape is list, keyed or rows. A path leads to one list: the lists within the items of another, as in deals[].loans, cannot be joined.`;
const declarePages = `Ask for all at once with --query (such as --query limit=100000), or declare in the profile how pages are asked for: ${inProfile('"pages": { "by": "page", "parameter": "page" }')}.`;
const declareAll = `If this is all, say so in the profile: ${inProfile('"pages": { "by": "none" }')}. If there is more, declare how it is asked for, such as ${inProfile('"pages": { "by": "page", "parameter": "page" }')}; docs/profiles.md has the other ways. If what is named tells nothing of pages, such as a day, name it, or its path: ${inProfile('"unrelated": ["asOf", "message"]')}.`;
const declareTotal = `If the number counts something else, declare where the total stands, or that nothing is it: ${inProfile('"total": null')}.`;
const declareParts = `Try again, or ${allAtOnce}. If one answer always has all balances in spite of it, say so in the profile: ${inProfile('"pages": { "by": "none" }')}. If they come in parts (206), declare how to ask for them, and the total that shows which part is the last: ${inProfile('"pages": { "by": "offset" }, "total": "path.to.total"')}. If the number is no status, take its name out of "unrelated".`;
const declareId = `The list may have changed while it was read: try again, or ${allAtOnce}. If a loan has several records, name a column in which each has its own value, with --key or in the profile: ${inProfile('"key": "Column"')}.`;
const takeOut = (what: string, members: string) =>
  `Try again, or ${allAtOnce}. If the balances are all there in spite of it, take ${what} out in the profile: ${inProfile(members)}.`;

const nameOtherKey = 'With --key, name a column whose value is different on every record.';

export const exportErrors = {
  'export-interrupted': ['The export was interrupted.', `${asBefore} Run the same command again.`, 'interrupted'],
  ...noFile('Check the service address, and "paths" in the profile.', {
    'nothing-at-address': 'The service has nothing at the address of this request ({status}): {said}',
  }),
  ...noFile('Check "paths" in the profile, or ask for JSON with --query if the service can give several formats.', {
    'answer-without-json': 'The answer of the service ({status}) begins with no list or object of JSON.',
  }),
  ...noFile(tryAgain, {
    'answer-broken': 'The answer of the service is not complete JSON: {why}.',
    'balance-of-other-length': 'Row {row} of the balances has {values} values for {columns} columns.',
  }),
  'answer-unusable': [
    'The service gave no usable answer[status? ({status})]: {said}',
    `[isRefusal?Correct what the answer names, and try again.|Try again later.] ${asBefore}`,
    'output-failed',
  ],
  'answer-not-kept': [
    'The answer of the service could not be kept on this computer ({why}).',
    `Make room in {folder}, or name another folder in TMPDIR. ${asBefore}`,
    'output-failed',
  ],
  ...noFile('Make room, or name another folder.', {
    'export-unwritten': 'The file [path?{path}|on standard output] could not be written ({code}).',
  }),

  ...noFile('Correct what it says, and try again.', { 'balances-refused': 'The service said no[reason?: {reason}|.]' }),
  ...noFile(declareRecords, {
    'balances-not-found':
      'The answer of the service holds no balances[paths? at {paths}]: there is nothing to make a table of.',
    'balances-in-several-lists': 'The answer of the service holds several lists that may be the balances: {lists}.',
    'no-balance-at':
      'The service gave something as a balance that is not one: [key?the key {key}|place {place} of the list].',
  }),
  ...noFile(`Declare in the profile where they stand: ${inProfile('"header": "path.to.the.names"')}.`, {
    'balance-headers-unusable':
      'The names of the columns ([at?{at}|not declared]) are missing, blank, or there twice: a value could be lost, or stand in another column.',
  }),
  ...noFile(`Give the key a column of its own in the profile: ${inProfile('"keyColumn": "key"')}.`, {
    'balance-of-other-key': 'The balance with the key {key} has a "{column}" of its own that says something else.',
  }),
  ...noFile(`If it is a balance, take the name out in the profile: ${inProfile('"paging": […]')}.`, {
    'balance-may-be-total': 'The key {key} of an amount has a name of "paging": it may be a total and not a balance.',
  }),
  ...noFile(declareId, {
    'balance-twice':
      'The service gave two records with the {name} {id}: its balance would be counted twice, and another one may be missing.',
  }),
  ...noFile(declarePages, {
    'page-twice':
      'The service gave the same page twice ({path}): following its pages would never end, or the records would be doubled.',
    'pages-empty':
      'The service gave {pages} pages without a record, one after the other, and each says that there are more.',
    'pages-unknown':
      'The service gave {records} records and says that there are more, but not how to ask for the others: an export would be incomplete.',
  }),
  ...noFile(declareAll, {
    'pages-may-follow':
      'The service gave {records} records and more beside them: {paths}[others? and {others} more]. There may be further pages, and an export would be incomplete.',
  }),
  ...noFile(`Try again. ${declarePages} ${declareTotal}`, {
    'balances-of-other-total':
      'The service gave {records} records and says [hasTotal?that there are {total}|not how many there are] ({at}): an export could be incomplete.',
  }),
  ...noFile(`Try again, or ${allAtOnce}. ${declareTotal}`, {
    'balances-changed':
      'The list changed while it was read: the service counted {before}, and on a later page {now} ({at}). A balance may be missing or stand there twice.',
  }),
  ...noFile(takeOut('the name', '"errors": […]'), {
    'balances-with-errors':
      'The service says beside its balances that "{name}" is [value?{value}|not empty]: an export could be incomplete.',
  }),
  ...noFile(takeOut('the name (or the word that a status says)', '"incomplete": […], "further": […]'), {
    'balances-not-whole':
      'The service says beside its balances that "{name}" is [value?{value}|not empty], and not how to ask for the others: an export would be incomplete.',
  }),
  ...noFile(declareParts, {
    'balances-unfinished':
      'The service says that [name?"{name}"|the status] is {status}: the list may be a part, or not ready yet, and an export would be incomplete.',
  }),

  'previous-unreadable': [
    '{file}: [said?{said}|it cannot be read ({code}).]',
    'With --previous, give the workbook (.xlsx) that an earlier export wrote.',
    'unreadable-source',
  ],
  'previous-without-balances': [
    '{file} has no mark of an export of balances.',
    'With --previous, give the workbook (.xlsx) that an earlier export wrote. Some programs drop its mark when they save it.',
    'unreadable-source',
  ],
  'previous-rows-unclear': [
    '{file} has rows below its totals, which may be records or notes.',
    'Move the records above the totals, and delete the notes.',
  ],
  'columns-of-one-name': [
    'Two columns have the name "{label}", so {file} and this month cannot be compared.',
    'Give each column a name of its own: in that file, or with --columns.',
  ],
  'no-common-key': [
    '[named?The key "{named}" is not a column of both this month and {file}.|{file} and this month have no id column in common, so their records cannot be compared.]',
    '[both?Name the column of the key with --key, such as --key loanId. Both have: {both}.|They have no column in common: name the columns of that month with --columns. The headers of {file} are: {labels}.]',
  ],
  'month-key-blank': [
    'A record [file?in {file}|of this month] has no {label}: the months cannot be compared by it.',
    nameOtherKey,
  ],
  'month-key-twice': [
    'The {label} "{key}" is on several records in {file}: the months cannot be compared by it.',
    nameOtherKey,
  ],

  'export-format': [
    'The name of the output, [path?{path}|standard output], shows no format.',
    'Give -o a name that ends in .xlsx, .csv, .json or .ndjson, or add --format.',
  ],
  'export-template-of-deals': [
    'The service offers no way to change a deal: there is no template for that.',
    'Leave --as-template out, or export companies.',
  ],
  'export-template-format': ['A template cannot be written as {format}.', 'Write it to an .xlsx or .csv file.'],
  'column-unclear': [
    'The column "{column}" cannot be understood.',
    'Write it as path, path=Label or path=Label:look, such as --columns "loanId,company.name=Merchant,balance:money".',
  ],
  'column-look': ['"{look}" in "{column}" is not a way to show a column.', 'It is one of: {looks}.'],
  'no-group-column': ['There is no column "{column}" to group by.', 'The columns are: {columns}.'],
  'no-id-column': [
    '{file} has no [column?column "{column}"|column of {what} ids]. Its first row has: {headers}.',
    'Name the column: --ids "{file}:Column". Its header must be in the first row.',
  ],
  'id-shortened': ['{sheet}, row {row}: the id "{id}" {lost}', 'Correct the file, and try again.', 'unreadable-source'],
} as const satisfies ErrorCatalogue;
