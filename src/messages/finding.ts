/** A finding: one problem or change in a row, as a code with parameters and a place. */
import { hiddenMark, type Message, type Parameter, type Parameters, shownValue } from './message.ts';
import { textOf } from './text.ts';

/** Its sheet and row are those of the row that it belongs to. */
export interface Finding extends Message {
  /** An error keeps the row from being sent; a warning reports a change or something odd. */
  readonly severity: 'error' | 'warning';
  /** The cell's column, from 0; `null` for the whole row, or when there is no column. */
  readonly column: number | null;
  readonly label: string | null;
  /** The field is sensitive, and no parameter contains its value. */
  readonly isSensitive: boolean;
  /** The row is held because of this finding. */
  readonly isHeld?: boolean;
}

export type Severity = Finding['severity'];

export interface Subject {
  readonly label: string;
  readonly sensitive: boolean;
}

const wholeRow: Pick<Finding, 'column' | 'label'> = { column: null, label: null };

export function isError({ severity }: Finding): boolean {
  return severity === 'error';
}

/** The level as shown to people. */
export function levelOf(finding: Finding): 'error' | 'held' | 'note' {
  return isError(finding) ? 'error' : finding.isHeld === true ? 'held' : 'note';
}

export function findingOf(severity: Severity, { code, params }: Message, { column, label } = wholeRow): Finding {
  return { code, severity, column, label, isSensitive: false, params };
}

/**
 * The one place where cell values enter a finding; long ones are cut. For a sensitive field every text and number among the
 * parameters is hidden; codes, flags and lists of our own words stay.
 */
export function findingOfValue(
  severity: Severity,
  column: number | null,
  { label, sensitive }: Subject,
  value: string,
  message: Message,
): Finding {
  const params = shownParams({ ...message.params, value }, sensitive);
  return { code: message.code, severity, column, label, isSensitive: sensitive, params };
}

/** What is said of several rows at once names none of them. */
export function ofSeveral<One extends Message>(one: One): One {
  return 'row' in one.params ? { ...one, params: { ...one.params, row: null } } : one;
}

/** The parameters without values of a single row, so that equal findings can be grouped. */
export function paramsOfAll({ params }: Finding): Parameters {
  return shownParams(params, true);
}

function shownParams(params: Parameters, sensitive: boolean): Parameters {
  return Object.fromEntries(Object.entries(params).map(([name, param]) => [name, shownParam(param, sensitive)]));
}

function shownParam(param: Parameter, sensitive: boolean): Parameter {
  if (typeof param === 'string') return sensitive ? hiddenMark : shownValue(param);
  if (typeof param === 'number') return sensitive ? hiddenMark : param;
  if (param === null || typeof param === 'boolean' || !('code' in param)) return param;
  return { code: param.code, params: shownParams(param.params, sensitive) };
}

/** The sentence that a person reads: `Amount requested "-5" must be at least 0.`, or `Owner 1 SSN (value not shown) is no SSN. …` */
export function findingText({ label, isSensitive, ...message }: Finding): string {
  const { value } = message.params;
  const text = textOf(message);
  if (value === undefined) return text;
  return `${label} ${isSensitive ? hiddenMark : `"${value}"`} ${text}`;
}

interface Traits {
  /** Says that the row is sent, so it is omitted for a row that is not. */
  readonly saysSent?: true;
  /** Shown only at its cell, because another finding of the row covers it. */
  readonly ofCell?: true;
  /** What may happen when it is ignored. Without it, something may be wrong. */
  readonly harm?: 'twice' | 'read-as';
  /** The parameter that groups findings of the code: one group per value. */
  readonly by?: string;
  /** Groups findings by the punctuation of their values: an amount in brackets is read differently from one with a currency sign. */
  readonly byMarks?: true;
  /** The parameter whose values a group lists; by default the value of the cell. */
  readonly lists?: string;
}

const traits: Readonly<Record<string, Traits>> = {
  'read-as': { harm: 'read-as', byMarks: true },
  'blanks-around': { harm: 'read-as' },
  'unseen-characters': { harm: 'read-as' },
  'day-read-as': { harm: 'read-as' },
  'binary-rest': { harm: 'read-as' },
  'zero-in-accounts': { harm: 'read-as' },
  'dash-for-hyphen': { harm: 'read-as' },
  'choice-read-as': { harm: 'read-as', by: 'value' },
  'not-a-choice': { by: 'value' },
  'word-for-nothing': { harm: 'read-as', by: 'value' },
  'exported-cell-changed': { harm: 'read-as' },
  'total-like': { by: 'label' },
  'same-content': { saysSent: true, harm: 'twice', lists: 'first' },
  'same-company': { saysSent: true, harm: 'twice', lists: 'first' },
  'other-company': { saysSent: true, lists: 'ref' },
  'like-loaded': { saysSent: true, harm: 'twice', lists: 'record' },
  'ref-repeated': { by: 'ref' },
  'ref-unknown': { by: 'ref' },
  'ref-ambiguous': { by: 'ref' },
  'ref-not-in': { by: 'ref' },
  'ref-loaded': { by: 'load', lists: 'ref', harm: 'twice' },
  'ref-not-looked-up': { lists: 'ref' },
  'attachment-file': { by: 'file' },
  'unknown-key': { lists: 'typed' },
  'changed-value': { ofCell: true },
  'changed-field': { ofCell: true },
};

const none: Traits = {};

/** Whether it is about the record that the row makes, which may be there twice. */
export function isOfRecord(finding: Finding): boolean {
  const { saysSent, harm } = traitsOf(finding);
  return saysSent === true && harm === 'twice';
}

export function traitsOf({ code }: { readonly code: string }): Traits {
  return traits[code] ?? none;
}
