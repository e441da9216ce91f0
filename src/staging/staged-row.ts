/** A row as it is staged: what it says, which logical row it is, what happens to it. And how that stands in the columns of a table. */
import type { RecordKindName } from '../contract/record-kind.ts';
import type { SqlValue } from '../disk/database.ts';

/** A row that another one belongs to, as it is named in a cell. */
export interface NamedParent {
  readonly kind: RecordKindName;
  /** The body path that gets its id. */
  readonly fills: string;
  readonly ref: string | null;
  readonly id: string | null;
}

/** A row as it was read and checked. */
export interface StagedRow {
  readonly sheet: number;
  readonly row: number;
  readonly isValid: boolean;
  /** Its body and findings as JSON. */
  readonly data: string;
  /** Its cells as they stand in the source, as JSON. */
  readonly cells?: string;
  /** What it says, without its parents, whatever the way in which it is written. */
  readonly says: string;
  readonly ref: string | null;
  readonly parents: readonly NamedParent[];
  /**
   * Values by which a record without a Ref is known, the most telling group first: date and reference of a payment, then its date
   * alone. `null` for a group that the row has not whole.
   */
  readonly identifies: readonly (string | null)[];
  /** A value that no other record of its kind has, such as an EIN; `null` for none. */
  readonly unique?: string | null;
  /** Of an update: the id of its company. */
  readonly updates: string | null;
  /** What its own columns say, when it comes from results: which row it was, what its ID cell answers. */
  readonly own: OwnCells | null;
  /** Says all that its results show of it: some of its cells hide what they say. Such a row is known by that alone. */
  readonly isMasked?: boolean;
  /** What its results will show of it, where they hide something. */
  readonly shown?: string | null;
  /** `left-out`: a check takes it for no record. `unchanged`: it is as it was exported. */
  readonly aside?: Aside | null;
}

export type Aside = 'left-out' | 'unchanged';

export interface OwnCells {
  readonly run: string;
  readonly sheet: string;
  readonly row: number;
  /** By its Status cell. */
  readonly saysIn: boolean;
  readonly saysDoubt: boolean;
  readonly answer: Answer | null;
  readonly company: string | null;
  /** An address in the Link cell; in a workbook the cell has a word, and links to the address. */
  readonly url: string | null;
}

/**
 * What an ID cell says: that the record is there, under its id where one is given; that it is not; or nothing that is understood,
 * such as a number of which a spreadsheet program may have dropped digits.
 */
export type Answer =
  | { readonly kind: 'created'; readonly id: string | null }
  | { readonly kind: 'not-created' }
  | { readonly kind: 'unclear'; readonly typed: string; readonly isRounded: boolean };

/** `trusted`: by the word of its results, of which the ledger knows nothing. */
export type How =
  | 'key'
  | 'place'
  | 'ref'
  | 'content'
  | 'new'
  | 'copy'
  | 'unknown-key'
  | 'trusted'
  | 'other-kind'
  | 'several';

/** A row that was identified. */
export interface Identity {
  readonly id: number | null;
  readonly how: How;
  /** Of a copy: whether it says something else than the row that counts. */
  readonly differs: boolean;
}

export interface KnownStaged extends StagedRow, Identity {
  readonly number: number;
  readonly content: Buffer | null;
  /** Digests of its fields, where it is to be sent. */
  readonly fields: Buffer | null;
  /** What happens to it, as JSON; `null` before that is decided. */
  readonly decision: string | null;
}

/** What a row is known by as it was read. */
export const columnsRead = ['sheet', 'row', 'isValid', 'ref', 'facts', 'own', 'aside'] as const;

/** All that it says, in a table of its own: what is known of a row is written again and again, and this once. */
export const columnsHeld = ['says', 'shown', 'data'] as const;

/** What is known of it since. */
export const columnsKnown = ['number', 'content', 'fields', 'id', 'how', 'differs', 'decision'] as const;

/** What no SQL asks for: most rows have none of it. */
type Facts = Pick<StagedRow, 'parents' | 'identifies' | 'unique' | 'updates' | 'isMasked'>;
const noFacts: Facts = { parents: [], identifies: [], unique: null, updates: null, isMasked: false };

export function valuesRead(row: StagedRow): readonly SqlValue[] {
  const { parents, identifies, unique = null, updates, isMasked = false, own, aside = null } = row;
  const isPlain = parents.length === 0 && identifies.every((values) => values === null) && !isMasked;
  const facts: Facts = { parents, identifies, unique, updates, isMasked };
  return [
    row.sheet,
    row.row,
    Number(row.isValid),
    row.ref,
    isPlain && unique === null && updates === null ? null : JSON.stringify(facts),
    own === null ? null : JSON.stringify(own),
    aside,
  ];
}

export function valuesHeld({ says, shown = null, data }: StagedRow): readonly SqlValue[] {
  return [says, shown, data];
}

type StagedColumns = [
  number: number,
  content: Buffer | null,
  fields: Buffer | null,
  id: number | null,
  how: How | null,
  differs: number,
  decision: string | null,
  sheet: number,
  row: number,
  isValid: number,
  ref: string | null,
  facts: string | null,
  own: string | null,
  aside: Aside | null,
  says?: string,
  shown?: string | null,
  data?: string,
];

/** @param values  of {@link columnsKnown}, {@link columnsRead} and, where they are wanted, {@link columnsHeld}; as an array, since SQLite gives these several times faster */
export function stagedOf(values: unknown): KnownStaged {
  const [number, content, fields, id, how, differs, decision, ...more] = values as StagedColumns;
  const [sheet, row, isValid, ref, facts, own, aside, says = '', shown = null, data = ''] = more;
  return {
    number,
    sheet,
    row,
    isValid: isValid === 1,
    data,
    says,
    ref,
    ...(facts === null ? noFacts : (JSON.parse(facts) as Facts)),
    own: own === null ? null : (JSON.parse(own) as OwnCells),
    shown,
    aside,
    content,
    fields,
    id,
    how: how ?? 'new',
    differs: differs === 1,
    decision,
  };
}
