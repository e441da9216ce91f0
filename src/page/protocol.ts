/** The messages between the page and its server: plain values without secrets. */
import type { RefScope } from '../contract/record-kind.ts';

export interface Fault {
  readonly message: string;
  readonly remedy: string;
}

/** A service to choose: `sandbox`, or `profile:` and the name of a profile. */
export interface ServiceShown {
  readonly key: string;
  readonly name: string;
  readonly address: string | null;
}

/** How to read the file, where the person has to say it. */
export interface Choices {
  /** The kind of the rows, or `null` to infer it. */
  readonly kind: string | null;
  readonly dateOrder: string | null;
  readonly leaveOutUnknown: boolean;
  /** The character set of a CSV file, or `null` to detect it. */
  readonly encoding: string | null;
  readonly trustResults: boolean;
  readonly again: boolean;
  readonly allow: readonly string[];
}

export type StateCount = readonly [state: string, status: string, rows: number];

/** The page asks for a finding's rows by its index in the list. */
export interface FindingShown {
  readonly sheet: string;
  readonly severity: 'error' | 'warning';
  readonly level: 'error' | 'held' | 'note';
  /** The column's letters (the cell, if it is one) with its field, or `null` for the whole row. */
  readonly column: string | null;
  /** The index of that column among the person's own. */
  readonly index: number | null;
  readonly text: string;
  /** What the rows say there, if they differ: the text names the first alone. */
  readonly values: string;
  readonly rows: number;
  readonly from: string | null;
  readonly allow: string | null;
}

export interface SheetShown {
  readonly name: string;
  readonly rows: number;
  readonly headers: readonly string[];
  readonly hidden: readonly number[];
  readonly choices: readonly (readonly string[])[];
  readonly states: readonly StateCount[];
  readonly amount: string | null;
  readonly amountToSend: string | null;
}

export interface PreviewShown {
  readonly toSend: number;
  readonly mayBeTwice: number;
  readonly notices: readonly string[];
  readonly sheets: readonly SheetShown[];
  readonly findings: readonly FindingShown[];
  readonly corrections: readonly string[];
}

export interface LoadShown {
  readonly run: string | null;
  /** The address of the load's service, `null` in a rehearsal. A resumed load may use another service than the chosen one. */
  readonly address: string | null;
  readonly toSend: number;
  readonly states: readonly StateCount[];
  readonly waiting: string | null;
  readonly isStopping: boolean;
  /** Why it stopped early. */
  readonly faults: readonly Fault[];
  readonly notices: readonly string[];
  readonly canResume: boolean;
}

export interface PageState {
  readonly version: number;
  readonly phase: 'empty' | 'reading' | 'ready' | 'loading' | 'ended' | 'failed';
  readonly services: readonly ServiceShown[];
  /** The record kinds, each with its sheet name. */
  readonly kinds: readonly (readonly [kind: string, title: string])[];
  readonly service: string;
  readonly choices: Choices;
  readonly file: string | null;
  readonly read: number;
  readonly preview: PreviewShown | null;
  readonly load: LoadShown | null;
  readonly fault: Fault | null;
}

export interface Filter {
  readonly state?: string;
  readonly finding?: number;
}

export interface RowShown {
  /** The row number in the file. */
  readonly row: number;
  readonly state: string;
  readonly status: string;
  readonly problems: readonly string[];
  readonly id: string | null;
  readonly link: string | null;
  readonly cells: readonly string[];
  readonly marks: readonly { readonly column: number; readonly severity: 'error' | 'warning'; readonly text: string }[];
}

export interface RunShown {
  readonly id: string;
  readonly file: string;
  readonly began: string;
  readonly person: string;
  readonly service: string | null;
  readonly states: readonly StateCount[];
  readonly state: 'running' | 'stopped' | 'ended';
  readonly canGoOn: boolean;
}

export interface DoubtShown {
  readonly sheet: string;
  readonly row: number;
  readonly attempt: number;
  readonly kind: string;
  readonly came: string;
  readonly says: string;
}

export interface MappingShown {
  /** `null` where the mapping does not say. */
  readonly refScope: RefScope | null;
  readonly sheets: readonly {
    readonly name: string;
    /** The kind of its rows; `null` if it is left out or undecided. */
    readonly kind: string | null;
    readonly isOpen: boolean;
    /** The fields of a template, and those that few files have. */
    readonly fields: readonly string[];
    readonly rareFields: readonly string[];
    /** The second and later parts of lists. */
    readonly laterFields: readonly string[];
    /** Required fields. One without a column may have the same value in every row. */
    readonly needed: readonly { readonly field: string; readonly choices: readonly string[]; readonly value: string }[];
    readonly columns: readonly ColumnShown[];
  }[];
}

/** The kind of each sheet by name; `null` for a sheet that is left out. */
export type KindsSaid = Readonly<Record<string, string | null>>;

export interface ColumnShown {
  readonly header: string;
  /** Masked if they may be personal. */
  readonly samples: readonly string[];
  /** The field of the column; `null` for none, or if it is undecided. */
  readonly field: string | null;
  readonly isOpen: boolean;
  readonly suggestions: readonly string[];
}

export interface ColumnDecided {
  readonly sheet: string;
  readonly header: string;
  /** `null` leaves the column out. */
  readonly field: string | null;
}

/** A field with the same value in every row of a sheet. */
export interface ConstantSaid {
  readonly sheet: string;
  readonly field: string;
  readonly value: string;
}

/** The version of the state that the person saw. */
interface Seen {
  readonly version: number;
}

/** What the page can ask of the worker, with the answers. The next state shows the effects. */
export interface Asked {
  choose(given: Seen & { readonly service?: string; readonly choices?: Partial<Choices> }): void;
  correct(given: Seen & { readonly changes: readonly CorrectionAsked[] }): void;
  /** @param given.at the index of the correction; -1 for the last one */
  undo(given: Seen & { readonly at: number }): void;
  map(
    given: Seen & {
      readonly kinds: KindsSaid;
      readonly decided: readonly ColumnDecided[];
      readonly constants: readonly ConstantSaid[];
      readonly refScope?: RefScope | undefined;
      readonly everyMonth: boolean;
    },
  ): void;
  load(given: Seen): void;
  stop(given: Nothing): void;
  back(given: Nothing): void;
  resume(given: { readonly run: string }): void;
  rows(given: RowsAsked): { readonly total: number; readonly rows: readonly RowShown[] };
  /** The index of the next row with the text in a cell, or `null`. */
  find(given: Omit<RowsAsked, 'count'> & { readonly text: string }): number | null;
  reveal(given: CellPlace): string;
  draft(given: { readonly kinds: KindsSaid }): MappingShown;
  runs(given: Nothing): readonly RunShown[];
  doubts(given: { readonly run: string }): readonly DoubtShown[];
  resolve(given: DoubtResolved): readonly string[];
  addService(given: { readonly name: string; readonly address: string; readonly token: string }): string;
}
type Nothing = Record<string, never>;

export interface CellPlace {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

export interface RowsAsked {
  readonly sheet: string;
  readonly from: number;
  readonly count: number;
  readonly filter: Filter;
}

export interface DoubtResolved extends Pick<DoubtShown, 'sheet' | 'row' | 'attempt'> {
  readonly run: string;
  /** The link or id of the record; `null` if it does not exist. */
  readonly record: string | null;
  /** The person has seen how the row was settled before. */
  readonly isChange: boolean;
}

export interface CorrectionAsked {
  readonly sheet: string;
  readonly column: number;
  readonly to: string;
  /** One row, or all rows with this value in the column. */
  readonly row?: number;
  readonly from?: string;
  /** Also stores it as a rule for files with the same headers. */
  readonly everyMonth?: boolean;
}

export type Question = keyof Asked;
export type Given<Name extends Question> = Parameters<Asked[Name]>[0];
export type Gives<Name extends Question> = ReturnType<Asked[Name]>;

export type Wanted = { readonly what: 'results' | 'wrong'; readonly run: string } | { readonly what: 'balances' };
