/** A folder with a ledger of its own for one test, and builders of what is written into it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { RecordKindName } from '../../src/contract/record-kind.ts';
import { Database } from '../../src/disk/database.ts';
import type {
  Intent,
  Ledger,
  LogicalRow,
  Outcome,
  Registration,
  RowId,
  Run,
  RunDescription,
  RunEntry,
} from '../../src/ledger/ledger.ts';
import { type LedgerOptions, openLedger } from '../../src/ledger/open-ledger.ts';

export interface Place {
  readonly folder: string;
  readonly path: string;
  /** Opens the ledger of this place; what is still open is closed with the place. */
  open(options?: LedgerOptions): Ledger;
  /** What a statement reads in its database. */
  read(sql: string): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
  remove(): Promise<void>;
}

export function newPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'dealsheet-ledger-'));
  const path = join(folder, 'state', 'ledger.db');
  return placeOf({
    folder,
    path,
    open: (options) => openLedger(path, options),
    read: async (sql) => {
      const db = new Database(path);
      const rows = db.prepare(sql).raw().all() as unknown[][];
      db.close();
      return rows;
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  });
}

/** @param parts  how its ledger is opened, and what is to be removed once all of it is closed */
export function placeOf(parts: Omit<Place, 'close'>): Place {
  const opened: Ledger[] = [];
  const close = async () => {
    for (const ledger of opened) await ledger.close();
  };
  return {
    ...parts,
    open: (options) => {
      const ledger = parts.open(options);
      opened.push(ledger);
      return ledger;
    },
    close,
    remove: async () => {
      await close();
      await parts.remove();
    },
  };
}

/** A place for each test of a file, removed behind it. */
export function placeForEachTest(ofKind: () => Place | Promise<Place> = newPlace): Place {
  const place = {} as Place;
  beforeEach(async () => void Object.assign(place, await ofKind()));
  afterEach(() => place.remove());
  return place;
}

export const service = 'https://api.example.com/v1';
export const otherService = 'https://other.example.com';

export function aLoad(parts: Partial<RunDescription> = {}): RunDescription {
  return {
    service,
    serviceUrl: 'https://api.example.com',
    sourcePath: '/home/pat/month/deals.xlsx',
    sourceName: 'deals.xlsx',
    origin: 'month.csv',
    sourceDigest: '0f'.repeat(32),
    resultsPath: '/home/pat/month/deals.results.xlsx',
    options: '{}',
    person: 'pat',
    ...parts,
  };
}

export function anOutcome(id: RowId, state: Outcome['state'], parts: Partial<Outcome> = {}): Outcome & { id: RowId } {
  const record = state === 'created' ? `deal_${id}` : null;
  return { id, state, attempts: 1, record, company: null, url: null, message: null, ...parts };
}

/** A row as the tests speak of it. Without `says` it says what no other row of its run says. */
export interface Said {
  readonly row: number;
  readonly sheet?: string;
  readonly kind?: RecordKindName;
  readonly says?: string;
  /** The row of an earlier run that it is. */
  readonly id?: RowId;
  /** What it is known by besides. */
  readonly digests?: readonly string[];
  readonly note?: Registration['note'];
  readonly corrects?: RowId;
}

/** A run whose rows go by their numbers in the sheet Deals. */
export class Desk {
  readonly ledger: Ledger;
  readonly run: Run;
  readonly #ids = new Map<number, RowId>();

  constructor(ledger: Ledger, run: Run) {
    this.ledger = ledger;
    this.run = run;
  }

  static async open(ledger: Ledger, parts: Partial<RunDescription> = {}): Promise<Desk> {
    return new Desk(ledger, await ledger.begin(aLoad(parts)));
  }

  /** Ends this run and begins the next one. */
  async next(): Promise<Desk> {
    await this.run.end('ended');
    return Desk.open(this.ledger);
  }

  id(row: number): RowId {
    return this.#ids.get(row) ?? 0;
  }

  async register(...rows: readonly Said[]): Promise<readonly RowId[]> {
    const ids = await this.run.register(
      rows.map(
        ({ row, sheet = 'Deals', kind = 'deals', says, id = null, digests = [], note = null, corrects = null }) => {
          const all = [contentOf(this.ledger, row, says), ...digests];
          return { sheet, row, kind, id, digests: all, note, corrects };
        },
      ),
    );
    rows.forEach(({ row }, at) => void this.#ids.set(row, ids[at] ?? 0));
    return ids;
  }

  intent(row: number, { says, equals = 0 }: { says?: string; equals?: number } = {}): Intent {
    return { id: this.id(row), sheet: 'Deals', row, content: contentOf(this.ledger, row, says), fields: null, equals };
  }

  /** Registers rows and writes that they are about to be sent. */
  async send(...rows: readonly (Said & { readonly equals?: number })[]): Promise<void> {
    await this.register(...rows);
    await this.run.intend(rows.map(({ row, sheet = 'Deals', ...parts }) => ({ ...this.intent(row, parts), sheet })));
  }

  async record(row: number, state: Outcome['state'], parts: Partial<Outcome> = {}): Promise<void> {
    await this.run.record([anOutcome(this.id(row), state, parts)]);
  }

  async note(row: number, state: Outcome['state']): Promise<void> {
    await this.run.note([{ sheet: 'Deals', row, state, message: null }]);
  }

  /** What the results tell of the rows of the sheet. */
  async entries(ledger = this.ledger): Promise<readonly RunEntry[]> {
    return ledger.entries(this.run.id, 'Deals', 0, 10_000);
  }

  async states(): Promise<readonly string[]> {
    return (await this.entries()).map(({ state }) => state);
  }

  async row(row: number, ledger = this.ledger): Promise<LogicalRow | undefined> {
    return (await ledger.lookupRows([this.id(row)])).get(this.id(row));
  }

  async phase(row: number, ledger = this.ledger): Promise<string | undefined> {
    return (await this.row(row, ledger))?.phase;
  }

  async resolve(row: number, said: { created: string | null } | 'not-created', attempt = 1): Promise<void> {
    const found =
      said === 'not-created' ? { isCreated: false, record: null } : { isCreated: true, record: said.created };
    await this.ledger.resolve([{ id: this.id(row), attempt, person: 'pat', ...found }]);
  }
}

function contentOf(ledger: Ledger, row: number, says = `row ${row}`): string {
  return ledger.digest(says);
}
