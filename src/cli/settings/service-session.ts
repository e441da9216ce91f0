/** A chosen service, ready to be spoken to: its address, its credentials, and the sandbox behind them where it is one. */
import { assumedContract } from '../../contract/contract-settings.ts';
import { sandboxIdentity } from '../../ledger/sandbox-identity.ts';
import { shellWord } from '../../messages/commands.ts';
import { identityOf } from '../../service/address.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { ServiceEvents } from '../../service/events.ts';
import type { Exchange } from '../../service/exchange.ts';
import type { Credentials } from '../../service/tokens/credentials.ts';
import { defaultSandboxData } from './folders.ts';
import type { ServiceAddressChoice, ServiceChoice } from './service-choice.ts';
import type { TokenSource } from './token-choice.ts';

export interface ServiceSession {
  readonly url: URL;
  /** How the ledger knows the service: its address, or the data file of a sandbox. */
  readonly identity: string;
  /** How the person named it, so that a resume finds it again. */
  readonly name: Readonly<Record<string, string>>;
  /** What a person is to know of the service, such as where the links in results lead, or `null`. */
  readonly notice: string | null;
  /** @param retryBudget  how many requests may be sent again: see `retryBudgetFor` */
  connect(retryBudget: number, events: ServiceEvents, onExchange?: OnExchange): ServiceClient;
  close(): Promise<void>;
}

export type OnExchange = (exchange: Exchange) => void;

/** The port at which the links of a rehearsal's results lead to the sandbox again. */
export const sandboxPort = 4010;

/** @param sandboxData  the records of the sandbox, or `null` for those of the user */
export async function openService(choice: ServiceChoice, sandboxData: string | null): Promise<ServiceSession> {
  return choice.address === null
    ? openSandbox(choice, sandboxData ?? defaultSandboxData)
    : openAddress(choice, choice.address);
}

async function openAddress(choice: ServiceChoice, address: ServiceAddressChoice): Promise<ServiceSession> {
  const { createServiceClient } = await import('../../service/create-client.ts');
  const { source, from } = address.token;
  const credentials = { ...(await credentialsOf(source)), from };
  // A file that holds no token is a setting that is wrong: the service has not refused anything.
  if (source.from === 'file') await credentials.token();
  const { url, name, proxy, isUnchecked } = address;
  return {
    url,
    identity: identityOf(url),
    name,
    notice: isUnchecked
      ? 'The certificate of the service is not checked: anybody on the way can read what is sent.'
      : null,
    connect: (retryBudget, events, onExchange) =>
      createServiceClient({
        ...choice,
        url,
        credentials,
        retryBudget,
        events,
        proxy,
        ...(onExchange && { onExchange }),
      }),
    close: async () => {},
  };
}

async function openSandbox(choice: ServiceChoice, dataFile: string): Promise<ServiceSession> {
  const { createServiceClient } = await import('../../service/create-client.ts');
  const { fixedToken } = await import('../../service/tokens/credentials.ts');
  const { defaultSandboxOptions } = await import('../../sandbox/server.ts');
  const { startSandboxThread } = await import('../../sandbox/thread.ts');
  const sandbox = await startSandboxThread({
    ...defaultSandboxOptions,
    port: sandboxPort,
    whenPortTaken: 'next',
    dataFile,
    contract: choice.contract === assumedContract ? null : choice.contract,
  });
  const url = new URL(sandbox.url);
  const credentials = fixedToken(sandbox.token, 'the sandbox');
  return {
    url,
    identity: `${sandboxIdentity}${dataFile}`,
    name: { sandboxData: dataFile, ...(choice.profile === null ? {} : { profile: choice.profile }) },
    notice: Number(url.port) === sandboxPort ? null : otherPort(url.port, dataFile),
    connect: (retryBudget, events, onExchange) =>
      createServiceClient({ ...choice, url, credentials, retryBudget, events, ...(onExchange && { onExchange }) }),
    close: () => sandbox.stop(),
  };
}

function otherPort(port: string, dataFile: string): string {
  const data = dataFile === defaultSandboxData ? '' : ` --data ${shellWord(dataFile)}`;
  return `Port ${sandboxPort} is taken: the links of these results need dealsheet sandbox --port ${port}${data}`;
}

async function credentialsOf(source: TokenSource): Promise<Credentials> {
  switch (source.from) {
    case 'environment': {
      const { fixedToken } = await import('../../service/tokens/credentials.ts');
      return fixedToken(source.text, 'DEALSHEET_TOKEN');
    }
    case 'file': {
      const { tokenFromFile } = await import('../../service/tokens/credentials.ts');
      return tokenFromFile(source.path);
    }
    case 'command': {
      const { tokenCommandTimeoutMs, tokenFromCommand } = await import('../../service/tokens/credentials.ts');
      const { command, folder } = source;
      return tokenFromCommand({ command, folder, timeoutMs: tokenCommandTimeoutMs });
    }
  }
}
