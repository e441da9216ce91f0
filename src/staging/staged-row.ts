/** A row as it is staged: what it is, which logical row it is, what happens to it. And how that stands in the columns of a table. */
import type { RecordKind, RecordKindName } from '../contract/record-kind.ts';
import type { SqlValue } from '../disk/database.ts';
import type { CheckedRow } from '../mapping/body.ts';

/** A row that another one belongs to, as it is named in a cell. */
export interface NamedParent {
  readonly kind: RecordKindName;
  /** The body path that gets its id. */
  readonly fills: string;
  readonly ref: string | null;
  readonly id: string | null;
}

/** By what a row is known that was read and checked. */
export interface StagedRow {
  readonly sheet: number;
  readonly row: number;
  readonly isValid: boolean;
  readonly ref: string | null;
  readonly parents: readonly NamedParent[];
  /** Of an update: the id of its company. */
  readonly updates: string | null;
  /** What its own columns say, when it comes from results: which row it was, what its ID cell answers. */
  readonly own: OwnCells | null;
  /** Says all that its results show of it: some of its cells hide what they say. Such a row is known by that alone. */
  readonly isMasked?: boolean;
  /** By which it counts in the control totals; `null` where it has no readable one. */
  readonly amount: number | null;
  /** There is something to tell of it beside its amount: findings, a file, fields that it empties. */
  readonly hasDetails: boolean;
  /** `left-out`: a check takes it for no record. `unchanged`: it is as it was exported. */
  readonly aside?: Aside | null;
}

/** What a row says, whatever the way in which it is written: by it the row is found among others. */
export interface RowContent {
  /** A digest of all of it, without its parents. */
  readonly digest: string;
  /** The same of what its results will show of it, where they hide something. */
  readonly maskedDigest: string | null;
  /** Values by which a record without a Ref is known, as its kind has them (`identifiedBy`); `null` for what the row has not whole. */
  readonly identifies: readonly (readonly (string | null)[])[];
  /** Values by which it may be the same as another record, group by group, as its kind has them (`likeBy`). */
  readonly likes: readonly string[];
  /** A value that no other record of its kind has, such as an EIN; `null` for none. */
  readonly unique: string | null;
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
export type FoundBy =
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

export interface Identity {
  readonly id: number | null;
  readonly foundBy: FoundBy;
  /** Of a copy: whether it says something else than the row that counts. */
  readonly differs: boolean;
}

export interface KnownStaged extends StagedRow, Identity {
  readonly number: number;
  /** Whether the ledger may know it. */
  readonly mayBeKnown: boolean;
  readonly content: string | null;
  /** What happens to it, as JSON; `null` before that is decided. */
  readonly decision: string | null;
}

export const columnsRead = ['sheet', 'row', 'isValid', 'ref', 'facts', 'own', 'aside', 'amount', 'hasDetails'] as const;

export const columnsKnown = ['number', 'mayBeKnown', 'content', 'id', 'foundBy', 'differs', 'decision'] as const;

/** What no SQL asks for: most rows have none of it. */
type Facts = Pick<StagedRow, 'parents' | 'updates' | 'isMasked'>;
const noFacts: Facts = { parents: [], updates: null, isMasked: false };

export function valuesRead(row: StagedRow): readonly SqlValue[] {
  const { parents, updates, isMasked = false, own, aside = null } = row;
  const isPlain = parents.length === 0 && updates === null && !isMasked;
  const facts: Facts = { parents, updates, isMasked };
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

/** @param values  of {@link columnsKnown} and {@link columnsRead}; as an array, since SQLite gives these several times faster */
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
    ...(facts === null ? noFacts : (JSON.parse(facts) as Facts)),
    own: own === null ? null : (JSON.parse(own) as OwnCells),
    aside,
    amount,
    hasDetails: hasDetails === 1,
    mayBeKnown: mayBeKnown === 1,
    content,
    // Until it is registered, its children tell a new row from others by a name of its own.
    id: id ?? (foundBy === null ? -number : null),
    foundBy: foundBy ?? 'new',
    differs: differs === 1,
    decision,
  };
}

/** A file as a person is told of it before it is sent. */
export interface NamedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** A checked row with all that the rest of its source and the disk say of it. */
export interface RowData extends CheckedRow {
  readonly aside: Aside | null;
  /** What an attachment names, where it may be sent. */
  readonly file: (NamedFile & { readonly digest: string }) | null;
}

/** Without what its sheet says of all rows. */
export type HeldData = Omit<RowData, 'kind' | 'sheet' | 'row' | 'references'> & {
  readonly references: readonly (readonly [index: number, ref: string, column: number | null])[];
};

export function dataOf({ kind, sheet: _sheet, row: _row, references, ...rest }: RowData): string {
  const named = references.map(
    ({ reference, ref, column }) => [kind.references.indexOf(reference), ref, column] as const,
  );
  const data: HeldData = { ...rest, references: named };
  return JSON.stringify(data);
}

export function rowOfData(
  data: HeldData,
  place: { readonly kind: RecordKind; readonly sheet: string; readonly row: number },
): RowData {
  const references = data.references.flatMap(([index, ref, column]) => {
    const reference = place.kind.references[index];
    return reference === undefined ? [] : [{ reference, ref, column }];
  });
  return { ...data, ...place, references };
}
