/** A chosen service, ready to be spoken to: its address, its credentials, and the sandbox behind them where it is one. */
import { resolve } from 'node:path';
import { assumedContract, type ContractSettings } from '../contract/contract-settings.ts';
import { usageError } from '../errors.ts';
import type { Ledger, RunRecord } from '../ledger/ledger.ts';
import { sandboxIdentity } from '../ledger/run-records.ts';
import { shellWord } from '../messages/commands.ts';
import { readRecordedOptions } from '../plan/options.ts';
import { millisecondsOfSecond } from '../seconds.ts';
import { identityOf, proxyOf } from '../service/address.ts';
import type { ServiceClient, ServiceEvents } from '../service/client.ts';
import type { Credentials } from '../service/tokens.ts';
import { defaultSandboxData, profileNamed, readConfiguration } from './configuration.ts';
import { sourcesFolderOf } from './ledger-choice.ts';
import { chooseService, type ServiceChoice, type ServiceFlags } from './service-choice.ts';

export interface ServiceSession {
  readonly url: URL;
  /** How the ledger knows the service: its address, or the data file of a sandbox. */
  readonly identity: string;
  /** How the person named it, so that a resume finds it again. */
  readonly name: Readonly<Record<string, string>>;
  /** What a person is to know of the service, such as where the links in results lead, or `null`. */
  readonly notice: string | null;
  connect(events: ServiceEvents): ServiceClient;
  close(): Promise<void>;
}

/** The port at which the links of a rehearsal's results lead to the sandbox again. */
export const sandboxPort = 4010;

/** @param sandboxData  the records of the sandbox; by default those of the user */
export async function openService(choice: ServiceChoice, sandboxData?: string): Promise<ServiceSession> {
  const { ServiceClient } = await import('../service/client.ts');
  const { address, found } = choice;
  const ofProfile = found === null ? {} : { profile: found.name };
  const { credentials, name, ...opened } =
    address === null
      ? await openSandbox(choice, resolve(sandboxData ?? defaultSandboxData))
      : await openAddress(address, choice);
  return {
    ...opened,
    name: { ...name, ...ofProfile },
    connect: (events) =>
      new ServiceClient({
        url: opened.url,
        contract: choice.contract,
        idempotencyKeys: choice.idempotencyKeys,
        concurrency: choice.concurrency.value,
        rate: choice.rate.value,
        timeoutMs: millisecondsOfSecond * choice.timeout.value,
        credentials,
        events,
        proxy: address && proxyOf(address.url, process.env),
      }),
  };
}

/** Asks a service something, and closes what was opened for it. */
export async function askService<Result>(
  session: ServiceSession,
  client: ServiceClient,
  ask: (client: ServiceClient) => Promise<Result>,
): Promise<Result> {
  try {
    return await ask(client);
  } finally {
    await client.close();
    await session.close();
  }
}

interface Opened extends Omit<ServiceSession, 'connect'> {
  readonly credentials: Credentials;
}

async function openAddress(
  { url, credentials, isUnchecked }: NonNullable<ServiceChoice['address']>,
  { owner }: ServiceChoice,
): Promise<Opened> {
  return {
    url,
    identity: identityOf(url),
    name: owner === null ? { url: url.href } : {},
    notice: isUnchecked
      ? 'The certificate of the service is not checked: anybody on the way can read what is sent.'
      : null,
    credentials: await credentials(),
    close: async () => {},
  };
}

async function openSandbox({ contract }: ServiceChoice, dataFile: string): Promise<Opened> {
  const { fixedToken } = await import('../service/tokens.ts');
  const { defaultSandboxOptions } = await import('../sandbox/server.ts');
  const { startSandboxThread } = await import('../sandbox/thread.ts');
  const sandbox = await startSandboxThread({
    ...defaultSandboxOptions,
    port: sandboxPort,
    whenPortTaken: 'next',
    dataFile,
    contract: contract === assumedContract ? null : contract,
  });
  const url = new URL(sandbox.url);
  const data = dataFile === defaultSandboxData ? '' : ` --data ${shellWord(dataFile)}`;
  const otherPort = `Port ${sandboxPort} is taken: the links of these results need dealsheet sandbox --port ${url.port}${data}`;
  return {
    url,
    identity: `${sandboxIdentity}${dataFile}`,
    name: { sandboxData: dataFile },
    notice: Number(url.port) === sandboxPort ? null : otherPort,
    credentials: fixedToken(sandbox.token, 'the sandbox'),
    close: () => sandbox.stop(),
  };
}

/** The service of an earlier run: what a command goes on with when the person names no other. */
export interface RunService {
  readonly choice: ServiceChoice;
  open(): Promise<ServiceSession>;
}

/** The pace that a person typed: a run that is taken up again goes on at it. */
export function typedPace({ concurrency, rate }: Pick<ServiceFlags, 'concurrency' | 'rate'>): Record<string, string> {
  return {
    ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
    ...(rate === undefined ? {} : { rate: String(rate) }),
  };
}

/** The service and the pace of a run, where the person names no others. */
export function flagsOfRun<Flags extends ServiceFlags>(run: RunRecord, flags: Flags): Flags {
  const { sandboxData, profile, url, concurrency, rate } = readRecordedOptions(run.options).serviceName;
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return {
    ...flags,
    ...(isServiceNamed(flags) ? {} : { sandbox: sandboxData !== undefined, profile, url }),
    concurrency: flags.concurrency ?? numberOf(concurrency),
    rate: flags.rate ?? numberOf(rate),
  };
}

function isServiceNamed({ sandbox, profile, url }: ServiceFlags): boolean {
  return sandbox === true || (profile ?? url) !== undefined;
}

/** @throws DealsheetError `usage` when there is no token for the service, or its profile is gone */
export function serviceOfRun(run: RunRecord, flags: ServiceFlags): RunService {
  const named = readRecordedOptions(run.options).serviceName;
  // A profile may stand in a file that was named with --config when the run began: then it has to be named again.
  if (!isServiceNamed(flags) && contractOfRun(run, flags.config) === null)
    throw usageError(
      `The run ${run.id} went by the profile "${named.profile}", and no configuration that is read now has it.`,
      'Give the same --config as then, or put the profile back. Nothing was sent.',
    );
  const choice = chooseService(flagsOfRun(run, flags));
  return { choice, open: () => openService(choice, named.sandboxData) };
}

/** The contract that a run went by: that of its profile; `null` when the profile is gone. */
export function contractOfRun(run: RunRecord, config: string | undefined): ContractSettings | null {
  const { profile: name } = readRecordedOptions(run.options).serviceName;
  if (name === undefined) return assumedContract;
  const found = profileNamed(readConfiguration(config), name);
  return found === null ? null : (found.profile.contract ?? assumedContract);
}

/** How the source of a run is read again; by the defaults where its profile is gone. */
export function readingOfRun(run: RunRecord, { files }: Ledger, { config }: Pick<ServiceFlags, 'config'>) {
  return { snapshotFolder: sourcesFolderOf(files), contract: contractOfRun(run, config) ?? assumedContract };
}
