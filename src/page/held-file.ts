/** Holds a file open, as the person chose to read it: decided for one service, with its rows available until it is left. */
import { changeableChecks } from '../contract/check-codes.ts';
import { dateOrders } from '../contract/date-order.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { recordKinds } from '../contract/record-kinds.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { plainImport } from '../load/defaults.ts';
import { type Planned, withPlanned } from '../load/import-file.ts';
import type { CheckedRow } from '../mapping/body.ts';
import type { NamedMapping } from '../mapping/mapping-file/read-mapping.ts';
import { byHarm, type FindingGroup, FindingGroups } from '../plan/finding-groups.ts';
import type { ImportOptions } from '../plan/options.ts';
import { mappingsFolder, privatePathsOf } from '../settings/configuration.ts';
import { ledgerFiles, sourcesFolderOf, withLedger } from '../settings/ledger-choice.ts';
import { type Correction, keepCorrections } from '../staging/source/corrections.ts';
import type { Choices } from './protocol.ts';
import type { OpenService, PageFlags } from './services.ts';
import { betweenMs } from './shown-load.ts';

export interface OpenFile {
  readonly planned: Planned;
  readonly ledger: Ledger;
  /** All findings with all their rows, the most harmful first. */
  readonly found: readonly FindingGroup[];
}

export type HeldFile = ReturnType<typeof holdFile>;

/** @param onRead  called with the number of rows read so far */
export function holdFile(
  flags: PageFlags,
  options: (signal: AbortSignal) => Promise<ImportOptions>,
  onRead: (rows: number) => void,
) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = new Promise((resolve) => signal.addEventListener('abort', resolve));
  const groups = new FindingGroups(Number.POSITIVE_INFINITY);
  const onProblemRow = (row: CheckedRow) => groups.add(row, row.problems);
  let shownAt = 0;
  const onProgress = (read: number) => {
    signal.throwIfAborted();
    if (performance.now() - shownAt < betweenMs) return;
    shownAt = performance.now();
    onRead(read);
  };
  let over: Promise<unknown> = Promise.resolve();
  const opened = new Promise<OpenFile | null>((resolve, reject) => {
    over = options(signal)
      .then((chosen) =>
        withLedger(flags, (ledger) =>
          withPlanned(chosen, ledger, { onProgress, onProblemRow }, async (planned) => {
            if (signal.aborted) return;
            resolve({ planned, ledger, found: byHarm(groups.found) });
            await left;
          }),
        ),
      )
      .catch((error: unknown) => signal.aborted || reject(error))
      .finally(() => resolve(null));
  });
  return {
    /** Resolves once the file is open, or with `null` when it was left before; rejects when it cannot be read. */
    opened,
    /** Resolves once everything is released. */
    leave: () => {
      leaving.abort();
      return over;
    },
  };
}

export interface Chosen {
  readonly path: string;
  readonly corrections: readonly Correction[];
  /** The digest of the bytes that the corrections apply to; `null` before the first reading. */
  readonly corrected: string | null;
  /** Whether the person has changed cells or columns since the file was opened. */
  readonly isChanged: boolean;
  readonly mapping: NamedMapping | null;
}

export function optionsOf(
  flags: PageFlags,
  { choice, session }: OpenService,
  { path, mapping, corrections }: Chosen,
  { kind, dateOrder, leaveOutUnknown, allow, encoding, trustResults, again }: Choices,
  signal: AbortSignal,
): ImportOptions {
  const sourcesFolder = sourcesFolderOf(ledgerFiles(flags));
  const allowed = changeableChecks.filter((code) => allow.includes(code));
  return {
    ...plainImport,
    file: path,
    kind: kindNamed(kind),
    ignoredColumns: leaveOutUnknown ? 'all' : [],
    ignoredSheets: leaveOutUnknown ? 'all' : [],
    encoding,
    trustResults,
    again,
    mapping,
    mappingsFolder,
    corrections: corrections.length === 0 ? null : keepCorrections(sourcesFolder, corrections),
    dateOrder: dateOrders.find((order) => order === dateOrder) ?? null,
    checks: Object.fromEntries(allowed.map((code) => [code, 'warning'])),
    privatePaths: privatePathsOf(flags),
    sourcesFolder,
    ...session.target,
    serviceName: session.name,
    batch: choice.batch.value,
    signal,
  };
}

export function kindNamed(text: string | null): RecordKind | null {
  return recordKinds.find(({ name }) => name === text) ?? null;
}
