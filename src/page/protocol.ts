/** What the page and its server say to each other: plain values, and nothing that is secret. */

/** What a person is told when something comes to nothing. */
export interface Fault {
  readonly message: string;
  readonly remedy: string;
}

/** A service that can be chosen: `sandbox`, or the name of a profile behind `profile:`. */
export interface ServiceShown {
  readonly key: string;
  readonly name: string;
  readonly address: string | null;
  readonly isRehearsal: boolean;
}

/** How the file is read, where a person has to say it. */
export interface Choices {
  /** What the rows are; `null` to find it out. */
  readonly kind: string | null;
  readonly dateOrder: string | null;
  readonly leaveOutUnknown: boolean;
  /** Checks that hold no row back. */
  readonly allow: readonly string[];
}

export type StateCount = readonly [state: string, status: string, rows: number];

export interface FindingShown {
  /** Its place in the list: by it the rows are asked for. */
  readonly number: number;
  readonly sheet: string;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The letters of the column with its field, or `null` for the whole row. */
  readonly column: string | null;
  /** The same as the number of the column among the person's own. */
  readonly index: number | null;
  readonly text: string;
  readonly rows: number;
  /** What stands in their cells, where it is the same in all of them and may be shown. */
  readonly from: string | null;
  /** The check by which such rows may go out once a person allows it, or `null`. */
  readonly allow: string | null;
  /** The words that the field takes, where it takes only some. */
  readonly choices: readonly string[];
}

export interface SheetShown {
  readonly name: string;
  readonly kind: string;
  readonly rows: number;
  readonly headers: readonly string[];
  /** Which of the person's own columns are masked. */
  readonly hidden: readonly number[];
  /** The words that each of them takes, where it takes only some. */
  readonly choices: readonly (readonly string[])[];
  readonly states: readonly StateCount[];
  readonly amount: string | null;
  readonly amountToSend: string | null;
}

export interface PreviewShown {
  readonly toSend: number;
  readonly notices: readonly string[];
  readonly sheets: readonly SheetShown[];
  readonly findings: readonly FindingShown[];
  readonly corrections: readonly CorrectionShown[];
}

/** A change that a person made. */
export interface CorrectionShown {
  readonly number: number;
  readonly text: string;
}

export interface LoadShown {
  /** `null` before the first row. */
  readonly run: string | null;
  readonly file: string;
  readonly toSend: number;
  readonly states: readonly StateCount[];
  /** Why nothing leaves at present. */
  readonly waiting: string | null;
  readonly isStopping: boolean;
}

export interface EndShown {
  readonly run: string | null;
  readonly file: string;
  readonly states: readonly StateCount[];
  /** Why it stopped before its end, or what else there is to know. */
  readonly told: readonly Fault[];
  readonly canResume: boolean;
  readonly wrong: number;
  readonly inDoubt: number;
}

export type Phase = 'empty' | 'reading' | 'ready' | 'loading' | 'ended' | 'failed';

export interface PageState {
  readonly version: number;
  readonly phase: Phase;
  readonly services: readonly ServiceShown[];
  /** The key of the one that is chosen, or `null`. */
  readonly service: string | null;
  readonly choices: Choices;
  readonly file: string | null;
  /** Rows that were read so far. */
  readonly read: number;
  readonly preview: PreviewShown | null;
  readonly load: LoadShown | null;
  readonly end: EndShown | null;
  readonly fault: Fault | null;
}

export interface Filter {
  readonly state?: string;
  /** The number of a finding. */
  readonly finding?: number;
}

export interface MarkShown {
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

export interface RowShown {
  /** As in the file. */
  readonly row: number;
  readonly state: string;
  readonly status: string;
  readonly problems: readonly string[];
  readonly id: string | null;
  readonly link: string | null;
  readonly cells: readonly string[];
  readonly marks: readonly MarkShown[];
}

export interface WindowShown {
  readonly total: number;
  readonly from: number;
  readonly rows: readonly RowShown[];
}

export interface RunShown {
  readonly id: string;
  readonly file: string;
  readonly began: string;
  readonly person: string;
  readonly service: string;
  readonly isRehearsal: boolean;
  readonly state: string;
  readonly states: readonly StateCount[];
  readonly inDoubt: number;
  readonly canResume: boolean;
}

/** A row that may be in the service or not. */
export interface DoubtShown {
  readonly sheet: string;
  readonly row: number;
  readonly kind: string;
  /** What came in place of an answer. */
  readonly came: string;
  /** By what a person knows the row. */
  readonly says: string;
}

/** How the columns of a file are read, as it was drafted. */
export interface MappingShown {
  readonly sheets: readonly {
    readonly name: string;
    readonly fields: readonly string[];
    readonly columns: readonly ColumnShown[];
  }[];
  /** Sheets of which nobody knows what their rows are. */
  readonly unknown: readonly string[];
}

export interface ColumnShown {
  readonly header: string;
  /** Masked where they may be personal. */
  readonly samples: readonly string[];
  /** The field that is meant; `null` for none, or where nobody has said it yet. */
  readonly field: string | null;
  /** Nobody knows yet what it is: a person has to say it. */
  readonly isOpen: boolean;
  /** Fields that it may be. */
  readonly suggestions: readonly string[];
  /** It is parted into several fields. */
  readonly isMade: boolean;
}

export interface ColumnDecided {
  /** By its place among the sheets of the mapping. */
  readonly sheet: number;
  readonly header: string;
  /** `null` leaves the column out. */
  readonly field: string | null;
}

/** What can be asked of the worker, and what it answers. */
export interface Asked {
  choose: { given: { readonly service?: string; readonly choices?: Partial<Choices> }; gives: null };
  rows: { given: { sheet: string; from: number; count: number; filter: Filter }; gives: WindowShown };
  reveal: { given: { sheet: string; row: number; column: number }; gives: { text: string } };
  find: { given: { sheet: string; text: string; from: number; filter: Filter }; gives: { at: number | null } };
  correct: { given: { changes: readonly CorrectionAsked[] }; gives: null };
  draft: { given: Record<string, never>; gives: MappingShown };
  map: { given: { decided: readonly ColumnDecided[]; everyMonth: boolean }; gives: null };
  undo: { given: { number: number | null }; gives: null };
  load: { given: Record<string, never>; gives: null };
  stop: { given: Record<string, never>; gives: null };
  back: { given: Record<string, never>; gives: null };
  resume: { given: { run: string }; gives: null };
  runs: { given: Record<string, never>; gives: readonly RunShown[] };
  doubts: { given: { run: string }; gives: readonly DoubtShown[] };
  resolve: {
    given: { run: string; sheet: string; row: number; record: string | null };
    gives: { told: readonly string[] };
  };
  addService: { given: { name: string; address: string; token: string }; gives: { told: string } };
}

export interface CorrectionAsked {
  readonly sheet: string;
  readonly column: number;
  readonly to: string;
  /** One row, or all rows with this value in the column. */
  readonly row?: number;
  readonly from?: string;
  /** Keeps it as a rule for files with the same headers. */
  readonly everyMonth?: boolean;
}

export type Question = keyof Asked;
export type Given<Name extends Question> = Asked[Name]['given'];
export type Gives<Name extends Question> = Asked[Name]['gives'];

/** Files that come back. */
export type Wanted =
  | { readonly what: 'results'; readonly run: string }
  | { readonly what: 'wrong'; readonly run: string }
  | { readonly what: 'balances' };
