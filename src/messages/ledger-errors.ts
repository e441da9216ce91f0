/** The errors of ledgers: of one in a file, and of that of a team. */
import { continueText } from './commands.ts';
import { type ErrorCatalogue, withCode } from './message.ts';

/** The ledger could not be written: in a load, nothing more is sent. */
const unwritable = (first: string, next: () => string) =>
  [
    'The ledger {path} can no longer be written ({detail}).',
    ({ isLoad }: { isLoad: boolean }) => `${isLoad ? 'Nothing more was sent. ' : ''}${first}${next()}`,
    'ledger-failed',
  ] as const;

const damaged = <Why extends string>(why: Why) =>
  [
    `The ledger {path} is damaged: ${why}. It was left as it is.`,
    'Put a backup of it and of its key in its place. To begin a new ledger instead, move both away: a new ledger knows nothing of earlier loads, and would let their rows be sent again.',
  ] as const;

const unusable = <Why extends string, Remedy extends string>(why: Why, remedy: Remedy) =>
  [`The ledger {ledger} cannot be used: ${why}.`, remedy] as const;

/** A load may go on later: the settings are not known to be wrong. */
const failingServer = <Why extends string>(why: Why, first: string) =>
  [
    `The ledger {ledger} cannot be used: ${why} ({detail}).`,
    () => `Nothing more was sent. ${first} Then ${continueText()}`,
    'ledger-failed',
  ] as const;
const lostLease = <Why extends string>(why: Why) =>
  [
    `This load no longer holds the ledger {ledger}${why}.`,
    'Nothing more was sent. Continue with: <dealsheet resume>',
    'ledger-failed',
  ] as const;

const badAddress = <What extends string>(what: What) =>
  [
    what,
    'Write it like postgres://USER@HOST/DATABASE, with ?sslrootcert=FILE where your own authority signed the certificate of the server.',
  ] as const;

const onlyOne = 'Only one load at a time may run into a service.';

const refused = withCode('ledger-refused', {
  'ledger-busy': [
    'The ledger {path} is locked by another program.',
    'Wait until the other program is done with it, then try again.',
  ],
  'ledger-unopened': [
    'The ledger {path} cannot be opened: {detail}.',
    'Make the file and its folder readable and writable for you, or choose another place with --ledger.',
  ],
  'ledger-damaged': damaged('[detail?{detail}|the check gave no answer]'),
  'no-ledger-file': [
    '{path} is a database, but not a ledger of dealsheet. It was left as it is.',
    'Name the ledger with --ledger, or name a file that does not exist yet to begin a new one.',
  ],
  'ledger-of-newer-version': [
    'The ledger {path} was written by a newer version of dealsheet (its format is {version}; this version knows {known}).',
    'Install the newest version of dealsheet, or choose another ledger with --ledger.',
  ],
  'ledger-of-early-version': [
    'The ledger {path} was written by an early version of dealsheet (its format is {version}), which recognized rows in another way. With this version, rows that are in would be sent a second time.',
    'Begin another ledger with --ledger FILE. For files that you loaded with the old one, import their results sheets with --trust-results, never the files themselves.',
  ],
  'ledger-without-key': [
    '[isMissing?The ledger {path} is there, but its key {key} is missing.|The key {key} is not the key of the ledger {path}.] Without its own key the ledger cannot tell which rows were sent before.',
    'Put its own key back: ledger and key are copied and backed up together. To begin a new ledger instead, move both away: a new ledger would let the same rows be sent again.',
  ],
  'ledger-with-two-names': [
    'The ledger {path} has a second name (a hard link). A load under one name may miss what a load under the other wrote, and send rows that are in a second time.',
    'Delete the second name, and make a real copy instead. It is most likely in a backup of the folder that was made with links.',
  ],
  'ledger-moved': [
    'The ledger {path} has moved to {place}, and only that one knows the rows that went in since.',
    'Use that one, with --ledger or "ledger" in the configuration. If the move was cut off, run it again: dealsheet ledger move --to {place}',
  ],
  'ledger-gone': [
    'The ledger {path} is gone, but its key {key} is there: the record of earlier loads is missing.',
    'Put the ledger back, or a backup of both. A new ledger knows nothing of earlier loads and lets their rows be sent again; if you want one: <dealsheet ledger accept>',
  ],
  'ledger-lacks-entries': [
    'The ledger {path} lacks its newest entries ({commits} [isOne?step|steps]). It was copied without its log, {path}-wal, or replaced by an older copy. Rows that are in would be sent again.',
    'End every dealsheet that is running, then copy the log from where the ledger was to beside it; dealsheet ledger backup copies both. If the log is lost, compare what the service received; then: <dealsheet ledger accept>',
  ],
  'ledger-in-use': [
    `[host?{person} on {host} (process {process}, run {run})][isOwn?This process, {process} (run {run}),][isNear?The process {process} of {person} (run {run})][isUnknown?Another process] is loading into {service} with this ledger. ${onlyOne}`,
    'Wait until it is done, or end that process; then try again.',
  ],
  'team-key-missing': [
    'The key of the ledger {ledger} is not on this computer: {key} is missing, or is not the key of this ledger. Without its key the ledger cannot tell which rows were sent before.',
    'Ask the person who made the ledger for the file that dealsheet ledger share writes, and run dealsheet ledger join with it.',
  ],
  'team-ledger-in-use': [
    `{person} on {host} (process {process}, run {run}) has been loading into {service} with this ledger since {since}. ${onlyOne}`,
    'Wait until it is done. If that computer is gone for good: dealsheet runs {run} --take-over',
  ],
  'server-behind-pooler': unusable('a connection pooler answers in place of its server', 'Name the server itself.'),
  'server-unsynced': unusable('its server confirms a row before it is on the disk ({setting} = off)', 'Set it to on.'),
  'server-on-standby': unusable('its server is a standby', 'Name the server that takes writes.'),
  'server-too-old': unusable('its server is older than PostgreSQL 14', 'Use a newer one.'),
  'server-without-database': unusable(
    'there is no such database ({detail})',
    'Make it with createdb, then run dealsheet ledger create.',
  ),
  'server-without-ledger': unusable('the database has no ledger ({detail})', 'Make one with dealsheet ledger create.'),
  'server-refuses-user': unusable(
    'its server refuses the user or the password ({detail})',
    'Put the password into ~/.pgpass or PGPASSWORD, or name a ledgerPasswordCommand in the configuration.',
  ),
  'server-refuses-work': unusable(
    'the user may not do this ({detail})',
    'Give the user the rights that docs/ledger.md lists.',
  ),
});

export const ledgerErrors = {
  'ledger-unwritable': unwritable(
    'Make room on its disk, check the disk and the rights of the file, or end the program that uses it. Then ',
    continueText,
  ),
  'ledger-broken': unwritable(
    'Put a backup of the ledger and its key in their place, and compare what the service received since.',
    () => '',
  ),
  ...refused,
  'ledger-key-unreadable': [
    'The value given as the key of the ledger is not a key.',
    'Give the key exactly as dealsheet ledger share writes it.',
  ],
  'ledger-closed': [
    'The ledger {path} was closed while a load still needed it.',
    'Await every load before you close the ledger.',
  ],
  'ledger-not-copied': [
    '[isTaken?The backup {copy} cannot be made, because a file of that name exists|The ledger cannot be copied to {folder}{obstacle}]. Nothing was copied.',
    'Name another folder; a new one is made.',
  ],
  'run-not-found': [
    'There is no run {run} in the ledger {ledger}.',
    '<dealsheet runs> lists its runs. A run of another ledger is found with --ledger FILE.',
  ],
  'run-not-named': ['No run was named.', 'Name it: dealsheet runs RUN --take-over'],
  'run-not-running': ['The run {run} is not running.', '<dealsheet runs> lists the runs.'],
  'run-on-this-computer': [
    'The run {run} is still running in another process.',
    'Wait until it is done, or end that process.',
  ],
  'no-prune-date': ['"{day}" is not a date.', 'Give --prune-before a date such as 2024-01-01.'],
  'not-in-doubt': ['The row is no longer in doubt.', '<dealsheet runs RUN> lists the rows in doubt.'],
  'request-on-its-way': [
    'The load of this row was cut off, and its request may still arrive at the service for {seconds} s.',
    'Look the row up in the service after that time, then settle it as not created again.',
  ],
  'action-and-file': [
    '{action} [isNamed?needs the name of a file or a folder|takes no file].',
    'dealsheet ledger --help shows how each is written.',
  ],
  'move-without-to': ['move and --to go together.', 'Write it like: dealsheet ledger move --to postgres://…'],
  'ledger-of-team': ['{ledger} is the ledger of a team, not one in a file.', 'Name the file with --ledger.'],
  'ledger-in-file': ['{path} is a file, not a ledger of a team.', 'Name it with --ledger postgres://HOST/DATABASE.'],
  'no-shared-ledger': [
    '{path} is not what dealsheet ledger share writes.',
    'Ask the person who made the ledger for the file again.',
  ],
  'ledger-not-moved': [
    'The ledger {path} cannot be moved: [place?it has already moved to {place}|a load is running, or was cut off].',
    '[place?Use that one.|Wait for it. If that load was cut off, dealsheet runs ends it.]',
  ],
  'team-address-unreadable': badAddress('The address of the ledger cannot be read.'),
  'team-address-unknown': badAddress('The address of the ledger holds "{name}", which dealsheet does not know.'),
  'team-address-incomplete': badAddress('The address of the ledger does not name a host and a database.'),
  'team-address-unsafe': badAddress('sslmode={mode} would let another computer pose as {host}.'),
  'team-address-with-password': [
    'The address on the command line holds a password, which every user of this computer can see in the list of processes.',
    'Put the password into ~/.pgpass or PGPASSWORD, and leave it out of the address. Then consider changing the password.',
  ],
  'ledger-exists': ['There is a ledger in {ledger} already. Nothing was changed.', 'Use it, or name another database.'],
  'team-ledger-not-copied': [
    'This command cannot copy the ledger {ledger}.',
    'Copy it with pg_dump, and its key with dealsheet ledger share; see docs/ledger.md.',
  ],
  'server-away': failingServer('its server cannot be reached', 'Wait until the server is back.'),
  'server-fault': failingServer('its server reports an error', 'Check the log of the server.'),
  'server-full': failingServer('its server has no room left', 'Make room on the server.'),
  'server-takes-no-writes': failingServer(
    'its server takes no writes: it is a standby',
    'Name the server that takes writes.',
  ),
  'lease-lost': lostLease('[detail?: {detail}]'),
  'lease-taken-over': lostLease(': another load has taken it over'),
  'lease-without-outcomes': lostLease(': the outcomes of its rows could not be written'),
} as const satisfies ErrorCatalogue;
