/** `dealsheet config`: what is in force, and who says so; the token never. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { assumedContract } from '../../contract/contract-settings.ts';
import { fileAt } from '../../disk/same-file.ts';
import { readAddress } from '../../service/address.ts';
import { proxyOf } from '../../service/proxy.ts';
import { isOpenToOthers } from '../../service/tokens/credentials.ts';
import { type FoundProfile, placesOf, profileNames, readConfiguration } from '../../settings/configuration.ts';
import { ledgerSetting } from '../../settings/ledger-choice.ts';
import { addressOf, serviceSettings } from '../../settings/service-choice.ts';
import { fromProfile, type Setting, settled } from '../../settings/setting.ts';
import { type TokenSource, untrusted } from '../../settings/token-choice.ts';
import { command } from '../command.ts';
import { addressFlags, paceFlags, withFlags } from '../flags.ts';
import { exitCodes } from '../terminal/exit-code.ts';
import { openTerminal } from '../terminal/terminal.ts';

export const configCommand = command({
  command: 'config',
  describe: 'Show which settings are in force, and where each comes from',
  examples: [
    ['dealsheet config', 'which service, token, ledger and pace are in force, and who says so'],
    ['dealsheet config --profile live', 'the same for a profile'],
  ],
  builder: (yargs) => withFlags(yargs, ...addressFlags, ...paceFlags, 'ledger', 'json'),
  run: async (flags, answer) => {
    const settings = serviceSettings(flags);
    const { service, token, found, owner, concurrency, rate, timeout, batch } = settings;
    const address = addressOf(settings);
    const proxy = address === null ? null : proxyOf(address, process.env);
    const shown: Shown = {
      service: mapped(service, (named) => {
        if (named?.by === 'sandbox') return 'the sandbox';
        if (named === null) return null;
        // An address that holds what must not be shown is refused, also where another one stands above it.
        if (named.by === 'url') return readAddress(named.url) && named.url;
        return named.profile === owner?.name ? owner.profile.url : `profile "${named.profile}"`;
      }),
      proxy: settled<string | null>([proxy && { value: proxy.url.origin, origin: proxy.from }], null),
      token: mapped(token, (source, origin) => tokenText(source, origin, owner)),
      ledger: ledgerSetting(flags),
      concurrency,
      rate,
      timeout,
      batch,
      idempotencyKey: settled([fromProfile(found, found?.profile.idempotencyKey)], service.value?.by === 'sandbox'),
      contract: settled([fromProfile(found, contractChanges(found))], 'as assumed'),
    };
    const files = placesOf(flags.config ?? null).map(({ path, isTrusted }) => ({
      path,
      isThere: existsSync(path),
      isOwn: isTrusted,
    }));
    const stored = profileNames(readConfiguration(flags.config ?? null)).join(', ');
    const notices = [
      ...(found === null || found.isTrusted ? [] : [notYourWord(found, token)]),
      // A stored service is not in force by itself: you choose it for each command.
      ...(service.value === null && stored !== ''
        ? [`Stored profiles: ${stored}. Choose one with --profile NAME.`]
        : []),
    ];
    const told = files.map(
      ({ path, isThere, isOwn }) => `${!isThere ? 'Not there' : isOwn ? 'Read' : 'Read, not your own'}: ${path}`,
    );
    if (flags.json) answer.give(JSON.stringify({ settings: shown, files, notices }));
    else openTerminal({ quiet: false }).print([settingsText(shown), told.join('\n'), ...notices].join('\n\n'));
    return exitCodes.allIn;
  },
});

type Shown = Readonly<Record<string, Setting<string | number | boolean | null>>>;

function mapped<From, To>(setting: Setting<From>, to: (value: From, origin: string) => To): Setting<To> {
  const { value, origin } = setting;
  const overridden = setting.overridden.map((other) => ({ ...other, value: to(other.value, other.origin) }));
  return { value: to(value, origin), origin, overridden };
}

/** Where the token would come from: never what it is. */
function tokenText(source: TokenSource | null, origin: string, owner: FoundProfile | null): string | null {
  if (source === null) return null;
  const isUsed = owner === null || untrusted(source, origin, owner) === null;
  const unused = (how: string) => (isUsed ? '' : `: not ${how}, for the file is not your own`);
  if (source.from === 'environment') return `the variable itself (hidden)${unused('sent')}`;
  if (source.from === 'command') return `what ${source.command[0]} prints${unused('run')}`;
  const path = resolve(source.path);
  return `the file ${path}${unused('read') || stateOfFile(path)}`;
}

function stateOfFile(path: string): string {
  const found = fileAt(path);
  if (found === null) return ', which is not there';
  const isOpen = isOpenToOthers(Number(found.mode));
  return isOpen ? `, which is refused, for others on this computer can read it: chmod 600 ${path}` : '';
}

function notYourWord(found: FoundProfile, token: Setting<TokenSource | null>): string {
  const refusal = token.value === null ? null : untrusted(token.value, token.origin, found);
  if (refusal !== null) return `${refusal.message}\n${refusal.remedy}`;
  return `The profile "${found.name}" is in ${found.file}, which is not your own configuration: with it no token of yours is sent, no command is run, and no token file of another folder is read.`;
}

/** The names of what a profile says otherwise than is assumed, or nothing. */
function contractChanges(found: FoundProfile | null): string | undefined {
  const contract = found?.profile.contract;
  if (contract === undefined) return undefined;
  const names = Object.keys(assumedContract) as (keyof typeof assumedContract)[];
  const changed = names.filter((name) => JSON.stringify(contract[name]) !== JSON.stringify(assumedContract[name]));
  return changed.length === 0 ? undefined : `changed: ${changed.join(', ')}`;
}

function settingsText(settings: Shown): string {
  const widest = Math.max(...Object.keys(settings).map((name) => name.length));
  const lines = Object.entries(settings).flatMap(([name, { value, origin, overridden }]) => [
    `${name.padEnd(widest)}  ${valueText(value)}  (${origin === 'default' && value === null ? 'not set' : origin})`,
    ...overridden.map((other) => `${' '.repeat(widest)}    instead of ${valueText(other.value)}  (${other.origin})`),
  ]);
  return lines.join('\n');
}

function valueText(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? 'none');
}
