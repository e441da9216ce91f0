/** Which service a command speaks to: the sandbox, a profile, or an address. It is always the person who chooses. */
import { assumedContract, type ContractSettings } from '../contract/contract-settings.ts';
import { DealsheetError } from '../errors.ts';
import { defaultBatch } from '../pipeline/defaults.ts';
import {
  besideConfiguration,
  type FoundProfile,
  findProfile,
  type Profile,
  readConfiguration,
} from './configuration.ts';
import { fromEnvironment, numberFromEnvironment } from './environment.ts';

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

/** Where the token comes from, before it is read. */
export type TokenSource =
  | { readonly from: 'environment'; readonly text: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'command'; readonly command: readonly string[] };

export interface ServiceAddressChoice {
  readonly url: URL;
  readonly token: TokenSource;
  /** How the person named it: `{ profile: 'live' }` or `{ url: 'https://…' }`. */
  readonly name: Readonly<Record<string, string>>;
}

export interface ServiceChoice {
  /** `null`: the sandbox, which is started for the time of the command. */
  readonly address: ServiceAddressChoice | null;
  readonly contract: ContractSettings;
  readonly concurrency: number;
  readonly rate: number | null;
  readonly timeoutMs: number;
  readonly batch: number;
  readonly idempotencyKeys: boolean;
}

const defaultConcurrency = 32;
const defaultTimeoutSeconds = 60;

const millisecondsOfSecond = 1000;

/**
 * Puts flags, environment, configuration files and defaults together, in that order.
 *
 * @throws DealsheetError `usage` when no address was chosen, two were, or there is no token for it
 */
export function chooseService(flags: ServiceFlags): ServiceChoice {
  const choice = chosenAddress(flags);
  const profile = choice.profile?.profile ?? null;
  return {
    address: choice.url === null ? null : addressChoice(choice.url, choice.profile, flags),
    contract: profile?.contract ?? assumedContract,
    concurrency:
      flags.concurrency ?? numberFromEnvironment('CONCURRENCY') ?? profile?.concurrency ?? defaultConcurrency,
    rate: flags.rate ?? numberFromEnvironment('RATE') ?? profile?.rate ?? null,
    timeoutMs:
      millisecondsOfSecond *
      (flags.timeout ?? numberFromEnvironment('TIMEOUT') ?? profile?.timeout ?? defaultTimeoutSeconds),
    batch: flags.batch ?? numberFromEnvironment('BATCH') ?? profile?.batch ?? defaultBatch,
    idempotencyKeys: choice.url === null || profile?.idempotencyKey === true,
  };
}

/** The contract that a check goes by: that of a profile when one is named, else the assumed one. */
export function chooseContract(flags: Pick<ServiceFlags, 'profile' | 'config'>): ContractSettings {
  const name = flags.profile ?? fromEnvironment('PROFILE');
  if (name === null || name === undefined) return assumedContract;
  return findProfile(readConfiguration(flags.config ?? null), name).profile.contract ?? assumedContract;
}

interface ChosenAddress {
  readonly url: URL | null;
  readonly profile: FoundProfile | null;
}

function chosenAddress(flags: ServiceFlags): ChosenAddress {
  const given = [
    flags.sandbox ? '--sandbox' : null,
    flags.profile ? '--profile' : null,
    flags.url ? '--url' : null,
  ].filter((flag) => flag !== null);
  if (given.length > 1) {
    throw new DealsheetError('usage', `${given.join(' and ')} name two services.`, 'Keep one of them.');
  }
  if (flags.sandbox) return { url: null, profile: null };
  const url = flags.url ?? (flags.profile === undefined ? fromEnvironment('URL') : null);
  if (url !== null) return { url: parsedUrl(url), profile: null };
  const name = flags.profile ?? fromEnvironment('PROFILE');
  if (name === null || name === undefined) throw noService();
  const profile = findProfile(readConfiguration(flags.config ?? null), name);
  return { url: parsedUrl(profile.profile.url), profile };
}

function addressChoice(url: URL, profile: FoundProfile | null, flags: ServiceFlags): ServiceAddressChoice {
  const name: Record<string, string> = profile === null ? { url: url.href } : { profile: profile.name };
  return { url, token: tokenSource(flags, profile), name };
}

function noService(): DealsheetError {
  return new DealsheetError(
    'usage',
    'No service was chosen: nothing was sent.',
    'Name one with --profile NAME or --url https://…, or rehearse with --sandbox.',
  );
}

function parsedUrl(text: string): URL {
  if (!URL.canParse(text)) {
    throw new DealsheetError('usage', `"${text}" is not an address.`, 'Write it like https://service.example.');
  }
  return new URL(text);
}

function tokenSource(flags: ServiceFlags, profile: FoundProfile | null): TokenSource {
  const file = flags.tokenFile ?? fromEnvironment('TOKEN_FILE');
  if (flags.tokenFile !== undefined) return { from: 'file', path: flags.tokenFile };
  const text = fromEnvironment('TOKEN');
  if (text !== null) return { from: 'environment', text };
  if (file !== null) return { from: 'file', path: file };
  if (profile !== null) {
    const found = tokenSourceOfProfile(profile, profile.profile);
    if (found !== null) return found;
  }
  throw new DealsheetError(
    'usage',
    'There is no token for the service: nothing was sent.',
    'Put it into the environment variable DEALSHEET_TOKEN, name a file with --token-file, or set tokenCommand in the profile.',
  );
}

function tokenSourceOfProfile(found: FoundProfile, profile: Profile): TokenSource | null {
  if (profile.tokenCommand !== undefined) {
    if (found.isTrusted) return { from: 'command', command: profile.tokenCommand };
    throw new DealsheetError(
      'usage',
      `The profile "${found.name}" in ${found.file} has a token command, and a command is not run on the word of whatever folder this is.`,
      'Move the profile into your own configuration folder, or name the file with --config.',
    );
  }
  return profile.tokenFile === undefined
    ? null
    : { from: 'file', path: besideConfiguration(found.file, profile.tokenFile) };
}
