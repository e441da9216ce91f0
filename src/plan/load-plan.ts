/** The plan of a load: one person reviews it, another applies it, and then nothing else may happen. It holds no values of rows. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Ledger } from '../ledger/ledger.ts';
import { personHere } from '../ledger/run-records.ts';
import type { Message } from '../messages/message.ts';
import { errorOf, messageOf } from '../messages/text.ts';
import type { SourceCopy } from '../staging/source/source-copy.ts';
import type { Staging } from '../staging/staging.ts';
import { type ImportOptions, readRecordedOptions, recordedOptions } from './options.ts';
import type { Preview, PreviewedSheet } from './preview.ts';
import { type LoadPlan, planFormat, type SheetPlan } from './written-plan.ts';

type PlanningLedger = Pick<Ledger, 'digest' | 'runs'>;

/** @param now  ISO 8601 */
export async function planOf(
  { options, copy, staging, preview }: { options: ImportOptions; copy: SourceCopy; staging: Staging; preview: Preview },
  ledger: PlanningLedger,
  now: string,
): Promise<LoadPlan> {
  const { service } = options;
  const sheets: SheetPlan[] = [];
  for (const sheet of preview.sheets.filter(({ rows }) => rows > 0))
    sheets.push(await sheetPlanOf(sheet, staging, ledger));
  const maker = { person: personHere(), host: hostname() };
  return {
    plan: planFormat,
    made: now,
    maker: { ...maker, seal: sealOf({ ...maker, made: now, digest: copy.digest }, ledger) },
    file: copy.sourceName,
    digest: copy.digest,
    service,
    address: options.serviceUrl,
    ledger: ledger.digest('the ledger of a plan'),
    newestRun: await newestRunOf(ledger, { service, digest: copy.digest }),
    options: choicesOf(options, copy),
    sheets,
  };
}

/** Omits paths and the name of the service, which may differ: the plan holds the digests of the files and the service's identity. */
function choicesOf(options: ImportOptions, copy: SourceCopy): LoadPlan['options'] {
  const { allOrNothing, idempotencyKeys } = options;
  const recorded = readRecordedOptions(recordedOptions(options, copy));
  const { attachmentsFolder, serviceName, mapping, corrections, held, clues, ...choices } = recorded;
  const digests = { mapping: mapping?.digest ?? null, corrections: corrections?.digest ?? null };
  return { ...choices, ...digests, allOrNothing, idempotencyKeys };
}

async function sheetPlanOf(sheet: PreviewedSheet, staging: Staging, ledger: PlanningLedger): Promise<SheetPlan> {
  const { name, kind, rows, toSend, onceMore, staying, amount } = sheet;
  const number = staging.sheets.find((one) => one.name === name)?.number ?? 0;
  const hash = createHash('sha256');
  for await (const batch of staging.batches(number))
    for (const { row, content, decision } of batch) hash.update(`${row} ${content} ${decision}\n`);
  const digest = ledger.digest(`rows of a plan\n${name}\n${hash.digest('hex')}`);
  return { sheet: name, kind: kind.name, rows, toSend, onceMore, staying: { ...staying }, amount, digest };
}

async function newestRunOf(ledger: PlanningLedger, { service, digest }: Pick<LoadPlan, 'service' | 'digest'>) {
  const runs = await ledger.runs();
  return runs.find((run) => run.service === service && run.sourceDigest === digest)?.id ?? null;
}

/** @throws DealsheetError `usage` that lists everything that has changed since the plan was made */
export function refuseOther(planned: LoadPlan, now: LoadPlan): void {
  const changes = changesSince(planned, now);
  if (changes.length > 0) throw errorOf('plan-outdated', { made: planned.made, changes });
}

function changesSince(planned: LoadPlan, now: LoadPlan): readonly Message[] {
  const isOther = (name: string) => !isDeepStrictEqual(planned.options[name], now.options[name]);
  const causes = [
    ...(planned.digest === now.digest ? [] : [messageOf('plan-of-other-file')]),
    ...(planned.service === now.service
      ? []
      : [messageOf('plan-of-other-service', { now: now.address, was: planned.address })]),
    ...(planned.ledger === now.ledger ? [] : [messageOf('plan-of-other-ledger')]),
    ...Object.keys(now.options)
      .filter(isOther)
      .map((name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
      .map((option) => messageOf('plan-of-other-option', { option })),
  ];
  // Each of these changes the decisions of many rows, so differences in the sheets add nothing.
  if (causes.length > 0) return causes;
  const sheets = now.sheets.flatMap((is) => {
    const was = planned.sheets.find(({ sheet }) => sheet === is.sheet);
    const of = { sheet: is.sheet, now: is.toSend, was: was?.toSend ?? 0 };
    return isDeepStrictEqual(was, is) ? [] : [messageOf('plan-of-other-rows', of)];
  });
  const loaded = messageOf('plan-before-load', { now: now.newestRun, was: planned.newestRun });
  return planned.newestRun === now.newestRun ? sheets : [loaded, ...sheets];
}

type Sealed = Pick<LoadPlan, 'made' | 'digest'> & Omit<LoadPlan['maker'], 'seal'>;

function sealOf({ person, host, made, digest }: Sealed, ledger: PlanningLedger): string {
  return ledger.digest(JSON.stringify(['the maker of a plan', person, host, made, digest]));
}

/** @throws DealsheetError `usage` when the same person made the plan on this computer, or its maker cannot be verified */
export function needOtherMaker({ maker, made, digest }: LoadPlan, ledger: PlanningLedger): void {
  const { person, host, seal } = maker;
  const isOther = person !== personHere() || host !== hostname();
  const isTrue = sealOf({ person, host, made, digest }, ledger) === seal;
  if (!isOther || !isTrue) throw errorOf('plan-without-other-maker', { person, host, isTrue });
}
