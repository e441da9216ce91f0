/** `dealsheet config`: what is in force, and who says so; the token never. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { assumedContract } from '../../contract/contract-settings.ts';
import { readAddress } from '../../service/address.ts';
import { proxyOf } from '../../service/proxy.ts';
import { isOpenToOthers } from '../../service/tokens/credentials.ts';
import { fileAt } from '../../sheets/same-file.ts';
import { command } from '../command.ts';
import { withAddressFlags, withPaceFlags } from '../flags/service-flags.ts';
import {
  type FoundProfile,
  findProfile,
  profileNames,
  readConfiguration,
  usualPlaces,
} from '../settings/configuration.ts';
import { ledgerSetting, withLedgerFlag } from '../settings/ledger-choice.ts';
import { type NamedService, namedService, paceSettings } from '../settings/service-choice.ts';
import { fromProfile, type Setting, settled } from '../settings/setting.ts';
import { type TokenSource, tokenSetting, untrusted } from '../settings/token-choice.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { putOut } from '../terminal/standard-streams.ts';
import { resultAsShown } from '../terminal/visible-text.ts';

export const configCommand = command({
  examples: [
    ['dealsheet config', 'which service, token, ledger and pace are in force, and who says so'],
    ['dealsheet config --profile live', 'the same for a profile'],
  ],
  builder: (yargs) =>
    withLedgerFlag(withPaceFlags(withAddressFlags(yargs))).options({
      json: { type: 'boolean', default: false, describe: 'Print one JSON object' },
    }),
  run: async (flags, answer) => {
    const service = namedService(flags);
    const found = profileOf(service.value, flags);
    const token = tokenSetting(flags, service.value?.by === 'profile' ? found : null);
    const shown: Readonly<Record<string, Setting<Shown>>> = {
      service: mapped(service, (value) => serviceText(value, found)),
      proxy: proxySetting(service.value, found),
      token: mapped(token, (source, origin) => tokenText(source, origin, found)),
      ledger: ledgerSetting(flags),
      ...paceSettings(flags, found),
      idempotencyKey: settled([fromProfile(found, found?.profile.idempotencyKey)], service.value?.by === 'sandbox'),
      contract: settled([fromProfile(found, contractChanges(found))], 'as assumed'),
    };
    const files = filesLookedAt(flags.config);
    const notices = [
      ...(found === null || found.isTrusted ? [] : [notYourWord(found, token)]),
      ...(service.value === null ? storedProfiles(flags.config) : []),
    ];
    if (flags.json) answer.give(JSON.stringify({ settings: shown, files, notices }));
    else putOut(`${resultAsShown([settingsText(shown), filesText(files), ...notices].join('\n\n'))}\n`);
    return exitCodes.allIn;
  },
});

type Shown = string | number | boolean | null;

function mapped<From, To>(setting: Setting<From>, to: (value: From, origin: string) => To): Setting<To> {
  return {
    value: to(setting.value, setting.origin),
    origin: setting.origin,
    overridden: setting.overridden.map(({ value, origin }) => ({ value: to(value, origin), origin })),
  };
}

function profileOf(
  named: NamedService | null,
  { profile, config }: { readonly profile: string | undefined; readonly config: string | undefined },
): FoundProfile | null {
  const name = named?.by === 'profile' ? named.profile : profile;
  return name === undefined ? null : findProfile(readConfiguration(config ?? null), name);
}

/** Who stored a service and sees none in force has to be told that it is chosen anew each time. */
function storedProfiles(config: string | undefined): readonly string[] {
  const names = profileNames(readConfiguration(config ?? null));
  return names.length === 0 ? [] : [`Stored profiles: ${names.join(', ')}. Choose one with --profile NAME.`];
}

/** @throws DealsheetError `usage` when the address holds what must not be shown */
function serviceText(named: NamedService | null, found: FoundProfile | null): string | null {
  switch (named?.by) {
    case 'sandbox':
      return 'the sandbox';
    case 'url':
      readAddress(named.url);
      return named.url;
    case 'profile':
      if (found?.name !== named.profile) return `profile "${named.profile}"`;
      readAddress(found.profile.url);
      return found.profile.url;
    default:
      return null;
  }
}

/** The proxy by which the service is reached; a name and a password in its address are left out. */
function proxySetting(named: NamedService | null, found: FoundProfile | null): Setting<string | null> {
  const address = named?.by === 'url' ? named.url : named?.by === 'profile' ? (found?.profile.url ?? null) : null;
  const proxy = address === null ? null : proxyOf(readAddress(address), process.env);
  return settled<string | null>([proxy === null ? null : { value: proxy.url.origin, origin: proxy.from }], null);
}

/** Where the token would come from: never what it is. */
function tokenText(source: TokenSource | null, origin: string, found: FoundProfile | null): string | null {
  if (source === null) return null;
  const isUsed = found === null || untrusted(source, origin, found) === null;
  const why = 'for the file is not your own';
  switch (source.from) {
    case 'environment':
      return `the variable itself (hidden)${isUsed ? '' : `: not sent, ${why}`}`;
    case 'file':
      return `the file ${resolve(source.path)}${isUsed ? stateOfFile(source.path) : `: not read, ${why}`}`;
    case 'command':
      return `what ${source.command[0]} prints${isUsed ? '' : `: not run, ${why}`}`;
  }
}

function stateOfFile(path: string): string {
  const found = fileAt(path);
  if (found === null) return ', which is not there';
  return isOpenToOthers(Number(found.mode))
    ? `, which is refused, for others on this computer can read it: chmod 600 ${resolve(path)}`
    : '';
}

function notYourWord(found: FoundProfile, token: Setting<TokenSource | null>): string {
  const refusal = token.value === null ? null : untrusted(token.value, token.origin, found);
  if (refusal !== null) return `${refusal.message}\n${refusal.remedy}`;
  return `The profile "${found.name}" stands in ${found.file}, a file of the folder that the command was started in: on its word no token of yours is sent, no command is run, and no token file of another folder is read.`;
}

/** The names of what a profile says otherwise than is assumed, or nothing. */
function contractChanges(found: FoundProfile | null): string | undefined {
  const contract = found?.profile.contract;
  if (contract === undefined) return undefined;
  const names = Object.keys(assumedContract) as (keyof typeof assumedContract)[];
  const changed = names.filter((name) => JSON.stringify(contract[name]) !== JSON.stringify(assumedContract[name]));
  return changed.length === 0 ? undefined : `changed: ${changed.join(', ')}`;
}

interface LookedAt {
  readonly path: string;
  readonly isThere: boolean;
  /** Whether what it says is the person's own word. */
  readonly isOwn: boolean;
}

function filesLookedAt(named: string | undefined): readonly LookedAt[] {
  const places = named === undefined ? usualPlaces() : [{ path: resolve(named), isTrusted: true }];
  return places.map(({ path, isTrusted }) => ({ path, isThere: existsSync(path), isOwn: isTrusted }));
}

const labels: Readonly<Record<string, string>> = {
  service: 'Service',
  token: 'Token',
  ledger: 'Ledger',
  concurrency: 'In flight at most',
  rate: 'Requests a second',
  timeout: 'Seconds to wait',
  batch: 'Transactions a request',
  idempotencyKey: 'Idempotency keys',
  contract: 'Contract',
};

function settingsText(settings: Readonly<Record<string, Setting<Shown>>>): string {
  const widest = Math.max(...Object.values(labels).map((label) => label.length));
  const lines = Object.entries(settings).flatMap(([name, { value, origin, overridden }]) => [
    `${(labels[name] ?? name).padEnd(widest)}  ${valueText(name, value)}  (${origin === 'default' && value === null ? 'not set' : origin})`,
    ...overridden.map(
      ({ value: other, origin: who }) => `${' '.repeat(widest)}    instead of ${valueText(name, other)}  (${who})`,
    ),
  ]);
  return lines.join('\n');
}

function valueText(name: string, value: Shown): string {
  if (value === null) return name === 'rate' ? 'no ceiling' : 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function filesText(files: readonly LookedAt[]): string {
  return files
    .map(({ path, isThere, isOwn }) => `${!isThere ? 'Not there' : isOwn ? 'Read' : 'Read, not your own'}: ${path}`)
    .join('\n');
}
