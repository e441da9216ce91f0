/** A folder with a ledger of its own for one test, and builders of what is written into it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Intent,
  Ledger,
  Resolution,
  RowPosition,
  RunDescription,
  SaidByHand,
  Settlement,
} from '../../src/ledger/ledger.ts';
import { type LedgerOptions, openLedger } from '../../src/ledger/open-ledger.ts';

export interface Place {
  readonly folder: string;
  readonly path: string;
  /** Opens the ledger of this place; what is still open is closed with the place. */
  open(options?: LedgerOptions): Ledger;
  close(): void;
  remove(): void;
}

export function newPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-ledger-'));
  const path = join(folder, 'state', 'ledger.db');
  const opened: Ledger[] = [];
  const close = () => {
    for (const ledger of opened) ledger.close();
  };
  return {
    folder,
    path,
    open: (options) => {
      const ledger = openLedger(path, options);
      opened.push(ledger);
      return ledger;
    },
    close,
    remove: () => {
      close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const service = 'https://api.example.com/v1';

export function aLoad(parts: Partial<RunDescription> = {}): RunDescription {
  return {
    service,
    serviceUrl: 'https://api.example.com',
    sourcePath: '/home/pat/month/deals.xlsx',
    sourceName: 'deals.xlsx',
    sourceDigest: '0f'.repeat(32),
    resultsPath: '/home/pat/month/deals.results.xlsx',
    options: '{}',
    ...parts,
  };
}

/** A row that is about to be sent; its fingerprint is of its sheet and row number unless another is given. */
export function anIntent(ledger: Ledger, row: number, parts: Partial<Intent> = {}): Intent {
  const sheet = parts.sheet ?? 'Deals';
  return {
    sheet,
    row,
    kind: 'deals',
    fingerprint: ledger.fingerprint(`${sheet}!${row}`),
    shown: null,
    ref: null,
    repeats: null,
    supersedes: null,
    ...parts,
  };
}

export function anOutcome(row: number, state: Settlement['state'], parts: Partial<Settlement> = {}): Settlement {
  return {
    sheet: 'Deals',
    row,
    state,
    attempts: 1,
    httpStatus: null,
    id: state === 'created' ? `deal_${row}` : null,
    companyId: null,
    url: null,
    message: null,
    ...parts,
  };
}

export const onlyOnce = { again: false } as const;
export const onceMore = { again: true } as const;

export function resolveDoubt(ledger: Ledger, run: string, position: RowPosition, resolution: Resolution): void {
  ledger.settleByHand(run, [{ position, resolution, said: null }]);
}

/** Settles anew, whether or not anybody has said something of the row. */
export function correctByHand(ledger: Ledger, run: string, position: RowPosition, resolution: Resolution): void {
  const said: SaidByHand = { resolution: 'not-created', at: '', holds: true };
  ledger.settleByHand(run, [{ position, resolution, said: saidByHand(ledger, run, position) ?? said }]);
}

export function saidByHand(ledger: Ledger, run: string, position: RowPosition): SaidByHand | null {
  return ledger.saidByHand(run, [position]).get(position) ?? null;
}
