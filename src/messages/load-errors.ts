/**
 * The errors of loads: their plans, their results, and the rows in doubt that a person settles; of the page, the sandbox and the
 * library.
 */
import { shellWord } from './commands.ts';
import type { ErrorCatalogue } from './message.ts';
import { makeNewPlan } from './ways.ts';

const safe = 'The result of each row is safe in the ledger.';

/** Results that could not be written. Without a run, nothing was sent. */
const unwritten = [
  `The results could not be written to {path}{why} [run?${safe}|Nothing was sent.]`,
  '[first?{first} Then [run?write|run]|[run?Write|Run]] [run?them again with: <dealsheet results {run}>|the same command again.]',
] as const;

const unhealthy = ['{said} Nothing was sent.', '{remedy} Then [shell?try|send it] again.'] as const;

/** What was not done, in a load or for the run whose rows a person settles. */
const undone = '[run?No row was settled.[shell? <dealsheet runs {run}> lists the rows in doubt.]|Nothing was sent.]';
const accept =
  '[run?[shell?add --changed-since|use <dealsheet resolve {run} --row SHEET!N --created ID --changed-since>]|use <dealsheet resolve RUN --from FILE --changed-since>, with the RUN of its Run cell]';

export const loadErrors = {
  'not-as-expected': [
    'The file is not what was expected:{faults}',
    'Look for rows that are missing, repeated or changed, then try again. Nothing was sent.',
  ],
  'not-like-last': [
    'The file is not like the last one:{faults}',
    'Check that it is the right file and complete. If it is, load it without --expect-like-last. Nothing was sent.',
  ],
  'no-last-load': [
    'There is no earlier load to compare {name} with. No other file with this name (in any month) was loaded, and none with its mapping.',
    'Load it once without --expect-like-last. Nothing was sent.',
  ],
  'plan-outdated': ['The plan of {made} no longer holds:{changes}', makeNewPlan],
  'plan-without-other-maker': [
    '[isTrue?You made this plan yourself ({person} on {host}), and the profile requires another person to apply it|Dealsheet cannot tell who made this plan: it was changed, or made with another ledger].',
    'Let a colleague run the command with --apply, with the same --ledger. Nothing was sent.',
  ],
  'no-plan': [
    '{path} is not a plan that can be applied.',
    'Name a file that import --plan has written. Nothing was sent.',
  ],
  'plan-of-other-version': ['{path} is a plan of another version of dealsheet.', makeNewPlan],
  'results-of-unknown-run': [
    '{name} says that rows are in since the run {run}, which this ledger does not know. Either {name} was written with another ledger, or this ledger was restored from a backup. Rows that are in would be sent again.',
    'Use the ledger of that run, or import {name} with --trust-results in place of this file. If its rows are not in {service}, move it away first. Nothing was sent.',
  ],
  'trusted-elsewhere': [
    'The results sheet is of a load into {named}. What is in there is not in {serviceUrl}.',
    'Load your own file instead. If both are one service, delete the sheet Summary first, or empty the Link cells of a CSV file. Nothing was sent.',
  ],
  'earlier-run-unfinished': [
    'The run {run} of {name} has not ended, and may still send rows [isOfFile?of this file|again].',
    'Continue it first: <dealsheet resume {run}>',
  ],
  'runs-forgotten': [
    'Runs were forgotten since you were asked. Rows that were in by them would be sent again.',
    'Import the file again, and see how many rows would be sent now. Nothing was sent.',
  ],
  'source-not-kept': [
    'The private copy of the source cannot be kept as {path}{obstacle}. Nothing was sent.',
    'Make room on that disk, or name a ledger in another folder with --ledger.',
    'unreadable-source',
  ],
  'service-unhealthy': [...unhealthy, 'service-unusable'],
  'service-refuses-token': [...unhealthy, 'token-refused'],

  'nothing-to-resume': [
    'There is nothing to resume: every run has ended, or all of its rows are settled.',
    '[newest?Rows of the newest run are not in. <dealsheet resume {newest}> sends those that can go now. ]<dealsheet runs> lists the runs. Name one to see its rows in doubt, to send its rows that are not in (<dealsheet resume RUN>), or to write lost results again (<dealsheet results RUN>).',
  ],
  'no-run-to-resume': ['There is no such run to resume.', 'Call runs() to list the runs. Nothing was sent.'],
  'run-into-other-service': [
    'The run {run} loads into {service}, but you chose {chosen}.',
    'Choose the service of the run, or leave the choice out.',
  ],
  'run-under-other-contract': [
    'The run {run} began under another contract: the "contract" settings of the profile have changed since then.',
    'To continue, [profile?[shell?give the same --config as then, or ]put the profile "{profile}" back as it was|name the service as it was named then[url?, with --url {url}]]. To load under the present contract, import the file again: rows that are in are not sent a second time. Nothing was sent.',
  ],
  'source-gone': [
    'The file that the run {run} began with is no longer available: {name} is gone, or was changed since.',
    'Put the unchanged file back to {path}, or import the changed one: rows that are in are not sent again.',
    'unreadable-source',
  ],
  'source-elsewhere': [
    'The file that the run {run} began with is not on this computer: {person} loaded {path} on {host}.',
    'Ask {person} to run the command there, or copy {name}, unchanged, into the folder where you run it.',
    'unreadable-source',
  ],

  'ids-not-looked-up': [
    'Some ids could not be looked up in the service:{faults}',
    `Try again when the service answers. ${undone}`,
    'service-unusable',
  ],
  'doubts-unsettled': [
    'Rows cannot be settled:{faults}',
    `${undone} Check these rows in the service, and the ids that you gave.[unread? Run the same command again to retry the ids that could not be looked up.][differs? If a record is the right one and was changed in the service since, ${accept}.]`,
  ],
  'no-doubt-list': [
    '{path} is neither a results sheet nor a list with the columns Row and ID.',
    'Type the ids into the results sheet, or make a list with the headers Row and ID, as in: Deals!12, deal_000123 (or "{notCreated}").',
  ],
  'no-answer-in-list': [
    '{path} has no answer for a row in doubt of the run {run}.',
    'Give the run that its Run cells name, and type the id of each row, or "{notCreated}", into its ID cell. <dealsheet runs {run}> lists the rows in doubt.',
  ],
  'line-without-row': [
    'Line {line} of the list does not say which row is meant. No row was settled.',
    'Write it as SHEET!N, as in Deals!12.',
  ],
  'typed-answer-unclear': [
    '"{text}", given for {place}, [isRounded?may have been rounded by a spreadsheet program: format the cell as text, and put the whole id in again|is not an id, a link of a record, "created" ("yes") or "{notCreated}" ("no")]. No row was settled.',
    'Look the row up in the service, and give the id of the record, or "{notCreated}".',
  ],
  'settled-in-two-ways': [
    'Settle rows one by one, by a list or all at once, but not in two of these ways. No row was settled.',
    'Give --row with --created or --not-created, or --from FILE, or --all-not-created, alone.',
  ],
  'row-not-named': [
    '[row?"{row}" does not name a row: give its sheet and its number, with ! between them.|No row was named.]',
    `Give --row SHEET!N, as in --row ${shellWord('Deals!12')}, or a list with --from FILE. The rows in doubt: <dealsheet runs {run}>`,
  ],
  'created-or-not': ['Say whether the row was created.', 'Give either --created ID or --not-created.'],

  'run-still-running': [
    'The run {run} is still running, by {person} on {host}: what became of its rows is not known yet.',
    'It writes its results at its end. See how far it is with: <dealsheet runs {run}>',
  ],
  'results-unwritten': [...unwritten, 'output-failed'],
  'results-unwritten-by-ledger': [...unwritten, 'ledger-failed'],
  'results-too-large': [
    '{name}: its results have {size}, and a sheet of Excel has room for {most}.',
    'Give the results a name that ends in .csv, or take out cells that are far from the others.',
  ],
  'sheet-format': ['The name {path} ends in neither .xlsx nor .csv.', 'Give a name that ends in .xlsx or .csv.'],
  'row-not-in-source': [
    'The ledger has a result for {place}, but the source has no such row as it is read now.',
    `${safe} Read the source with the version of dealsheet that loaded it.`,
    'output-failed',
  ],
  'file-in-the-way': [
    '{path} already exists, and only an earlier {what} may be replaced.',
    'Give {flag} another name, or delete that file first if you need nothing in it.',
  ],
  'file-unusable': [
    '[path?{path}|A file] cannot be used{obstacle}.',
    'See that it is there, that you may read and change it, and that the disk has room. Nothing was sent.',
    'unwritable-results',
  ],
  'file-kept': ['{path} is {what}: nothing may overwrite it.', 'Give {flag} another name. Nothing was sent.'],
  'file-unwritable': [
    '{path} cannot be written{obstacle}.',
    'Make that place writable, or name another one.',
    'unwritable-results',
  ],
  'by-without-only': ['--by needs --only wrong.', 'Add --only wrong. Nothing was written.'],
  'no-column-to-part-by': ['No sheet has a column {by}.', 'Write the header after --by exactly as in the file.'],
  // Everybody sees file names.
  'column-is-personal': ['{by} holds personal numbers or dates.', 'Name another column with --by.'],
  'column-has-many-values': ['The column has more than {most} values.', 'Name a column with fewer values with --by.'],
  'rows-without-place': ['Rows from standard input have no file beside which to write.', 'Name the file with {flag}.'],

  'option-invalid': ['An option is not valid. {faults}.', 'Correct it. Nothing was sent.'],

  'page-open-already': [
    'The page is open already[url?, at {url}].',
    'Go on there. If no tab shows it, press Ctrl-C where it was started, and run this command again.',
  ],
  'page-asks-unknown': ['The page asks for something that is not there.', 'Reload the page.'],
  'page-reading': ['A file is being read.', 'Wait until that is done.'],
  'page-loading': ['A load is under way.', 'Wait for its end, or stop it first.'],
  'page-changed-since': [
    'You changed {name} here since that load began, and it would go on without your changes. Nothing was sent.',
    'Send it from “This file”: rows that are in are not sent again.',
  ],
  'page-outdated': [
    'The page showed something else when that was pressed. Nothing was done.',
    'Look at what it shows now, and press again.',
  ],
  'page-without-file': ['No file is open.', 'Choose a file.'],
  'page-load-none': ['Nothing was sent.', ''],
  'page-load-stopped': ['You stopped the load.', '[canResume?Go on to send the rows that are left.]'],
  'page-source-changed': ['The file was changed while it was loaded.', 'Open it again.'],
  'page-worker-failed': [
    'Something went wrong inside dealsheet. What was sent is in the ledger.',
    'Close this page and open it again: a load that was under way can then go on.',
  ],
  'page-code-wrong': ['This code was used already, or is wrong.', 'Open the page again.'],
  'page-has-ended': ['This page has ended.', 'Open it again.'],
  'page-elsewhere-asked': ['Another page asked for this.', ''],
  'page-of-other-computer': ['This page is for the computer that it runs on.', ''],
  'page-without-address': ['There is nothing here.', ''],
  'page-not-understood': ['That could not be understood.', ''],
  'page-file-name': ['A file cannot have that name.', 'Give it another one, and drop it again.'],
  'page-file-not-stored': ['The file could not be stored{obstacle}.', 'Drop it again.', 'unreadable-source'],
  'columns-unclear': [
    'A value cannot be kept for every month before it is clear what each column is.',
    'Say what each column is under “How it is read”.',
  ],
  'column-not-alone': [
    'The column {header} is joined with others, split, or left out, so its values cannot be replaced for every month.',
    'Replace the value only in this file.',
  ],
  'no-record-id': ['That is not an id or a link that ends in one.', 'Copy it from the record.'],
  'no-wrong-rows': ['No row needs anything done.', 'There is nothing to download.'],
  'page-worker-said': ['{said}', '{remedy}'],

  'faults-unreadable': [
    '"{faults}" cannot be read as faults.',
    'Write them like 500=2%,stall=1%,reset-after@3,on=addDeal,seed=7, with shares of 100 % at most. The faults are: {names}. The endpoints are: {endpoints}.',
  ],
  'no-latency': ['The latency "{text}" cannot be read.', 'Write milliseconds, such as 50, or a spread, such as 20-80.'],
  'sandbox-data-of-other': [
    '{path} was made [version?by another version of the sandbox ({version}, not {known})|not by the sandbox].',
    'Name another file; the sandbox makes it when it is not there.',
  ],
  'sandbox-data-unusable': [
    'The sandbox cannot use the data file {path}.',
    'Name another file, or a file in a folder that can be written ({folder}).',
  ],
  'port-unusable': [
    '[isTaken?Port {port} is in use|The sandbox cannot listen on {host}, port {port}].',
    'Name another port with --port; 0 takes any free one.',
  ],
} as const satisfies ErrorCatalogue;
