/** Which service a command speaks to, and with which token: the sandbox, a profile, or an address. It is always the person who chooses. */
import { dirname, resolve } from 'node:path';
import { assumedContract, type ContractSettings } from '../contract/contract-settings.ts';
import { type DealsheetError, usageError } from '../errors.ts';
import { defaultBatch, defaultConcurrency, defaultTimeoutSeconds } from '../load/defaults.ts';
import { shellWord } from '../messages/commands.ts';
import { readAddress, refuseUncheckedTls } from '../service/address.ts';
import type { Credentials } from '../service/tokens.ts';
import {
  besideConfiguration,
  type FoundProfile,
  findProfile,
  profileNames,
  readConfiguration,
  type Setting,
  said,
  saidByProfile,
  saidByVariable,
  settled,
} from './configuration.ts';
import { type addressFlags, type FlagsNamed, numberSaid, type paceFlags } from './flags.ts';

export type ServiceFlags = Partial<FlagsNamed<readonly [...typeof addressFlags, ...typeof paceFlags]>>;

export type NamedService =
  | { readonly by: 'sandbox' }
  | { readonly by: 'url'; readonly url: string }
  | { readonly by: 'profile'; readonly profile: string };

/** All that steers how a service is spoken to, with who says it. */
export interface ServiceSettings {
  readonly service: Setting<NamedService | null>;
  /** The profile that names the service, or that is rehearsed at another address; `null` for none. */
  readonly found: FoundProfile | null;
  /** The profile whose address and token are meant, or `null`. */
  readonly owner: FoundProfile | null;
  readonly token: Setting<TokenSource | null>;
  readonly concurrency: Setting<number>;
  /** Requests a second, or `null` for no ceiling. */
  readonly rate: Setting<number | null>;
  readonly timeout: Setting<number>;
  readonly batch: Setting<number>;
}

/** @throws DealsheetError `usage` when two flags name a service, or there is no such profile */
export function serviceSettings(flags: ServiceFlags): ServiceSettings {
  if (flags.sandbox && flags.url !== undefined)
    throw usageError('--sandbox and --url name two services.', 'Keep one of them.');
  const byUrl = (url: string): NamedService => ({ by: 'url', url });
  const byProfile = (profile: string): NamedService => ({ by: 'profile', profile });
  const service = settled<NamedService | null>(
    [
      said('--sandbox', flags.sandbox || undefined, () => ({ by: 'sandbox' })),
      said('--url', flags.url, byUrl),
      said('--profile', flags.profile, byProfile),
      saidByVariable('URL', byUrl),
      saidByVariable('PROFILE', byProfile),
    ],
    null,
  );
  // A profile beside an address is rehearsed there: its contract and pace count, and its token stays where it is.
  const name = service.value?.by === 'profile' ? service.value.profile : flags.profile;
  const found = name === undefined ? null : findProfile(readConfiguration(flags.config), name);
  const owner = service.value?.by === 'profile' ? found : null;
  const number = <Fallback>(name: 'concurrency' | 'rate' | 'timeout' | 'batch', fallback: Fallback) =>
    settled<number | Fallback>(
      [
        said(`--${name}`, flags[name]),
        saidByVariable(name.toUpperCase(), (text) => numberSaid(`DEALSHEET_${name.toUpperCase()}`, text)),
        saidByProfile(found, found?.profile[name]),
      ],
      fallback,
    );
  return {
    ...{ service, found, owner, token: tokenSetting(flags.tokenFile, owner) },
    concurrency: number('concurrency', defaultConcurrency),
    rate: number('rate', null),
    timeout: number('timeout', defaultTimeoutSeconds),
    batch: number('batch', defaultBatch),
  };
}

/** The profile whose service is meant; `null` also where the settings cannot be read, which is told when they are needed. */
export function ownerOf(flags: ServiceFlags): FoundProfile | null {
  try {
    return serviceSettings(flags).owner;
  } catch {
    return null;
  }
}

/** The address of the service; `null` for the sandbox, and when no service is chosen. */
export function addressOf({ service, owner }: ServiceSettings): URL | null {
  const text = service.value?.by === 'url' ? service.value.url : owner?.profile.url;
  return text === undefined ? null : readAddress(text);
}

export interface ServiceChoice extends Omit<ServiceSettings, 'token'> {
  /** `null`: the sandbox, which is started for the time of the command, and gives a token. */
  readonly address: {
    readonly url: URL;
    readonly credentials: () => Promise<Credentials>;
    /** Whether nothing checks who answers: the environment and the profile both say so. */
    readonly isUnchecked: boolean;
  } | null;
  readonly contract: ContractSettings;
  readonly idempotencyKeys: boolean;
}

/** @throws DealsheetError `usage` when no address was chosen, two were, or there is no token for it */
export function chooseService(flags: ServiceFlags): ServiceChoice {
  const settings = serviceSettings(flags);
  const { found, owner } = settings;
  if (settings.service.value === null) throw noService(profileNames(readConfiguration(flags.config)));
  const url = addressOf(settings);
  return {
    ...settings,
    address: url && {
      url,
      credentials: credentialsOf(settings.token),
      isUnchecked: refuseUncheckedTls(url, owner?.profile.insecureTls === true),
    },
    contract: found?.profile.contract ?? assumedContract,
    idempotencyKeys: url === null || found?.profile.idempotencyKey === true,
  };
}

/** The profile that a command goes by which speaks to no service; `null` when none is named. */
export function chosenProfile({ profile, config }: Pick<ServiceFlags, 'profile' | 'config'>): FoundProfile | null {
  const name = profile ?? saidByVariable('PROFILE')?.value;
  return name === undefined ? null : findProfile(readConfiguration(config), name);
}

/** @throws DealsheetError `usage` for a profile into which nobody loads alone */
export function refuseUnapproved({ owner }: Pick<ServiceSettings, 'owner'>): void {
  if (owner?.profile.approval !== 'other') return;
  throw usageError(
    `The profile "${owner.name}" takes a load only by a plan that somebody else has made ("approval": "other").`,
    'Write a plan with dealsheet import FILE --plan PLAN, and let a colleague load it with --apply PLAN. Nothing was sent.',
  );
}

function noService(stored: readonly string[]): DealsheetError {
  const profile =
    stored.length === 0
      ? 'Store one with dealsheet setup and name it with --profile NAME'
      : `Name the one that you have stored with ${stored.map((name) => `--profile ${shellWord(name)}`).join(' or ')}`;
  return usageError(
    'No service was chosen: nothing was sent.',
    `${profile}, give --url https://…, or rehearse with --sandbox.`,
  );
}

/** Where a token comes from, in words, before it is read. */
export interface TokenSource {
  readonly place: string;
  readonly credentials: () => Promise<Credentials>;
}

const tokens = () => import('../service/tokens.ts');

/** Its value is `null` when nobody says. */
function tokenSetting(tokenFile: string | undefined, found: FoundProfile | null): Setting<TokenSource | null> {
  const { tokenCommand, tokenFile: ofProfile } = found?.profile ?? {};
  const configuration = found?.file ?? '';
  const inEnvironment = (text: string): TokenSource => ({
    place: 'the environment variable DEALSHEET_TOKEN',
    credentials: async () => (await tokens()).fixedToken(text, 'DEALSHEET_TOKEN'),
  });
  const ofFile = (path: string): TokenSource => ({
    place: `the file ${resolve(path)}`,
    credentials: async () => {
      const credentials = (await tokens()).tokenFromFile(path);
      // A file that holds no token is a setting that is wrong: the service has not refused anything.
      await credentials.token();
      return credentials;
    },
  });
  const ofCommand = (command: readonly string[]): TokenSource => ({
    place: `the command ${command[0]}`,
    credentials: async () => {
      const { tokenCommandTimeoutMs: timeoutMs, tokenFromCommand } = await tokens();
      return tokenFromCommand({ command, folder: dirname(configuration), timeoutMs });
    },
  });
  return settled<TokenSource | null>(
    [
      said('--token-file', tokenFile, ofFile),
      saidByVariable('TOKEN', inEnvironment),
      saidByVariable('TOKEN_FILE', ofFile),
      saidByProfile(found, tokenCommand, ofCommand),
      saidByProfile(found, ofProfile, (path) => ofFile(besideConfiguration(configuration, path))),
    ],
    null,
  );
}

/** @throws DealsheetError `usage` when there is no token */
function credentialsOf({ value, origin, overridden }: Setting<TokenSource | null>): TokenSource['credentials'] {
  if (value === null)
    throw usageError(
      'There is no token for the service: nothing was sent.',
      'Put it into the environment variable DEALSHEET_TOKEN, name a file with --token-file, or store it with dealsheet setup.',
    );
  const { place, credentials } = value;
  // A token that was left in the environment is easily forgotten, and goes before the one of the profile that was named.
  const next = overridden.find((one) => one.value !== null && one.value.place !== place);
  const before = next?.value ? `, which goes before ${inWords(next.value.place, next.origin)}` : '';
  return async () => ({ ...(await credentials()), from: `${inWords(place, origin)}${before}` });
}

function inWords(place: string, origin: string): string {
  return place.endsWith(origin) ? place : `${place} (${origin})`;
}
