/** What a person is told of a file, a mapping, a load or an export as a whole, and what of them does not fit. */
import type { Message, TextMaker } from './message.ts';
import { nameCharacterSet } from './ways.ts';

export const noticeTexts = {
  'in-place': '{place}[row?, row {row}]: {said}',

  'character-set': 'The file is read as {set}.',
  'character-set-guessed': `The file is not UTF-8. It is read as {set}; ${nameCharacterSet('another')}.`,
  'sheet-no-table': '{name} is a chart or a macro, not a table: it is left out.',
  'sheet-hidden': 'The sheet {name} is hidden. It is read like the others.',
  'sheet-unclear': 'The sheet {name} is left out: neither its name nor its headers tell what its rows are.',
  'sheet-unknown':
    '[sheet?The [isHidden?hidden ]sheet {sheet}|The file] [areSeveral?has a name or headers that fit several kinds|has neither a name nor headers that show what its rows are].[shell? [isAlone?Say what they are with --as KIND|Name the sheet after what it holds, read it alone with --sheet {word} --as KIND][ignorable?, or leave the sheet out with --ignore-sheets {ignorable}]. KIND is one of {kinds}.]',
  'sheet-of-other-kind':
    'none of its first {rows} rows has a header that is a field of {kind}.[shell?[mayBeOther? If its rows are something else, say what with --as KIND.][ignorable? If it holds no such rows, leave it out with --ignore-sheets {ignorable}.]]',
  rows: '[isOne?row|rows] {rows}',
  'rows-skipped': '{rows} above the headers skipped.',
  'columns-left-out': 'the [isOne?column|columns] {names}[more? and {more} more] [isOne?is|are] left out.',
  // A misspelled name leaves nothing out, so what the person meant to hold back would be sent.
  'ignored-not-there': '--ignore-{what}s names "{name}", but the file has no such {what}.',

  'header-near':
    '{place} is nearly "{field}", and is not left out with the others. Correct the header, or leave it out [shell?by its name: --ignore-columns "all,{header}"|under “Say what each column is”].',
  'header-twice':
    '{place} names the same field as {other}, or a part of it. Keep one of them, or write a mapping: it gives each a field of its own, or joins both.',
  'header-no-path':
    '{place} is not a path[most?: braces hold names with dots between them and numbers in brackets, as in {terms.rates[0]}, at most {most} of them].',
  'header-undocumented':
    '{place} names a field that {kind} does not have: the fields there are documented, and this is not one of them.',
  'header-unknown': '{place} is not a field of {kind}.[near? Did you mean {near}?]',

  'read-by-mapping':
    '[shell?The file is read by the mapping {path}.|The columns are read as “How it is read” shows on the page.]',
  'sheet-by-rules-for': 'The sheet {name} is read by the rules of the mapping for {sheet}.',
  'rules-without-sheet': 'The mapping has rules for a sheet "{name}", but the file has no such sheet.',
  'sheet-left-out': 'The sheet {name} is left out, as the mapping says.',
  'sheet-without-rules': 'The sheet {name} has no rules in the mapping and is left out.',
  'header-row-elsewhere':
    'the mapping says that the headers are in row {row} ("headerRow"), but none of the headers that it names is there. The header row must be one of the first {most} rows that are not empty.',
  'mapping-of-other-file':
    'The sheet has none of the headers that the mapping names: {names}. It may be the wrong file.',
  'mapping-without-column': 'The mapping names a column "{header}", but the sheet has no such column.',
  'mapping-without-field':
    'The [isProfile?profile has "formats" for|mapping names] a field "{field}", but {kind} has no such field.',
  'sign-of-no-amount': 'The mapping changes a sign in "{field}" ("minus"), but that field is not an amount.',
  'column-not-mapped':
    'Column "{header}" is [isOpen?still open in the mapping: give it a field, or|not in the mapping: add it with its field, or with] null to leave it out.',
  'value-open':
    'The value "{from}" of column "{header}" is still open in the mapping: give it [choices?one of {choices}|a value], or "" to leave it blank.',
  'mapping-no-json': 'it is not JSON: {why}',
  'mapping-name-twice': '"{name}" is there twice in one place. Keep one of them.',
  'mapping-names-same': '"{first}" and "{name}" are the same. Keep one of them.',
  'mapping-sheet-nameless': 'one of several entries does not name its sheet. Name the sheet of each.',
  'mapping-value-blank': '"{word}" counts as blank by "blanks". Keep one of them.',
  'mapping-minus-unjoined': '"minus" names "{name}", which is not joined there.',

  'earlier-flags-differ':
    'The rows come from runs with different flags ({runs}), so no flag is taken over. Add the flags that are right for all of these rows.',
  'read-as-earlier':
    'The results sheet is read as the run {run} read its source[shell?: {flags}. Flags that you add override these.|.]',
  'checked-with-flags': 'To load the results of this check, add its flags: {flags}',
  'loaded-elsewhere':
    'Rows of this [isOfSheet?results sheet|very file] are in {other} since {day} (run {run}). The ledger takes {service} for another service, where that load does not count. If the two are the same service, do not send them.',
  'rows-of-rehearsal':
    'This results sheet is of a rehearsal (run {run}). What it says in Status and ID does not count here, and rows that went into the sandbox may have stars in place of values: load your own file instead.',
  'refs-taken':
    '{name}: {taken} of {rows} rows have the Ref of a record of an earlier load, but other values.[withRemedy? If Refs start over in each file, [shell?say so once: "refScope": "file", in a mapping or under "contract" in the profile|tick that under “Say what each column is” on the page].]',
  'rows-in-otherwise':
    '{name}: rows that went in corrected or read otherwise: {rows}. Problems says so in each. The amounts are those of this file.',
  'place-unusable': '[isFull?Make room|Check that folder].',
  // A wrong word in an ID cell creates a record twice, or not at all.
  'settled-by-cells':
    'Of these rows, settled by their ID cells: {created} as created, and {notCreated} as not created.',
  'rows-to-act-on': 'Only rows that need something done are here.',
  'source-changed':
    '{name} was changed or moved since this run began. Its rows are sent as they were then. To load it as it is now, [shell?import|open] it: rows that are in are not sent again.',
  'name-of-later-run': '{name} is kept for the results of the later run {run}. Those of this run get a number.',
  'certificate-unchecked':
    'The certificate of the service is not checked: anyone on the network can read what is sent.',
  'sandbox-port-taken':
    'Port {usual} is taken: the links of these results need dealsheet sandbox --port {port}[data? --data {data}]',

  'expected-of': '[of?{of}|The file]: {said}',
  'expected-unknown': 'Nothing in the file is called {of}: {sheets}.',
  'expected-rows': 'rows expected: {value}, found: {rows} ({difference} [isMore?more|fewer]).',
  'expected-amounts': 'it has no amounts. These kinds have: {kinds}.',
  'expected-one-kind': 'it has amounts of several kinds ({kinds}): say which, as in --expect-total {first}={value}.',
  'expected-whole-total': 'the total is as expected, but the amounts of some rows are missing or wrong: {rows}.',
  'expected-total':
    'a total of {value} was expected, and it is {total}, {difference} [isMore?more|less].[without? Rows without a readable amount, which are not in it: {without}.]',
  'unlike-last':
    '{kind}: [isTotal?a total of {is}|{is} rows], and {was} in {name} of {day} ([isNew?new|{percent} % ][isMore?more][isLess?less]).',

  'plan-of-other-file': 'The file has been changed.',
  'plan-of-other-service': 'The service is {now}, and was {was}.',
  'plan-of-other-ledger': 'It was planned with another ledger, which knows of other loads.',
  'plan-of-other-option':
    'An option is not as it was planned: {option}.[shell? Give --apply the flags of --plan, if you did not.]',
  'plan-of-other-rows':
    '{sheet}: other rows would be sent, or with other contents (rows to send now: {now}, when it was planned: {was}).',
  'plan-before-load': 'The newest load of the file is [now?{now}|none]; when it was planned it was [was?{was}|none].',

  'row-not-in-doubt': '{place} is not in doubt in the run {run}.',
  'no-such-try': '{place} has no try {asked} in the run {run}: its last there is try {last}.',
  'settled-twice': '{place} is settled in two ways.',
  'sent-since':
    '{place} was sent again since, from {name} (run {run}): [there?write {there}, or take its newer results|settle it there].',
  'sent-after-settling':
    '{place} was settled once and sent again, and a list does not say which of the two it is about: write {last} for the last.',
  'settled-as-in':
    '{place} was settled as [id?{id}|created] before. This "not created" may be older, so it does not change that. If it is right, settle the row by itself: <dealsheet resolve {run} --row {place} --not-created>',
  'settled-otherwise':
    '{place} was settled as {before} before; now it is {now}.[parent? Rows that name it by its Ref may have been sent for {parent} in the meantime. Import their files again unchanged: the results show which rows these are, and none is sent a second time.]',
  'row-not-created': 'As not created: {place} of {name}, with {says}.',
  'id-of-other-company': 'the row updates {company}, not {id}.',
  'id-of-two-rows': '{place} and {twin} have the same id, {id}: it can be the record of only one.',
  'id-of-other-row':
    '{id} is the record of {sheet} row {row} in the run {run}.[shell? If somebody typed it there by mistake, correct that first: <dealsheet resolve {run} --row {sheet}!{row} --created ID>]',
  'id-not-readable':
    'The service cannot be asked whether {id} is the record of this row, or has its new values: the id is taken as it is.',
  'id-not-allowed': 'The service does not allow reading the record {id}, so the id is taken as it is: {why}',
  'id-not-read': '{id} could not be looked up: {why}',
  'id-of-nothing': 'The service has no record {id}.[instead? {instead}]',
  'id-of-other-record': ({ id, differences }: { id: string; differences: readonly Message[] }, textOf: TextMaker) =>
    `${id} is another record: ${Array.from(differences, textOf).join('; ')}.`,
  'value-differs': '{label} is {there} there and {here} in the row',
  'record-found': 'the service has {id} as {says}.',
  'record-not-compared':
    '[isRowThere?the record {id} and the row have no field in common, so dealsheet could not check whether they are the same|the file of the run is gone or was changed, so dealsheet did not check whether {id} has the same values as the row].',

  'json-not-utf8': 'it is not written in UTF-8',
  'json-name-twice': 'the name "{name}" is there twice',
  'json-goes-on': 'more follows after its end',
  'json-too-deep': 'its values are nested too deep',
  'json-ends-early': 'it ends too early',
  'json-text-too-long': 'it has a text that is longer than a record may have',

  'page-changes-dropped':
    'The file has changed since you opened it, so your [isOne?change was|{count} changes were] dropped. Make the changes that you still need again.',
  'page-changes-again':
    'This file has your [isOne?change|{count} changes] of an earlier visit again. Undo what you no longer want under “Your changes”.',
  'page-once-more': 'Rows that are in and are sent once more, as you chose under “How it is read”: {rows}.',
  'page-emptied': 'Fields of companies that will be emptied: {fields}.',
  'page-files': 'Files that go with them: {files} ({names}).',
  'page-goes-on': '{why}[isLost? It is tried again.] Sending goes on by itself in [isOne?1 second|{seconds} seconds].',
  'page-reporting': 'Writing the results.',
  'page-results-alone': 'The file of this load is gone: your own columns are not in the results.',
  'page-compared': 'Compared with {previous}.',

  'no-balances': 'The service gave no balances.',
  'export-column-blank': 'No record has "{name}": its column is blank.',
  'export-columns-cut': 'Only {most} fields are columns. Name the others with --columns.',
  'export-texts': '{texts} of the values of {label} are not amounts, and no sum counts them. The first is "{first}".',
  'export-long-amounts':
    '{amounts} amounts have more than {most} digits, or zeros in front, which a number in a spreadsheet cannot hold. The workbook has them as text, and its formulas leave them out. The sums shown here count them.',
  'previous-of-other-service':
    '{name} holds balances of {service}, and this export reads from {asked}, where the same id may be another loan.',
  'previous-empty': '{name} holds no balances: all of this month are new.',
  'previous-text':
    '{name} has "{text}" as {label} of {record}, which is no amount: it has no difference, and the column has no sum for last month.',
} as const;
