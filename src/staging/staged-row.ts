/** The types of a staged row, and their conversion to and from table columns. */

import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import type { SqlValue } from '../disk/database.ts';
import type { Place } from '../ledger/ledger.ts';
import type { CheckedRow } from '../mapping/body.ts';

/** A parent as a cell names it: by Ref or by id. */
export interface NamedParent {
  readonly kind: RecordKindName;
  /** The body path that gets the parent's id. */
  readonly fills: string;
  readonly ref: string | null;
  readonly id: string | null;
}

/** A row after mapping and checks, without its content. */
export interface StagedRow {
  readonly sheet: number;
  readonly row: number;
  readonly isValid: boolean;
  readonly ref: string | null;
  readonly parents: readonly NamedParent[];
  /** For rows of a results sheet: which row it was, and what the ID cell answers. */
  readonly own: OwnCells | null;
  /** Some cells are masked, so the row can be matched only by the masked content digest. */
  readonly isMasked?: boolean;
  /** The amount for the control totals, or `null` if it has no readable one. */
  readonly amount: number | null;
  /** Whether it has findings, a file or fields to clear. */
  readonly hasDetails: boolean;
  /** `left-out`: a check found that it is not a record. `unchanged`: it equals its export. */
  readonly aside?: Aside | null;
}

/** The digests and values by which a row is matched, independent of formatting. */
export interface RowContent {
  /** The content digest, without parents. */
  readonly digest: string;
  /** The content digest with its references as spreadsheet programs write them, or `null` if it is the same. */
  readonly looseDigest: string | null;
  /** The content digest as the results will show the row, or `null` if they mask nothing more. */
  readonly maskedDigest: string | null;
  /** The values of each group in `identifiedBy` of the kind, or `null` for an incomplete group. */
  readonly identifies: readonly (readonly (string | null)[])[];
  /** The values of each complete group in `sharedBy` of the kind. */
  readonly shares: readonly (Pick<RecordKind['sharedBy'][number], 'proves'> & {
    readonly besideParent: boolean;
    readonly values: string;
  })[];
}

export type Aside = 'left-out' | 'unchanged';

/** The Run cell names a place and an attempt; the others say what became of the row there. */
export interface OwnCells extends Place {
  readonly attempt: number;
  /** From the Status cell, or from the ID cell if Status is empty. */
  readonly saysIn: boolean;
  readonly saysDoubt: boolean;
  readonly answer: Answer | null;
  readonly company: string | null;
  /** The address in the Link cell. In a workbook the cell shows a word that links to it. */
  readonly url: string | null;
}

/** An ID cell: the record exists, does not exist, or the text is unclear, such as a number that may have lost digits. */
export type Answer =
  | ClearAnswer
  | { readonly kind: 'unclear'; readonly id?: null; readonly typed: string; readonly isRounded: boolean };
/** A created record may come without its id. */
export type ClearAnswer =
  | { readonly kind: 'created'; readonly id: string | null }
  | { readonly kind: 'not-created'; readonly id?: null };

/** `unknown-key`, `trusted`: by its results it is in or in doubt, but the ledger lacks its key. */
export type FoundBy = 'key' | 'place' | 'ref' | 'content' | 'new' | 'copy' | 'unknown-key' | 'trusted' | 'other-kind';

export interface Identity {
  readonly id: number | null;
  readonly foundBy: FoundBy;
  /** For copies: whether the content differs from the row that counts. */
  readonly differs: boolean;
}

export interface KnownStaged extends StagedRow, Identity {
  readonly number: number;
  readonly mayBeKnown: boolean;
  readonly content: string | null;
  /** The decision as JSON, or `null` before it is made. */
  readonly decision: string | null;
}

export const columnsRead = ['sheet', 'row', 'isValid', 'ref', 'facts', 'own', 'aside', 'amount', 'hasDetails'] as const;

export const columnsKnown = ['number', 'mayBeKnown', 'content', 'id', 'foundBy', 'differs', 'decision'] as const;

/** What no SQL reads. Most rows have none of it. */
type OtherFacts = Pick<StagedRow, 'parents' | 'isMasked'>;
const noOtherFacts: OtherFacts = { parents: [], isMasked: false };

export function valuesRead(row: StagedRow): readonly SqlValue[] {
  const { parents, isMasked = false, own, aside = null } = row;
  const isPlain = parents.length === 0 && !isMasked;
  const facts: OtherFacts = { parents, isMasked };
  return [
    row.sheet,
    row.row,
    Number(row.isValid),
    row.ref,
    isPlain ? null : JSON.stringify(facts),
    own === null ? null : JSON.stringify(own),
    aside,
    row.amount,
    Number(row.hasDetails),
  ];
}

type ValuesKnown = [number, number, string | null, number | null, FoundBy | null, number, string | null];
type Text = string | null;
type ValuesRead = [number, number, number, Text, Text, Text, Aside | null, number | null, number];

/** Until it is registered, a new row has its negative number in this file as its id, so that its children differ. */
export function newRowId(number: number): number {
  return -number;
}

/** The number in this file of a new row; `null` for the id of a registered row. */
export function numberOfNew(id: number | null): number | null {
  return id !== null && id < 0 ? -id : null;
}

export function isRegistered(id: number | null): id is number {
  return id !== null && numberOfNew(id) === null;
}

/** @param values of {@link columnsKnown} and {@link columnsRead}, as an array: SQLite returns it several times faster */
export function stagedOf(values: unknown): KnownStaged {
  const [number, mayBeKnown, content, id, foundBy, differs, decision, ...more] = values as [
    ...ValuesKnown,
    ...ValuesRead,
  ];
  const [sheet, row, isValid, ref, facts, own, aside, amount, hasDetails] = more;
  return {
    number,
    sheet,
    row,
    isValid: isValid === 1,
    ref,
    ...(facts === null ? noOtherFacts : (JSON.parse(facts) as OtherFacts)),
    own: own === null ? null : (JSON.parse(own) as OwnCells),
    aside,
    amount,
    hasDetails: hasDetails === 1,
    mayBeKnown: mayBeKnown === 1,
    content,
    id: id ?? (foundBy === null ? newRowId(number) : null),
    foundBy: foundBy ?? 'new',
    differs: differs === 1,
    decision,
  };
}

/** The file of an attachment, as shown before it is sent. */
export interface NamedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** A checked row with what the other rows and the disk add to it. */
export interface RowData extends CheckedRow {
  readonly aside: Aside | null;
  /** The file of an attachment, if it may be sent. */
  readonly file: (NamedFile & { readonly digest: string }) | null;
  /** For a row of an export: the paths of values that are sent as they were exported. */
  readonly asExported?: readonly string[] | undefined;
}

/** Most rows are staged as they were mapped: with no file, and nothing that sets them aside. */
export type MappedData = CheckedRow & Partial<RowData>;

/** Leaves out what the `rows` table and the sheet hold. */
export type StoredData = Omit<MappedData, 'kind' | 'sheet' | 'row'>;

export function dataOf(row: MappedData): string {
  return JSON.stringify({ ...row, kind: undefined, sheet: undefined, row: undefined });
}

export function rowOfData(data: StoredData, place: Pick<CheckedRow, 'kind' | 'sheet' | 'row'>): RowData {
  return { aside: null, file: null, ...data, ...place };
}
