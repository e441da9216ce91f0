/** The errors of exports: balances that may not be complete, months that cannot be compared, and files that cannot be written. */
import type { ErrorCatalogue } from './message.ts';

export const asBefore = 'An earlier file of that name is unchanged.';

/** After it, an earlier file is unchanged: the remedy says so. */
const noFile = <What extends string, Remedy extends string>(what: What, remedy: Remedy) =>
  [what, `${remedy} ${asBefore}`, 'output-failed'] as const;

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
  'nothing-at-address': noFile(
    'The service has nothing at the address of this request ({status}): {said}',
    'Check the service address, and "paths" in the profile.',
  ),
  'answer-without-json': noFile(
    'The answer of the service ({status}) begins with no list or object of JSON.',
    'Check "paths" in the profile, or ask for JSON with --query if the service can give several formats.',
  ),
  'answer-broken': noFile('The answer of the service is not complete JSON: {why}.', tryAgain),
  'balance-of-other-length': noFile('Row {row} of the balances has {values} values for {columns} columns.', tryAgain),
  'answer-unusable': noFile(
    'The service gave no usable answer[status? ({status})]: {said}',
    '[isRefusal?Correct what the answer names, and try again.|Try again later.]',
  ),
  'answer-not-kept': noFile(
    'The answer of the service could not be kept on this computer ({why}).',
    'Make room in {folder}, or name another folder in TMPDIR.',
  ),
  'export-unwritten': noFile(
    'The file [path?{path}|on standard output] could not be written ({code}).',
    'Make room, or name another folder.',
  ),

  'balances-refused': noFile('The service said no[reason?: {reason}|.]', 'Correct what it says, and try again.'),
  'balances-not-found': noFile(
    'The answer of the service holds no balances[paths? at {paths}]: there is nothing to make a table of.',
    declareRecords,
  ),
  'balances-in-several-lists': noFile(
    'The answer of the service holds several lists that may be the balances: {lists}.',
    declareRecords,
  ),
  'no-balance-at': noFile(
    'The service gave something as a balance that is not one: [key?the key {key}|place {place} of the list].',
    declareRecords,
  ),
  'balance-headers-unusable': noFile(
    'The names of the columns ([at?{at}|not declared]) are missing, blank, or there twice: a value could be lost, or stand in another column.',
    `Declare in the profile where they stand: ${inProfile('"header": "path.to.the.names"')}.`,
  ),
  'balance-of-other-key': noFile(
    'The balance with the key {key} has a "{column}" of its own that says something else.',
    `Give the key a column of its own in the profile: ${inProfile('"keyColumn": "key"')}.`,
  ),
  'balance-may-be-total': noFile(
    'The key {key} of an amount has a name of "paging": it may be a total and not a balance.',
    `If it is a balance, take the name out in the profile: ${inProfile('"paging": […]')}.`,
  ),
  'balance-twice': noFile(
    'The service gave two records with the {name} {id}: its balance would be counted twice, and another one may be missing.',
    declareId,
  ),
  'page-twice': noFile(
    'The service gave the same page twice ({path}): following its pages would never end, or the records would be doubled.',
    declarePages,
  ),
  'pages-empty': noFile(
    'The service gave {pages} pages without a record, one after the other, and each says that there are more.',
    declarePages,
  ),
  'pages-unknown': noFile(
    'The service gave {records} records and says that there are more, but not how to ask for the others: an export would be incomplete.',
    declarePages,
  ),
  'pages-may-follow': noFile(
    'The service gave {records} records and more beside them: {paths}[others? and {others} more]. There may be further pages, and an export would be incomplete.',
    declareAll,
  ),
  'balances-of-other-total': noFile(
    'The service gave {records} records and says [hasTotal?that there are {total}|not how many there are] ({at}): an export could be incomplete.',
    `Try again. ${declarePages} ${declareTotal}`,
  ),
  'balances-changed': noFile(
    'The list changed while it was read: the service counted {before}, and on a later page {now} ({at}). A balance may be missing or stand there twice.',
    `Try again, or ${allAtOnce}. ${declareTotal}`,
  ),
  'balances-with-errors': noFile(
    'The service says beside its balances that "{name}" is [value?{value}|not empty]: an export could be incomplete.',
    takeOut('the name', '"errors": […]'),
  ),
  'balances-not-whole': noFile(
    'The service says beside its balances that "{name}" is [value?{value}|not empty], and not how to ask for the others: an export would be incomplete.',
    takeOut('the name (or the word that a status says)', '"incomplete": […], "further": […]'),
  ),
  'balances-unfinished': noFile(
    'The service says that [name?"{name}"|the status] is {status}: the list may be a part, or not ready yet, and an export would be incomplete.',
    declareParts,
  ),

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
