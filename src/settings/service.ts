/** The service that a command uses, with its token and pace, and the session with it. Only the person chooses it. */
import { dirname, resolve } from 'node:path';
import { assumedContract, type ContractSettings } from '../contract/contract-settings.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { sandboxIdentity } from '../ledger/run-records.ts';
import { defaultBatch, defaultConcurrency, defaultTimeoutSeconds } from '../load/defaults.ts';
import { shellWord } from '../messages/commands.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import { readRecordedOptions, type SendingOptions } from '../plan/options.ts';
import { identityOf, proxyOf, readAddress, refuseUncheckedTls } from '../service/address.ts';
import type { ServiceClient, ServiceEvents } from '../service/client.ts';
import type { Credentials } from '../service/tokens.ts';
import {
  besideConfiguration,
  defaultSandboxData,
  type FoundProfile,
  findProfile,
  privatePathsOf,
  profileNamed,
  profileNames,
  readConfiguration,
  type Setting,
  said,
  saidByProfile,
  saidByVariable,
  settingOf,
} from './configuration.ts';
import { type Flags, numberSaid, numberSorts } from './flags.ts';
import { sourcesFolderOf } from './ledger-choice.ts';

interface NamedService {
  readonly by: 'sandbox' | 'url' | 'profile';
  /** The address, or the name of the profile. */
  readonly name: string;
}

export interface ServiceChoice {
  readonly service: Setting<NamedService | null>;
  /** The profile that names the service, or that is rehearsed at another address; `null` for none. */
  readonly chosen: FoundProfile | null;
  /** The profile whose address and token are used, or `null`. */
  readonly serviceProfile: FoundProfile | null;
  readonly token: Setting<TokenSource | null>;
  /** The records of the sandbox; the user's own by default. */
  readonly sandboxData: string;
  readonly concurrency: Setting<number>;
  /** Requests a second; `null` for no limit. */
  readonly rate: Setting<number | null>;
  readonly timeout: Setting<number>;
  readonly batch: Setting<number>;
  readonly contract: ContractSettings;
  /** Whether creates may be retried. */
  readonly idempotencyKeys: Setting<boolean>;
}

/**
 * @param isStored  uses the token that is stored with the profile, whatever the environment says
 * @throws DealsheetError `usage` when two flags name a service, or there is no such profile
 */
export function serviceSettings(flags: Flags, isStored = false): ServiceChoice {
  if (flags.sandbox && flags.url !== undefined) throw errorOf('service-twice');
  const named = (by: NamedService['by']) => (name: string | boolean) => ({ by, name: String(name) });
  const service = settingOf<NamedService | null>(
    [
      said('--sandbox', flags.sandbox || undefined, named('sandbox')),
      said('--url', flags.url, named('url')),
      said('--profile', flags.profile, named('profile')),
      saidByVariable('URL', named('url')),
      saidByVariable('PROFILE', named('profile')),
    ],
    null,
  );
  // A profile beside an address is rehearsed there: its contract and pace apply, but its token is not used.
  const name = service.value?.by === 'profile' ? service.value.name : flags.profile;
  const chosen = name === undefined ? null : findProfile(readConfiguration(flags.config), name);
  const serviceProfile = service.value?.by === 'profile' ? chosen : null;
  const number = <Fallback>(name: keyof typeof numberSorts, fallback: Fallback) =>
    settingOf<number | Fallback>(
      [
        said(`--${name}`, flags[name]),
        saidByVariable(name.toUpperCase(), (text) =>
          numberSaid(`DEALSHEET_${name.toUpperCase()}`, text, numberSorts[name]),
        ),
        saidByProfile(chosen, chosen?.profile[name]),
      ],
      fallback,
    );
  return {
    service,
    chosen,
    serviceProfile,
    token: tokenSetting(flags.tokenFile, serviceProfile, isStored),
    sandboxData: resolve(flags.sandboxData ?? defaultSandboxData),
    concurrency: number('concurrency', defaultConcurrency),
    rate: number('rate', null),
    timeout: number('timeout', defaultTimeoutSeconds),
    batch: number('batch', defaultBatch),
    contract: chosen?.profile.contract ?? assumedContract,
    idempotencyKeys: settingOf(
      [
        said(service.origin, service.value?.by === 'sandbox' || undefined),
        saidByProfile(chosen, chosen?.profile.idempotencyKey),
      ],
      false,
    ),
  };
}

/** The profile whose service is used. Also `null` when the settings cannot be read, because the command itself reports that. */
export function serviceProfileOf(flags: Flags): FoundProfile | null {
  try {
    return serviceSettings(flags).serviceProfile;
  } catch {
    return null;
  }
}

/** The address of the service; `null` for the sandbox, and when no service is chosen. */
export function addressOf({ service, serviceProfile }: ServiceChoice): URL | null {
  const text = service.value?.by === 'url' ? service.value.name : serviceProfile?.profile.url;
  return text === undefined ? null : readAddress(text);
}

/** @throws DealsheetError `usage` when no address was chosen, two were, or there is no token for it */
export function chooseService(flags: Flags, isStored = false): ServiceChoice {
  const choice = serviceSettings(flags, isStored);
  if (choice.service.value === null) {
    const stored = profileNames(readConfiguration(flags.config)).map((name) => `--profile ${shellWord(name)}`);
    throw errorOf('service-not-chosen', { stored: stored.join(' or ') });
  }
  const url = addressOf(choice);
  if (url !== null) {
    refuseUncheckedTls(url, choice.serviceProfile?.profile.insecureTls === true);
    credentialsOf(choice.token);
  }
  return choice;
}

/** The profile of a command that contacts no service; `null` when none is named. */
export function chosenProfile({ profile, config }: Flags): FoundProfile | null {
  const name = profile ?? saidByVariable('PROFILE')?.value;
  return name === undefined ? null : findProfile(readConfiguration(config), name);
}

/** @throws DealsheetError `usage` for a profile that requires a second person to load */
export function refuseUnapproved({ serviceProfile }: Pick<ServiceChoice, 'serviceProfile'>): void {
  if (serviceProfile?.profile.approval === 'other') throw errorOf('approval-by-other', { name: serviceProfile.name });
}

export interface TokenSource {
  readonly place: string;
  readonly credentials: () => Promise<Credentials>;
}

const tokens = () => import('../service/tokens.ts');

function tokenSetting(
  tokenFile: string | undefined,
  serviceProfile: FoundProfile | null,
  isStored: boolean,
): Setting<TokenSource | null> {
  const { tokenCommand, tokenFile: ofProfile } = serviceProfile?.profile ?? {};
  const configuration = serviceProfile?.file ?? '';
  const inEnvironment = (text: string): TokenSource => ({
    place: 'the environment variable DEALSHEET_TOKEN',
    credentials: async () => (await tokens()).fixedToken(text, 'DEALSHEET_TOKEN'),
  });
  const ofFile = (path: string): TokenSource => ({
    place: `the file ${resolve(path)}`,
    credentials: async () => {
      const credentials = (await tokens()).tokenFromFile(path);
      // An empty token file is a wrong setting; the service has not refused anything.
      await credentials.token();
      return credentials;
    },
  });
  const ofCommand = (command: readonly string[]): TokenSource => ({
    place: `the command ${command[0]}`,
    credentials: async () => (await tokens()).tokenFromCommand({ command, folder: dirname(configuration) }),
  });
  return settingOf<TokenSource | null>(
    [
      said('--token-file', tokenFile, ofFile),
      ...(isStored ? [] : [saidByVariable('TOKEN', inEnvironment), saidByVariable('TOKEN_FILE', ofFile)]),
      saidByProfile(serviceProfile, tokenCommand, ofCommand),
      saidByProfile(serviceProfile, ofProfile, (path) => ofFile(besideConfiguration(configuration, path))),
    ],
    null,
  );
}

/** @throws DealsheetError `usage` when there is no token */
function credentialsOf({ value, origin }: Setting<TokenSource | null>): TokenSource['credentials'] {
  if (value === null) throw errorOf('no-token');
  const { place, credentials } = value;
  const from = place.endsWith(origin) ? place : `${place} (${origin})`;
  return async () => ({ ...(await credentials()), from });
}

export interface ServiceSession {
  readonly url: URL;
  /** The key of the service in the ledger: its address, or the data file of a sandbox. */
  readonly identity: string;
  readonly target: Pick<SendingOptions, 'service' | 'serviceUrl' | 'contract' | 'idempotencyKeys'>;
  /** How the person named it, so that a resume finds it again. */
  readonly name: Readonly<Record<string, string>>;
  /** A note for the person, such as where the links in results lead, or `null`. */
  readonly notice: Message | null;
  connect(events: ServiceEvents): ServiceClient;
  close(): Promise<void>;
}

/** On this port, links in the results of a rehearsal open in the sandbox later. */
export const sandboxPort = 4010;

export async function openService(choice: ServiceChoice): Promise<ServiceSession> {
  const { ServiceClient } = await import('../service/client.ts');
  const address = addressOf(choice);
  const { credentials, name, ...opened } =
    address === null ? await openSandbox(choice) : await openAddress(address, choice);
  const { identity: service, url } = opened;
  const { contract } = choice;
  const idempotencyKeys = choice.idempotencyKeys.value;
  return {
    ...opened,
    target: { service, serviceUrl: url.href, contract, idempotencyKeys },
    name: { ...name, ...(choice.chosen && { profile: choice.chosen.name }) },
    connect: (events) =>
      new ServiceClient({
        url,
        contract,
        idempotencyKeys,
        concurrency: choice.concurrency.value,
        rate: choice.rate.value,
        timeoutMs: 1000 * choice.timeout.value,
        credentials,
        events,
        proxy: address && proxyOf(address, process.env),
      }),
  };
}

interface Opened extends Omit<ServiceSession, 'connect' | 'target'> {
  readonly credentials: Credentials;
}

async function openAddress(url: URL, { serviceProfile, token }: ServiceChoice): Promise<Opened> {
  return {
    url,
    identity: identityOf(url),
    name: serviceProfile === null ? { url: url.href } : {},
    notice: refuseUncheckedTls(url, serviceProfile?.profile.insecureTls === true)
      ? messageOf('certificate-unchecked')
      : null,
    credentials: await credentialsOf(token)(),
    close: async () => {},
  };
}

async function openSandbox({ contract, sandboxData: dataFile }: ServiceChoice): Promise<Opened> {
  const { fixedToken } = await import('../service/tokens.ts');
  const { defaultSandboxOptions, startSandbox } = await import('../sandbox/server.ts');
  const sandbox = await startSandbox({
    ...defaultSandboxOptions,
    port: sandboxPort,
    whenPortTaken: 'next',
    dataFile,
    contract: contract === assumedContract ? null : contract,
  });
  const url = new URL(sandbox.url);
  const data = dataFile === defaultSandboxData ? null : shellWord(dataFile);
  const otherPort = { usual: sandboxPort, port: url.port, data };
  return {
    url,
    identity: `${sandboxIdentity}${dataFile}`,
    name: { sandboxData: dataFile },
    notice: Number(url.port) === sandboxPort ? null : messageOf('sandbox-port-taken', otherPort),
    credentials: fixedToken(sandbox.token, 'the sandbox'),
    close: () => sandbox.stop(),
  };
}

/** The pace from the command line, so that a resume keeps it. */
export function typedPace({ concurrency, rate }: Flags): Record<string, string> {
  return {
    ...(concurrency !== undefined && { concurrency: String(concurrency) }),
    ...(rate !== undefined && { rate: String(rate) }),
  };
}

/** The service and pace of a run, unless the person names others. */
export function flagsOfRun(run: RunRecord, flags: Flags): Flags {
  const { sandboxData, profile, url, concurrency, rate } = readRecordedOptions(run.options).serviceName;
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return {
    ...flags,
    sandboxData: sandboxData ?? flags.sandboxData,
    ...(isServiceNamed(flags) ? {} : { sandbox: sandboxData !== undefined, profile, url }),
    concurrency: flags.concurrency ?? numberOf(concurrency),
    rate: flags.rate ?? numberOf(rate),
  };
}

function isServiceNamed({ sandbox, profile, url }: Flags): boolean {
  return sandbox === true || (profile ?? url) !== undefined;
}

/** @throws DealsheetError `usage` when there is no token for the service, or its profile is gone */
export function serviceOfRun(run: RunRecord, flags: Flags): ServiceChoice {
  const named = readRecordedOptions(run.options).serviceName;
  // The profile may be in a file that was named with --config when the run began, which must be named again.
  if (!isServiceNamed(flags) && contractOfRun(run, flags.config) === null)
    throw errorOf('profile-of-run-gone', { run: run.id, profile: named.profile ?? '' });
  return chooseService(flagsOfRun(run, flags));
}

/** The contract that a run used: that of its profile; `null` when the profile is gone. */
export function contractOfRun(run: RunRecord, config: string | undefined): ContractSettings | null {
  const { profile: name } = readRecordedOptions(run.options).serviceName;
  if (name === undefined) return assumedContract;
  const found = profileNamed(readConfiguration(config), name);
  return found && (found.profile.contract ?? assumedContract);
}

/** Options for continuing a run of this ledger in a session with its service. */
export function resumingOptions(flags: Flags, { files }: Ledger, { target }: ServiceSession, signal: AbortSignal) {
  const privatePaths = privatePathsOf(flags);
  const { results: resultsPath = null, batch = null } = flags;
  return { ...target, resultsPath, batch, sourcesFolder: sourcesFolderOf(files), privatePaths, signal };
}

/** Options for reading the source of a run again; with the defaults when its profile is gone. */
export function readingOfRun(run: RunRecord, { files }: Ledger, { config }: Flags) {
  return { sourcesFolder: sourcesFolderOf(files), contract: contractOfRun(run, config) ?? assumedContract };
}
