/** A chosen service, ready to be spoken to: its address, its credentials, and the sandbox behind them where it is one. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RunningSandbox } from '../sandbox/server.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Credentials } from '../service/credentials.ts';
import type { ServiceEvents } from '../service/events.ts';
import { defaultSandboxData } from './folders.ts';
import type { ServiceChoice, TokenSource } from './service-choice.ts';

export interface ServiceSession {
  readonly url: URL;
  /** How the ledger knows the service: its address, or the data file of a sandbox. */
  readonly identity: string;
  /** @param retryBudget  how many requests may be sent again */
  connect(retryBudget: number, events: ServiceEvents): ServiceClient;
  close(): Promise<void>;
}

/** The port at which the links of a rehearsal's results lead to the sandbox again. */
export const sandboxPort = 4010;

export interface SessionOptions {
  /** The records of the sandbox, or `null` for those of the user. */
  readonly sandboxData: string | null;
}

export async function openService(choice: ServiceChoice, options: SessionOptions): Promise<ServiceSession> {
  const [{ createServiceClient }, { fixedToken }] = await Promise.all([
    import('../service/create-client.ts'),
    import('../service/credentials.ts'),
  ]);
  const sandbox = choice.address === null ? await startSandbox(options) : null;
  const url = choice.address?.url ?? new URL(sandbox?.url ?? '');
  const credentials =
    choice.address === null
      ? fixedToken(sandbox?.token ?? '', 'the sandbox')
      : await credentialsOf(choice.address.token);
  return {
    url,
    identity:
      sandbox === null
        ? url.origin + url.pathname.replace(/\/+$/, '')
        : `sandbox:${options.sandboxData ?? defaultSandboxData}`,
    connect: (retryBudget, events) => createServiceClient({ ...choice, url, credentials, retryBudget, events }),
    close: async () => {
      await sandbox?.stop();
    },
  };
}

async function startSandbox(options: SessionOptions): Promise<RunningSandbox> {
  const { startSandboxThread, defaultSandboxOptions } = await import('../sandbox/thread.ts');
  const dataFile = options.sandboxData ?? defaultSandboxData;
  mkdirSync(dirname(dataFile), { recursive: true, mode: 0o700 });
  return startSandboxThread({ ...defaultSandboxOptions, port: sandboxPort, dataFile, orNextFreePort: true });
}

async function credentialsOf(source: TokenSource): Promise<Credentials> {
  switch (source.from) {
    case 'environment': {
      const { fixedToken } = await import('../service/credentials.ts');
      return fixedToken(source.text, 'DEALSHEET_TOKEN');
    }
    case 'file': {
      const { tokenFromFile } = await import('../service/token-file.ts');
      return tokenFromFile(source.path);
    }
    case 'command': {
      const { tokenCommandTimeoutMs, tokenFromCommand } = await import('../service/token-command.ts');
      return tokenFromCommand({ command: source.command, timeoutMs: tokenCommandTimeoutMs });
    }
  }
}
