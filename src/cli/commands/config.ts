/** `dealsheet config`: what is in force, and who says so; the token never. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { assumedContract } from '../../contract/contract-settings.ts';
import { command } from '../command.ts';
import { type FoundProfile, findProfile, readConfiguration, usualPlaces } from '../configuration.ts';
import { exitCodes } from '../exit-code.ts';
import { ledgerSetting, withLedgerFlag } from '../ledger-choice.ts';
import { fromProfile, namedService, paceSettings, type TokenSource, tokenSetting } from '../service-choice.ts';
import { withAddressFlags, withPaceFlags } from '../service-flags.ts';
import { type Setting, settled } from '../setting.ts';

export const configCommand = command({
  examples: [
    ['dealsheet config', 'which service, token, ledger and pace are in force, and who says so'],
    ['dealsheet config --profile live', 'the same for a profile'],
  ],
  builder: (yargs) =>
    withLedgerFlag(withPaceFlags(withAddressFlags(yargs))).options({
      json: { type: 'boolean', default: false, describe: 'Print one JSON object' },
    }),
  run: async (flags) => {
    const service = namedService(flags);
    const found = profileOf(service.value, flags.config);
    const shown: Readonly<Record<string, Setting<Shown>>> = {
      service: mapped(service, (value) => serviceText(value, found)),
      token: mapped(tokenSetting(flags, found), (source) => tokenText(source, found)),
      ledger: ledgerSetting(flags),
      ...paceSettings(flags, found),
      idempotencyKey: settled([fromProfile(found, found?.profile.idempotencyKey)], service.value?.by === 'sandbox'),
      contract: settled([fromProfile(found, contractChanges(found))], 'as assumed'),
    };
    const files = filesLookedAt(flags.config);
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ settings: shown, files })}\n`
        : `${settingsText(shown)}\n\n${filesText(files)}\n`,
    );
    return exitCodes.allIn;
  },
});

type Shown = string | number | boolean | null;

function mapped<From, To>(setting: Setting<From>, to: (value: From) => To): Setting<To> {
  return {
    value: to(setting.value),
    origin: setting.origin,
    overridden: setting.overridden.map(({ value, origin }) => ({ value: to(value), origin })),
  };
}

function profileOf(named: ReturnType<typeof namedService>['value'], config: string | undefined): FoundProfile | null {
  return named?.by === 'profile' ? findProfile(readConfiguration(config ?? null), named.profile) : null;
}

function serviceText(named: ReturnType<typeof namedService>['value'], found: FoundProfile | null): string | null {
  switch (named?.by) {
    case 'sandbox':
      return 'the sandbox';
    case 'url':
      return named.url;
    case 'profile':
      return found?.name === named.profile ? found.profile.url : `profile "${named.profile}"`;
    default:
      return null;
  }
}

/** Where the token would come from: never what it is. */
function tokenText(source: TokenSource | null, found: FoundProfile | null): string | null {
  switch (source?.from) {
    case 'environment':
      return 'the variable itself (hidden)';
    case 'file':
      return `the file ${resolve(source.path)}${existsSync(source.path) ? '' : ', which is not there'}`;
    case 'command':
      return `what ${source.command[0]} prints${found?.isTrusted === true ? '' : ': not run, for the file is not your own'}`;
    default:
      return null;
  }
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
}

function filesLookedAt(named: string | undefined): readonly LookedAt[] {
  const places = named === undefined ? usualPlaces().map(({ path }) => path) : [resolve(named)];
  return places.map((path) => ({ path, isThere: existsSync(path) }));
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
    `${(labels[name] ?? name).padEnd(widest)}  ${valueText(name, value)}  (${origin === 'default' && value === null ? 'nobody says' : origin})`,
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
  return files.map(({ path, isThere }) => `${isThere ? 'Read' : 'Not there'}: ${path}`).join('\n');
}
