/** The services to choose from on the page, and the open one. */
import type { RunRecord } from '../ledger/ledger.ts';
import { errorOf } from '../messages/text.ts';
import { readConfiguration } from '../settings/configuration.ts';
import type { Flags } from '../settings/flags.ts';
import {
  chooseService,
  openService,
  type ServiceChoice,
  type ServiceSession,
  serviceOfRun,
} from '../settings/service.ts';
import type { ServiceShown } from './protocol.ts';

export type PageFlags = Pick<Flags, 'config' | 'ledger' | 'sandboxData'>;

export interface OpenService {
  readonly key: string;
  readonly choice: ServiceChoice;
  readonly session: ServiceSession;
}

export const rehearsal = 'sandbox';
const ofProfile = 'profile:';

export function keyOfProfile(name: string): string {
  return `${ofProfile}${name}`;
}

export function servicesShown({ config }: PageFlags): readonly ServiceShown[] {
  const { profiles: known } = readConfiguration(config).settings;
  const profiles = Object.entries(known).map(([name, { url }]) => ({ key: keyOfProfile(name), name, address: url }));
  return [{ key: rehearsal, name: 'Rehearsal on this computer', address: null }, ...profiles];
}

/** @throws DealsheetError `usage` when the service does not exist or has no token */
export async function openChosen(key: string, { config, sandboxData }: PageFlags): Promise<OpenService> {
  if (key !== rehearsal && !key.startsWith(ofProfile)) throw errorOf('page-asks-unknown');
  const named = key === rehearsal ? { sandbox: true } : { profile: key.slice(ofProfile.length) };
  const choice = chooseService({ ...named, config, sandboxData });
  return { key, choice, session: await openService(choice) };
}

/** Works with the service of a run, and reuses the open session if it is the same service. */
export async function withServiceOf<Result>(
  run: RunRecord,
  flags: PageFlags,
  current: OpenService | null,
  work: (session: ServiceSession) => Promise<Result>,
): Promise<Result> {
  const choice = serviceOfRun(run, { ...flags, sandbox: false });
  const own = current?.session.identity === run.service ? current.session : null;
  const session = own ?? (await openService(choice));
  try {
    return await work(session);
  } finally {
    if (own === null) await session.close();
  }
}
