/**
 * What a load would do, written down before it: a person looks at it, another lets it happen, and nothing else may happen then.
 * Nothing of what a row says stands in it.
 */
import { createHash, type Hash } from 'node:crypto';
import { hostname } from 'node:os';
import type { RowState } from '../contract/row-state.ts';
import { DealsheetError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { personHere } from '../ledger/person.ts';
import type { Snapshot } from '../staging/source/snapshot.ts';
import type { Staging } from '../staging/staging.ts';
import { decisionOf } from './decision.ts';
import { type ImportOptions, readRecordedOptions, recordedOptions } from './options.ts';
import type { Preview, PreviewedSheet } from './preview.ts';
import { type LoadPlan, newPlan, planChanges, planFormat, type SheetPlan } from './written-plan.ts';

/** What the ledger tells of a plan. */
type PlanningLedger = Pick<Ledger, 'digest' | 'runs'>;

/** @param now  ISO 8601 */
export async function planOf(
  options: ImportOptions,
  { snapshot, staging }: { readonly snapshot: Snapshot; readonly staging: Staging },
  preview: Preview,
  ledger: PlanningLedger,
  now: string,
): Promise<LoadPlan> {
  const { service } = options;
  const numbers = new Map(staging.sheets.map(({ name, number }) => [name, number]));
  const sheets: SheetPlan[] = [];
  for (const sheet of preview.sheets.filter(({ rows }) => rows > 0)) {
    const digests = await digestsOf(sheet, numbers.get(sheet.name) ?? 0, staging, ledger);
    sheets.push({ ...countsOf(sheet), ...digests });
  }
  const maker = { person: personHere(), host: hostname() };
  return {
    plan: planFormat,
    made: now,
    maker: { ...maker, seal: sealOf({ ...maker, made: now, digest: snapshot.digest }, ledger) },
    file: snapshot.sourceName,
    digest: snapshot.digest,
    service,
    address: options.serviceUrl,
    ledger: ledger.digest('the ledger of a plan').toString('hex'),
    newestRun: await newestRunOf(ledger, { service, digest: snapshot.digest }),
    options: choicesOf(options, snapshot),
    sheets,
  };
}

/** Where the files lie and how the service is called may differ: what is in them, and which it is, stands in the plan itself. */
function choicesOf(options: ImportOptions, snapshot: Snapshot): LoadPlan['options'] {
  const { allOrNothing, idempotencyKeys } = options;
  const recorded = readRecordedOptions(recordedOptions(options, snapshot));
  const { attachmentsFolder, serviceName, mapping, corrections, held, ...choices } = recorded;
  const digests = { mapping: mapping?.digest ?? null, corrections: corrections?.digest ?? null };
  return { ...choices, ...digests, allOrNothing, idempotencyKeys };
}

function countsOf(sheet: PreviewedSheet): Omit<SheetPlan, 'steps' | 'contents'> {
  const { name, kind, rows, toSend, onceMore, staying, warnedRows, clears, amount, unreadableAmounts, problems } =
    sheet;
  const count = (...states: readonly RowState[]) => states.reduce((sum, state) => sum + (staying[state] ?? 0), 0);
  return {
    sheet: name,
    kind: kind.name,
    rows,
    toSend,
    onceMore,
    alreadyLoaded: count('already-loaded'),
    changedSinceLoaded: count('changed-since-loaded'),
    unchanged: count('unchanged'),
    inDoubt: count('in-doubt'),
    waiting: count('waiting'),
    heldBack: count('ready', 'not-sent', 'rejected'),
    withErrors: count('invalid'),
    leftOut: count('left-out'),
    withNotes: warnedRows,
    clearedFields: clears,
    amount,
    unreadableAmounts,
    problems: Object.fromEntries(problems),
  };
}

const rowsOfBatch = 512;

/** Keyed digests of what is done with each row, and of what each is made of. */
async function digestsOf(
  { name }: PreviewedSheet,
  number: number,
  staging: Staging,
  ledger: PlanningLedger,
): Promise<Pick<SheetPlan, 'steps' | 'contents'>> {
  const [steps, contents] = [createHash('sha256'), createHash('sha256')];
  for await (const rows of staging.lightBatches(number, rowsOfBatch)) {
    for (const row of rows) {
      const decision = decisionOf(row);
      const why = decision !== null && 'why' in decision ? decision.why : '';
      steps.update(`${row.row} ${decision?.do} ${why}\n`);
      contents.update(`${row.row} ${row.content?.toString('hex')} ${row.decision}\n`);
    }
  }
  const keyed = (what: string, hash: Hash) =>
    ledger.digest(`${what} of a plan\n${name}\n${hash.digest('hex')}`).toString('hex');
  return { steps: keyed('steps', steps), contents: keyed('contents', contents) };
}

async function newestRunOf(
  ledger: PlanningLedger,
  { service, digest }: Pick<LoadPlan, 'service' | 'digest'>,
): Promise<string | null> {
  const runs = await ledger.runs();
  return runs.find((run) => run.service === service && run.sourceDigest === digest)?.id ?? null;
}

/** @throws DealsheetError `usage` with everything that is no longer as it was planned */
export function refuseOther(planned: LoadPlan, now: LoadPlan): void {
  const changes = planChanges(planned, now);
  if (changes.length > 0) throw outdated(planned, changes);
}

/** @throws DealsheetError `usage` when a run of the source has begun since the plan was made: a plan lets one load happen */
export async function refuseLoadedSince(planned: LoadPlan, ledger: PlanningLedger): Promise<void> {
  refuseOther(planned, { ...planned, newestRun: await newestRunOf(ledger, planned) });
}

interface Sealed {
  readonly person: string;
  readonly host: string;
  readonly made: string;
  readonly digest: string;
}

function sealOf({ person, host, made, digest }: Sealed, ledger: PlanningLedger): string {
  return ledger.digest(JSON.stringify(['the maker of a plan', person, host, made, digest])).toString('hex');
}

/** @throws DealsheetError `usage` when this very person made the plan on this computer, or it does not truly say who did */
export function needOtherMaker({ maker, made, digest }: LoadPlan, ledger: PlanningLedger): void {
  const { person, host, seal } = maker;
  const isOther = person !== personHere() || host !== hostname();
  const isTrue = sealOf({ person, host, made, digest }, ledger) === seal;
  if (isOther && isTrue) return;
  throw new DealsheetError(
    'usage',
    isTrue
      ? `You made this plan yourself (${person} on ${host}), and the profile wants somebody else to apply it.`
      : 'Who made this plan cannot be told: it was changed, or made with another ledger.',
    'Let a colleague run the command with --apply, with the same --ledger. Nothing was sent.',
  );
}

function outdated(planned: LoadPlan, changes: readonly string[]): DealsheetError {
  const lines = changes.map((change) => `  ${change}`).join('\n');
  return new DealsheetError('usage', `The plan of ${planned.made} no longer holds:\n${lines}`, newPlan);
}
