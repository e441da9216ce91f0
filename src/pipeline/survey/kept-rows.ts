/**
 * Judged rows, kept from the checks for what comes after them: what a person agreed to is what is sent, and it costs less
 * than judging each row once more (15 % of the time of a load).
 * Its one rule: all rows of a sheet are kept, or none; those of a sheet that is not kept are judged from the source again.
 */
import type { CellsRead } from '../../mapping/checked-row.ts';
import type { Finding } from '../../messages/finding.ts';
import { free } from '../rows/held-rows.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';
import { PrivateBlocks } from '../source/private-blocks.ts';
import type { JudgedRow } from './judged-row.ts';

/** In characters; fewer stay in memory. */
const blockLength = 128 * 1024;

export class KeptRows {
  readonly #folder: string;
  readonly #sheets = new Map<string, KeptSheet>();
  /** Those that were begun anew are still to be taken away. */
  readonly #all: KeptSheet[] = [];

  /** @param folder  a folder of ours for private files */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Begins the rows of a sheet, anew when it was begun before. */
  begin(sheet: MatchedSheet): KeptSheet {
    this.#sheets.get(sheet.name)?.giveUp();
    const kept = new KeptSheet(sheet, this.#folder);
    this.#sheets.set(sheet.name, kept);
    this.#all.push(kept);
    return kept;
  }

  async close(): Promise<void> {
    for (const sheet of this.#all) sheet.giveUp();
    await Promise.all(this.#all.map((sheet) => sheet.closed));
  }
}

export class KeptSheet {
  readonly #sheet: MatchedSheet;
  readonly #folder: string;
  #pending: string[] = [];
  #pendingLength = 0;
  #blocks: PrivateBlocks | null = null;
  #isKept: boolean;
  #closed: Promise<void> = Promise.resolve();

  constructor(sheet: MatchedSheet, folder: string) {
    this.#sheet = sheet;
    this.#folder = folder;
    // Whether the file of a row is there is asked once more when it is sent.
    this.#isKept = !sheet.kind.sending.hasFile;
  }

  /** Rows come in their order. One of which a results sheet says something is not kept: the ledger may say more by then. */
  add(row: JudgedRow): void {
    if (!this.#isKept) return;
    if (row.standing !== free) {
      this.giveUp();
      return;
    }
    const text = JSON.stringify(this.#recordOf(row));
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength >= blockLength) this.#write();
  }

  /** The rows as they were judged, or `null` when they were not kept. */
  rows(): Iterable<JudgedRow> | null {
    return this.#isKept ? this.#read() : null;
  }

  giveUp(): void {
    this.#isKept = false;
    this.#pending = [];
    if (this.#blocks === null) return;
    // What cannot be taken away now, the next command takes away.
    this.#closed = this.#blocks.close().catch(() => {});
    this.#blocks = null;
  }

  get closed(): Promise<void> {
    return this.#closed;
  }

  #write(): void {
    try {
      this.#blocks ??= new PrivateBlocks(this.#folder);
      if (!this.#blocks.append(this.#pendingText())) this.giveUp();
    } catch {
      // Without a place for them the rows are judged again: that costs time, and nothing else.
      this.giveUp();
    }
    this.#pending = [];
    this.#pendingLength = 0;
  }

  *#read(): Generator<JudgedRow> {
    for (const text of this.#blocks?.texts() ?? []) yield* this.#rowsIn(text);
    yield* this.#rowsIn(this.#pendingText());
  }

  #pendingText(): string {
    return `[${this.#pending.join(',')}]`;
  }

  *#rowsIn(text: string): Generator<JudgedRow> {
    for (const record of JSON.parse(text) as KeptRecord[]) yield this.#rowOf(record);
  }

  #recordOf(row: JudgedRow): KeptRecord {
    const { references } = this.#sheet.kind;
    const named = row.references.map(
      ({ reference, ref, column }) => [references.indexOf(reference), ref, column] as const,
    );
    const { body, ref, pathId, problems, isValid, isLeftOut, reading, clears, twin } = row;
    return [row.row, body, ref, named, pathId, problems, isValid, isLeftOut, reading, clears, twin];
  }

  #rowOf([row, body, ref, named, pathId, problems, isValid, isLeftOut, reading, clears, twin]: KeptRecord): JudgedRow {
    const { kind, name: sheet } = this.#sheet;
    const references = named.flatMap(([index, namedRef, column]) => {
      const reference = kind.references[index];
      return reference === undefined ? [] : [{ reference, ref: namedRef, column }];
    });
    return {
      kind,
      sheet,
      row,
      body,
      ref,
      references,
      pathId,
      problems,
      isValid,
      isLeftOut,
      reading,
      clears,
      standing: free,
      twin,
    };
  }
}

/** A row as it stands in a block, in the order of {@link JudgedRow}, without what its sheet says of all rows. */
type KeptRecord = readonly [
  row: number,
  body: JudgedRow['body'],
  ref: string | null,
  references: readonly (readonly [index: number, ref: string, column: number])[],
  pathId: string | null,
  problems: readonly Finding[],
  isValid: boolean,
  isLeftOut: boolean,
  reading: CellsRead,
  clears: number,
  twin: string | null,
];
