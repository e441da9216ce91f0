/** The errors of commands and settings: what a person typed, named or configured, and how the service is reached. */
import type { ErrorCatalogue } from './message.ts';

const correctNumber = 'Correct it, or leave it out.';
const tokenAlone = '[from?Put the token alone into {from}, on one line.|Type or paste the token alone, on one line.]';

export const commandErrors = {
  'no-command': ['{said}', 'dealsheet --help lists the commands.'],
  'unknown-command': ['There is no command "{command}".', 'dealsheet --help lists the commands.'],
  'command-line': ['{said}\nUsage: dealsheet {usage}', 'dealsheet {command} --help lists its flags, with examples.'],
  'empty-text': [
    'dealsheet {command} was given an empty text as its {name}.',
    'Check whether a variable in the command is not set, or leave {name} out.',
  ],
  'dash-as-name': ['dealsheet {command} does not take "-" as its {name}.', 'Give a name.'],
  'not-positive': ['{by} is "{typed}", not a number above zero. Nothing was sent.', correctNumber],
  'not-whole': ['{by} is "{typed}", not a whole number above zero. Nothing was sent.', correctNumber],
  'not-share': ['{by} is "{typed}", not a percentage such as 20%. Nothing was sent.', correctNumber],
  'not-port': ['{by} is "{typed}", not a port from 0 to 65535. Nothing was sent.', correctNumber],
  'not-a-delimiter': [
    '--delimiter takes one character that is no quote, or the word tab. Nothing was sent.',
    'Give , or ; or | in quotes (--delimiter ";"), or tab.',
  ],
  'node-too-old': [
    'Node {version} is too old for dealsheet.',
    'Install a newer one (nodejs.org has it), and try again.',
  ],
  'working-folder-gone': [
    'The folder that this command was started in is gone.',
    'Change into a folder that exists (cd), and try again.',
  ],
  'folder-not-absolute': [
    '{name} is [folder?{folder}|empty], which is not an absolute path.',
    'Set {name} to the folder for the settings and the ledger, the same one each time.',
  ],
  'output-unwritten': [
    'The output of this command could not be written to standard output ({why}).',
    'Send it to a disk with room, and try again.',
    'output-failed',
  ],
  /** It ends with the exit code of a load that was stopped. */
  unexpected: [
    'Something went wrong inside dealsheet. What was sent is in the ledger: <dealsheet runs> shows it.',
    '[shell?Run the command again with --debug to see where.|Try again.]',
    'service-unusable',
  ],

  'no-terminal-to-confirm': [
    'This command needs a terminal to ask for confirmation. Nothing was sent.',
    'Add --yes to send without asking.',
  ],
  'change-declined': ['Nothing was changed.', 'Answer yes, or add --yes, to go on.'],
  'load-declined': ['Nothing was sent.', 'Answer yes, or add --yes, to send.'],
  'load-not-begun': ['[atOnce?Stopped at once. ]Nothing was sent.', 'Run the same command again.', 'interrupted'],
  'load-left': [
    'Stopped at once: the run {run}. Rows that were on their way may or may not be in. If there is a results sheet, it is older than this stop.',
    'Continue with: <dealsheet resume {run}>',
    'interrupted',
  ],

  'no-mapping-to-remember': [
    'There is no mapping to remember.',
    'Give --mapping FILE with --remember. Nothing was sent.',
  ],
  'unknown-check': [
    'There is no check {check}, or its level cannot be changed.',
    'Give one of: {checks}. Nothing was sent.',
  ],
  'check-allowed-and-strict': [
    '--allow and --strict both name the check {check}.',
    'Leave out one of the two. Nothing was sent.',
  ],
  'expected-value': [
    '"{text}" is not a value for {flag}. An example: {example}.',
    'Write the number without thousands separators. If there are several kinds or sheets, put one of them and = in front. Nothing was sent.',
  ],
  'rows-loaded-before': [
    '{rows} [isOne?row equals one that was|rows are equal to rows that were] loaded before. Two equal rows can both be right:\n{lines}',
    'Add --skip-loaded to skip them. If some are meant a second time, put those into a file of their own and load it with --again, which sends every row of its file. Nothing was sent.',
  ],
  'fresh-without-sandbox': [
    '--fresh makes a sandbox and a ledger of its own.',
    'Give it with --sandbox, and without --ledger and --sandbox-data. Nothing was sent.',
  ],
  'notify-address': [
    'The web address to notify must begin with https://.',
    'Correct --notify, or "notify" in the profile. Nothing was sent.',
  ],
  'watch-without-yes': ['A watch sends without asking.', 'Add --yes to allow that. Nothing was sent.'],
  'watch-without-folder': ['There is no folder {folder}.', 'Correct its name, or make it.'],
  'watched-already': ['Another watch is running on the folder {folder}.', 'End the other watch first.'],
  'watch-cannot-move': [
    '{path} cannot be moved into {folder}{obstacle}.',
    'Keep both on one disk, in folders that you may change.',
  ],
  'watch-not-moved': [
    '{path} cannot be moved into {folder}{obstacle}.',
    'Close it in other programs, and keep both folders on one disk, where you may change them. The next watch goes on with it.',
    'output-failed',
  ],
  'probe-without-profile': ['There is no profile to write into.', 'Name it with --profile NAME.'],
  'probe-without-row': [
    '[typed?--row is "{typed}", not the number of a row.|No row was named.]',
    'Name it as in --row 12. Nothing was sent.',
  ],
  'probe-unknown-row': [
    '[isSeveral?Several sheets have|No sheet has] a row {row} to send.',
    'Name a row with --row, and its sheet with --sheet: {sheets}. Nothing was sent.',
  ],
  'probe-unreadable-kind': ['Records of {what} cannot be read.', 'Name deals or companies, and an id.'],

  'export-other-flag': [
    'The flag --{flag} does not apply to {what}.',
    'Leave it out. dealsheet export --help says which flag is for what.',
  ],
  'export-without-ids': [
    'Which {what}? [file?There is no id in {file}.|The service has no list of them: they are read by their ids.]',
    'Name them with --id ID, or a file with --ids FILE or --ids FILE:COLUMN, such as the results of an import.',
  ],
  'export-output-twice': [
    'The records and the JSON object about them cannot both go to standard output.',
    'Leave --json out, or name a file with -o.',
  ],
  'query-parameter': ['"{text}" is not a parameter.', 'Write it like --query status=Active.'],

  'configuration-not-chosen': [
    'This folder has a configuration, {here}, that you did not choose: anyone may have put it there.',
    'If it is right, name it with --config {name}. If you mean your own, name that: --config {own}. Nothing was sent.',
  ],
  'configuration-missing': ['There is no file {path}.', 'Correct the path given with --config.'],
  'configuration-invalid': [
    'The configuration {path} is not [isJson?valid|JSON]: {faults}.',
    'Correct it and try again. Nothing was sent.',
  ],
  'unknown-profile': [
    'There is no profile "{name}".',
    '[known?The profiles are: {known}.|Name the service once with dealsheet setup, or write it into {path}.]',
  ],
  'several-profiles': ['{file} has several profiles.', 'Choose one with --name: {names}.'],
  'profile-name': [
    'What was given as the name of the profile cannot be one.',
    'Use letters, digits, dots, dashes and underscores: at most {longest}, with a letter or a digit first.',
  ],
  'profile-stored-already': [
    'The profile "{name}" already exists in {path}. Nothing was stored.',
    'Give --yes to replace its address and its token, or another name with --profile.',
  ],
  'profile-of-run-gone': [
    'The run {run} used the profile "{profile}", but the configuration that is read now does not have it.',
    'Give the same --config as then, put the profile back, or name the service with --url. Nothing was sent.',
  ],
  'approval-by-other': [
    'The profile "{name}" accepts a load only from a plan that another person made ("approval": "other").',
    'Write a plan with dealsheet import FILE --plan PLAN, and let a colleague load it with --apply PLAN. Nothing was sent.',
  ],
  'setup-without-terminal': [
    'This command needs a terminal to ask for the address and the token. Nothing was stored.',
    ({ name, path }: { readonly name: string; readonly path: string }) =>
      `Give --url https://… with --token-file FILE, or with the token on standard input.
By hand: write {"profiles": {"${name}": {"url": "https://…", "tokenFile": "${name}.token"}}} into ${path}, and the token into ${name}.token beside it (chmod 600).`,
  ],

  'service-twice': ['--sandbox and --url name two services.', 'Keep one of them.'],
  'service-not-chosen': [
    'No service was chosen: nothing was sent.',
    '[stored?Name the one that you have stored with {stored}|Store one with dealsheet setup and name it with --profile NAME], give --url https://…, or rehearse with --sandbox.',
  ],
  'address-unreadable': ['What was given is not the address of a service.', 'Write it like https://service.example.'],
  'address-not-encrypted': [
    'The service address {address} is not encrypted: anyone on the network could read the token and the records.',
    'Give the address with https://. Plain http:// is only for this computer (127.0.0.1, [::1], localhost).',
  ],
  'address-with-secrets': [
    'The service address at {host} holds a user name, a password, a query or a fragment.',
    'Give the plain base address, and the token by DEALSHEET_TOKEN, a token file or a token command.',
  ],
  'certificates-unchecked': [
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: anyone on the network could pose as the service and read the token.',
    'Unset it, and name the certificate of your authority in NODE_EXTRA_CA_CERTS. If you intend this, put "insecureTls": true in the profile.',
  ],
  'proxy-address': [
    'The variable {variable} does not hold the address of a proxy, such as http://proxy.example:3128.',
    'Correct the variable or unset it. Nothing was sent.',
  ],
  'no-token': [
    'There is no token for the service: nothing was sent.',
    '[shell?Put it into the environment variable DEALSHEET_TOKEN, name a file with --token-file, or store it with dealsheet setup.|Save it under “Services”, by the name of the service.]',
  ],
  'token-empty': ['There is no token in [from?{from}|what was typed].', tokenAlone],
  'token-malformed': [
    'The text in [from?{from}|what was typed] is not one token: it holds blanks or characters that cannot be sent.',
    tokenAlone,
  ],
  'token-file-readable-by-others': [
    'Other people on this computer can read the token file {path}.',
    'Remove their access: chmod 600 {path}. Then consider replacing the token.',
  ],
  'command-failed': [
    'The command {program} [isUnknown?could not be run|[seconds?did not end within {seconds} s|[signal?was ended by {signal}|ended with exit code {status}]]].',
    '[isUnknown?Check its path, and whether you may run it. On Windows, give a batch file its ending (az.cmd), and put the program that runs a script in front of it|Run the command by hand to see what it says].',
  ],
} as const satisfies ErrorCatalogue;
