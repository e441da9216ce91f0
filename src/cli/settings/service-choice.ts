/** Which service a command speaks to: the sandbox, a profile, or an address. It is always the person who chooses. */
import { assumedContract, type ContractSettings } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import { defaultBatch, defaultConcurrency, defaultTimeoutSeconds } from '../../load/defaults.ts';
import { shellWord } from '../../messages/commands.ts';
import { millisecondsOfSecond } from '../../seconds.ts';
import { readAddress, refuseUncheckedTls } from '../../service/address.ts';
import { proxyOf, type ServiceProxy } from '../../service/proxy.ts';
import { type FoundProfile, findProfile, profileNames, readConfiguration } from './configuration.ts';
import { fromEnvironment, numberFromEnvironment } from './environment.ts';
import {
  type Candidate,
  fromFlag,
  fromProfile,
  fromVariable,
  type Setting,
  settled,
  textFromVariable,
} from './setting.ts';
import { type ChosenToken, chosenToken } from './token-choice.ts';

export interface ServiceFlags {
  readonly sandbox: boolean;
  readonly profile: string | undefined;
  readonly url: string | undefined;
  readonly config: string | undefined;
  readonly tokenFile: string | undefined;
  readonly concurrency: number | undefined;
  readonly rate: number | undefined;
  readonly timeout: number | undefined;
  readonly batch: number | undefined;
}

export interface ServiceAddressChoice {
  readonly url: URL;
  /** The proxy by which it is reached, where the environment names one. */
  readonly proxy: ServiceProxy | null;
  readonly token: ChosenToken;
  /** Whether nothing checks who answers: the environment and the profile both say so. */
  readonly isUnchecked: boolean;
  /** How the person named it: by `profile`, by `url`, or by both where the profile is rehearsed at another address. */
  readonly name: Readonly<Record<string, string>>;
}

export interface ServiceChoice {
  /** `null`: the sandbox, which is started for the time of the command. */
  readonly address: ServiceAddressChoice | null;
  /** The profile whose contract and pace are in force, or `null`. */
  readonly profile: string | null;
  readonly contract: ContractSettings;
  readonly concurrency: number;
  readonly rate: number | null;
  readonly timeoutMs: number;
  readonly batch: number;
  readonly idempotencyKeys: boolean;
}

/**
 * Puts flags, environment, configuration files and defaults together, in that order.
 *
 * @throws DealsheetError `usage` when no address was chosen, two were, or there is no token for it
 */
export function chooseService(flags: ServiceFlags): ServiceChoice {
  const choice = chosenAddress(flags);
  const profile = choice.profile?.profile ?? null;
  const { concurrency, rate, timeout, batch } = paceSettings(flags, choice.profile);
  return {
    address: choice.url === null ? null : addressChoice(choice.url, choice, flags),
    profile: choice.profile?.name ?? null,
    contract: profile?.contract ?? assumedContract,
    concurrency: concurrency.value,
    rate: rate.value,
    timeoutMs: millisecondsOfSecond * timeout.value,
    batch: batch.value,
    idempotencyKeys: choice.url === null || profile?.idempotencyKey === true,
  };
}

export interface PaceSettings {
  readonly concurrency: Setting<number>;
  /** Requests a second, or `null` for no ceiling. */
  readonly rate: Setting<number | null>;
  /** In seconds. */
  readonly timeout: Setting<number>;
  readonly batch: Setting<number>;
}

export function paceSettings(
  flags: Pick<ServiceFlags, 'concurrency' | 'rate' | 'timeout' | 'batch'>,
  found: FoundProfile | null,
): PaceSettings {
  const candidates = (name: 'concurrency' | 'rate' | 'timeout' | 'batch') => [
    fromFlag(`--${name}`, flags[name]),
    fromVariable(name.toUpperCase(), numberFromEnvironment),
    fromProfile(found, found?.profile[name]),
  ];
  return {
    concurrency: settled(candidates('concurrency'), defaultConcurrency),
    rate: settled<number | null>(candidates('rate'), null),
    timeout: settled(candidates('timeout'), defaultTimeoutSeconds),
    batch: settled(candidates('batch'), defaultBatch),
  };
}

/** The contract that a check goes by: that of a profile when one is named, else the assumed one. */
export function chooseContract(flags: Pick<ServiceFlags, 'profile' | 'config'>): ContractSettings {
  const name = flags.profile ?? fromEnvironment('PROFILE');
  if (name === null) return assumedContract;
  return findProfile(readConfiguration(flags.config ?? null), name).profile.contract ?? assumedContract;
}

/** Who names the service: the sandbox, an address, or a profile. */
export type NamedService =
  | { readonly by: 'sandbox' }
  | { readonly by: 'url'; readonly url: string }
  | { readonly by: 'profile'; readonly profile: string };

type AddressFlags = Pick<ServiceFlags, 'sandbox' | 'profile' | 'url'>;

/**
 * The service as it is named in flags and environment; its value is `null` when nobody names one.
 *
 * @throws DealsheetError `usage` when two flags name one
 */
export function namedService(flags: AddressFlags): Setting<NamedService | null> {
  refuseTwoServices(flags);
  const byUrl = (candidate: Candidate<string> | null) =>
    candidate === null ? null : { ...candidate, value: { by: 'url' as const, url: candidate.value } };
  const byProfile = (candidate: Candidate<string> | null) =>
    candidate === null ? null : { ...candidate, value: { by: 'profile' as const, profile: candidate.value } };
  return settled<NamedService | null>(
    [
      flags.sandbox ? { value: { by: 'sandbox' }, origin: '--sandbox' } : null,
      byUrl(fromFlag('--url', flags.url)),
      byProfile(fromFlag('--profile', flags.profile)),
      byUrl(textFromVariable('URL')),
      byProfile(textFromVariable('PROFILE')),
    ],
    null,
  );
}

/** A profile beside one of them is rehearsed there: its contract and pace count, and its token stays where it is. */
function refuseTwoServices(flags: AddressFlags): void {
  if (flags.sandbox && flags.url !== undefined)
    throw new DealsheetError('usage', '--sandbox and --url name two services.', 'Keep one of them.');
}

interface ChosenAddress {
  readonly url: URL | null;
  readonly profile: FoundProfile | null;
  /** Whether the address is that of the profile. */
  readonly isOfProfile: boolean;
}

function chosenAddress(flags: ServiceFlags): ChosenAddress {
  const named = namedService(flags).value;
  if (named === null) throw noService(profileNames(readConfiguration(flags.config ?? null)));
  const name = named.by === 'profile' ? named.profile : flags.profile;
  const profile = name === undefined ? null : findProfile(readConfiguration(flags.config ?? null), name);
  const isOfProfile = named.by === 'profile' && profile !== null;
  const address = named.by === 'url' ? named.url : isOfProfile ? profile.profile.url : null;
  return { url: address === null ? null : readAddress(address), profile, isOfProfile };
}

function addressChoice(url: URL, { profile, isOfProfile }: ChosenAddress, flags: ServiceFlags): ServiceAddressChoice {
  const owner = isOfProfile ? profile : null;
  return {
    url,
    proxy: proxyOf(url, process.env),
    token: chosenToken(flags, owner),
    isUnchecked: refuseUncheckedTls(url, owner?.profile.insecureTls === true),
    name: {
      ...(profile === null ? {} : { profile: profile.name }),
      ...(isOfProfile ? {} : { url: url.href }),
    },
  };
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
