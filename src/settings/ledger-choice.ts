/** The ledger that a command uses. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { KeptFile } from '../disk/output-guard.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { keyInText, keyPathOf } from '../ledger/ledger-key.ts';
import { isTeamAddress, readTeamAddress, type TeamAddress } from '../ledger/postgres/address.ts';
import type { TeamPlace } from '../ledger/postgres/connections.ts';
import { setFlagsOfCommands } from '../messages/commands.ts';
import { errorOf } from '../messages/text.ts';
import { printedBy } from '../service/program.ts';
import { readConfiguration, type Setting, said, saidByVariable, settingOf, stateFolder } from './configuration.ts';
import type { Flags } from './flags.ts';

/** The ledger as it is named. A path in a configuration file is relative to that file's folder. */
function namedLedger({ ledger, config }: Flags): Setting<string> {
  const { path, settings } = readConfiguration(config);
  const placeIn = (folder: string) => (place: string) => (isTeamAddress(place) ? place : resolve(folder, place));
  const setting = settingOf(
    [
      said('--ledger', ledger, placeIn('.')),
      saidByVariable('LEDGER', placeIn('.')),
      said(path, settings.ledger, placeIn(dirname(path))),
    ],
    join(stateFolder, 'ledger.db'),
  );
  if (setting.origin === '--ledger' && isTeamAddress(setting.value)) refusePasswordSeen(setting.value);
  return setting;
}

/** The ledger as shown to people: a team's address without its password. */
export function ledgerSetting(flags: Flags): Setting<string> {
  const shown = (value: string) => (isTeamAddress(value) ? readTeamAddress(value).shown : value);
  const { value, origin, overridden } = namedLedger(flags);
  return { value: shown(value), origin, overridden: overridden.map((one) => ({ ...one, value: shown(one.value) })) };
}

export async function ledgerPlace(flags: Flags): Promise<string | TeamPlace> {
  const { value } = namedLedger(flags);
  return isTeamAddress(value) ? teamPlaceOf(value, flags) : value;
}

export async function teamPlaceOf(written: string, { config }: Flags): Promise<TeamPlace> {
  const address = readTeamAddress(written);
  const { path, settings } = readConfiguration(config);
  const { ledgerPasswordCommand, ledgerKeyCommand } = settings;
  const printed = async (command: readonly string[]) => (await printedBy({ command, folder: dirname(path) })).trim();
  return {
    address,
    files: teamFiles(address),
    ...(ledgerPasswordCommand && { password: () => printed(ledgerPasswordCommand) }),
    ...(ledgerKeyCommand && { key: keyInText(await printed(ledgerKeyCommand)) }),
  };
}

function teamFiles({ host, port, database }: TeamAddress): string {
  return join(stateFolder, 'teams', encodeURIComponent(`${host}-${port}-${database}`));
}

export function refusePasswordSeen(address: string): void {
  if (readTeamAddress(address).password !== null) throw errorOf('team-address-with-password');
}

/** Private copies of sources are beside the ledger of their runs, and named after those. */
export function sourcesFolderOf(ledger: string): string {
  return `${ledger}.sources`;
}

/** As whom the person uses a ledger. */
function asPerson({ config }: Flags) {
  return { person: readConfiguration(config).settings.person };
}

/** The path beside which a ledger has its key and private copies on this computer. */
export function ledgerFiles(flags: Flags): string {
  const { value } = namedLedger(flags);
  return isTeamAddress(value) ? teamFiles(readTeamAddress(value)) : value;
}

/** The files of a ledger, which nothing else may overwrite. */
export function filesOfLedger(ledger: string): readonly KeptFile[] {
  return [
    ...['', '-wal', '-shm'].map((ending) => ({ path: `${ledger}${ending}`, what: 'the ledger' })),
    { path: keyPathOf(ledger), what: 'the key of the ledger' },
    { path: sourcesFolderOf(ledger), what: "in the ledger's private folder" },
  ];
}

/** Runs the work with the chosen ledger. Afterwards removes files beside it that nothing needs any more. */
export async function withLedger<Result>(flags: Flags, work: (ledger: Ledger) => Promise<Result>): Promise<Result> {
  const { openLedger } = await import('../ledger/open-ledger.ts');
  const { tidySources } = await import('../load/run-source.ts');
  const ledger = openLedger(await ledgerPlace(flags), asPerson(flags));
  try {
    return await work(ledger);
  } finally {
    // What cannot be removed now stays for the next command.
    await tidySources(sourcesFolderOf(ledger.files), ledger).catch(() => {});
    await ledger.close();
  }
}

export function withRun<Result>(
  flags: Flags,
  id: string,
  work: (run: RunRecord, ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  return withLedger(flags, async (ledger) => work(await needRun(ledger, id), ledger));
}

/** The ledger for a command that sends nothing; `null` where there is none yet. */
export async function openLedgerIfAny(flags: Flags): Promise<Ledger | null> {
  const place = await ledgerPlace(flags);
  if (typeof place === 'string' && !existsSync(place) && !existsSync(keyPathOf(place))) return null;
  const { openLedger } = await import('../ledger/open-ledger.ts');
  return openLedger(place, asPerson(flags));
}

/**
 * Finds a run by its id. A trailing letter may be omitted when the rest names only one run.
 *
 * @throws DealsheetError `usage` when the ledger does not know the run
 */
export async function needRun(ledger: Ledger, typed: string): Promise<RunRecord> {
  const id = typed.trim();
  const run = await ledger.run(id);
  if (run !== null) return run;
  const [found, another] = (await ledger.runs()).filter((candidate) => candidate.id.startsWith(`${id}-`));
  if (found !== undefined && another === undefined) return found;
  throw errorOf('run-not-found', { run: id, ledger: ledger.path });
}

/** Gives commands in messages the flags of this one that they would need in another shell. */
export function passFlagsOn(flags: Flags): void {
  const { config, tokenFile } = flags;
  setFlagsOfCommands(() => [
    ...ledgerFlag(flags),
    ...(config === undefined ? [] : [{ flag: '--config', path: resolve(config) }]),
    ...(tokenFile === undefined ? [] : [{ flag: '--token-file', path: resolve(tokenFile) }]),
  ]);
}

/** The --ledger flag, when the command alone would find another ledger. */
function ledgerFlag(flags: Flags): readonly { readonly flag: string; readonly path: string }[] {
  try {
    const { value, origin } = ledgerSetting(flags);
    const isFound = origin === 'default' || (flags.config === undefined && !/^(--|DEALSHEET_)/.test(origin));
    return isFound ? [] : [{ flag: '--ledger', path: value }];
  } catch {
    // The command itself reports an unreadable configuration.
    return [];
  }
}
