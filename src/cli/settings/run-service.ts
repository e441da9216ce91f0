/** The service of an earlier run: what a command goes on with when the person names no other. */
import { assumedContract, type ContractSettings } from '../../contract/contract-settings.ts';
import { DealsheetError } from '../../errors.ts';
import type { RunRecord } from '../../ledger/ledger.ts';
import { readRecordedOptions } from '../../plan/options.ts';
import { profileNamed, readConfiguration } from './configuration.ts';
import { chooseService, type ServiceChoice, type ServiceFlags } from './service-choice.ts';
import { openService, type ServiceSession } from './service-session.ts';

export interface RunService {
  readonly choice: ServiceChoice;
  open(): Promise<ServiceSession>;
}

/**
 * The contract that a run went by: that of its profile; `null` when the profile is gone.
 *
 * @param config  the file given with `--config`, if any
 * @throws DealsheetError `usage` when two files say what the profile is
 */
export function contractOfRun(run: RunRecord, config: string | undefined): ContractSettings | null {
  const { profile: name } = readRecordedOptions(run.options).serviceName;
  if (name === undefined) return assumedContract;
  const found = profileNamed(readConfiguration(config ?? null), name);
  return found === null ? null : (found.profile.contract ?? assumedContract);
}

/** The pace that a person typed: a run that is taken up again goes on at it. */
export function typedPace({ concurrency, rate }: Pick<ServiceFlags, 'concurrency' | 'rate'>): Record<string, string> {
  return {
    ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
    ...(rate === undefined ? {} : { rate: String(rate) }),
  };
}

/** @throws DealsheetError `usage` when there is no token for the service, or its profile is gone */
export function serviceOfRun(run: RunRecord, flags: ServiceFlags): RunService {
  const named = readRecordedOptions(run.options).serviceName;
  const isNamed = flags.sandbox || flags.profile !== undefined || flags.url !== undefined;
  const pace = {
    concurrency: flags.concurrency ?? numberOf(named.concurrency),
    rate: flags.rate ?? numberOf(named.rate),
  };
  const chosen = isNamed
    ? { ...flags, ...pace }
    : { ...flags, ...pace, sandbox: named.sandboxData !== undefined, profile: named.profile, url: named.url };
  if (!isNamed && named.profile !== undefined) needProfileOfRun(run, named.profile, flags.config);
  const choice = chooseService(chosen);
  return { choice, open: () => openService(choice, named.sandboxData ?? null) };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** A profile may stand in a file that was named with `--config` when the run began: then it has to be named again. */
function needProfileOfRun(run: RunRecord, name: string, config: string | undefined): void {
  const files = readConfiguration(config ?? null);
  if (files.some(({ settings }) => Object.hasOwn(settings.profiles, name))) return;
  throw new DealsheetError(
    'usage',
    `The run ${run.id} went by the profile "${name}", and no configuration that is read now has it.`,
    'Give the same --config as then, or put the profile back. Nothing was sent.',
  );
}
