/** Which service a command speaks to: the sandbox, a profile, or an address. It is always the person who chooses. */
import { assumedContract, type ContractSettings } from '../contract/contract-settings.ts';
import { DealsheetError } from '../errors.ts';
import { defaultBatch, defaultConcurrency, defaultTimeoutSeconds } from '../load/defaults.ts';
import { shellWord } from '../messages/commands.ts';
import { readAddress, refuseUncheckedTls } from '../service/address.ts';
import { type FoundProfile, findProfile, profileNames, readConfiguration } from './configuration.ts';
import { fromFlag, fromVariable, numberSetting, readAs, type Setting, settled } from './setting.ts';
import { type ChosenToken, chosenToken, type TokenSource, tokenSetting } from './token-choice.ts';

export interface ServiceFlags {
  readonly sandbox?: boolean;
  readonly profile?: string | undefined;
  readonly url?: string | undefined;
  readonly config?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly rate?: number | undefined;
  readonly timeout?: number | undefined;
  readonly batch?: number | undefined;
}

/** Who names the service: the sandbox, an address, or a profile. */
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
  /** In seconds. */
  readonly timeout: Setting<number>;
  readonly batch: Setting<number>;
}

/**
 * Puts flags, environment, configuration files and defaults together, in that order.
 *
 * @throws DealsheetError `usage` when two flags name a service, or there is no such profile
 */
export function serviceSettings(flags: ServiceFlags): ServiceSettings {
  if (flags.sandbox && flags.url !== undefined)
    throw new DealsheetError('usage', '--sandbox and --url name two services.', 'Keep one of them.');
  const byUrl = (url: string) => ({ by: 'url', url }) as const;
  const byProfile = (profile: string) => ({ by: 'profile', profile }) as const;
  const service = settled<NamedService | null>(
    [
      flags.sandbox ? { value: { by: 'sandbox' }, origin: '--sandbox' } : null,
      readAs(fromFlag('--url', flags.url), byUrl),
      readAs(fromFlag('--profile', flags.profile), byProfile),
      readAs(fromVariable('URL'), byUrl),
      readAs(fromVariable('PROFILE'), byProfile),
    ],
    null,
  );
  // A profile beside an address is rehearsed there: its contract and pace count, and its token stays where it is.
  const name = service.value?.by === 'profile' ? service.value.profile : flags.profile;
  const found = name === undefined ? null : findProfile(readConfiguration(flags.config ?? null), name);
  const owner = service.value?.by === 'profile' ? found : null;
  return {
    service,
    found,
    owner,
    token: tokenSetting(flags.tokenFile, owner),
    concurrency: numberSetting('concurrency', flags.concurrency, found, defaultConcurrency),
    rate: numberSetting('rate', flags.rate, found, null),
    timeout: numberSetting('timeout', flags.timeout, found, defaultTimeoutSeconds),
    batch: numberSetting('batch', flags.batch, found, defaultBatch),
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
  /** `null`: the sandbox, which is started for the time of the command. */
  readonly url: URL | null;
  /** `null` for the sandbox, which gives one. */
  readonly token: ChosenToken | null;
  /** Whether nothing checks who answers: the environment and the profile both say so. */
  readonly isUnchecked: boolean;
  readonly contract: ContractSettings;
  readonly idempotencyKeys: boolean;
}

/** @throws DealsheetError `usage` when no address was chosen, two were, or there is no token for it */
export function chooseService(flags: ServiceFlags): ServiceChoice {
  const settings = serviceSettings(flags);
  const { found, owner } = settings;
  if (settings.service.value === null) throw noService(profileNames(readConfiguration(flags.config ?? null)));
  const url = addressOf(settings);
  return {
    ...settings,
    url,
    token: url === null ? null : chosenToken(settings.token, owner),
    isUnchecked: url !== null && refuseUncheckedTls(url, owner?.profile.insecureTls === true),
    contract: found?.profile.contract ?? assumedContract,
    idempotencyKeys: url === null || found?.profile.idempotencyKey === true,
  };
}

/** The contract that a check goes by: that of a profile when one is named, else the assumed one. */
export function chooseContract(flags: Pick<ServiceFlags, 'profile' | 'config'>): ContractSettings {
  const name = flags.profile ?? fromVariable('PROFILE')?.value;
  if (name === undefined) return assumedContract;
  return findProfile(readConfiguration(flags.config ?? null), name).profile.contract ?? assumedContract;
}

/** Of a profile into which nobody loads alone. */
export function needsApproval(profile: string): DealsheetError {
  return new DealsheetError(
    'usage',
    `The profile "${profile}" takes a load only by a plan that somebody else has made ("approval": "other").`,
    'Write a plan with dealsheet import FILE --plan PLAN, and let a colleague load it with --apply PLAN. Nothing was sent.',
  );
}

/** @param stored  the names of profiles */
function noService(stored: readonly string[]): DealsheetError {
  const profile =
    stored.length === 0
      ? 'Store one with dealsheet setup and name it with --profile NAME'
      : `Name the one that you have stored with ${stored.map((name) => `--profile ${shellWord(name)}`).join(' or ')}`;
  return new DealsheetError(
    'usage',
    'No service was chosen: nothing was sent.',
    `${profile}, give --url https://…, or rehearse with --sandbox.`,
  );
}
