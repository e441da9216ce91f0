/** What is wrong with a row, or was changed in reading it, as a value: where it stands and one sentence to act on. */
import type { Message } from '../messages/message.ts';
import { textOf } from '../messages/text.ts';
import { hiddenMark, type Remark } from './remark.ts';

export interface RowProblem {
  /** An error keeps the row from being sent; a warning tells what was changed or looks odd. */
  readonly severity: 'error' | 'warning';
  /** The cell's column, from 0, or `null` when the whole row is meant or no column exists. */
  readonly column: number | null;
  /** The field that is meant, by its label, or `null` for the whole row. */
  readonly label: string | null;
  /** A whole sentence with the value (hidden when sensitive), the rule and the remedy. */
  readonly message: string;
  /** The same without anything of the row's own: problems with one reason are told together. */
  readonly reason: string;
  /** A warning that a person is to see before anything is sent. */
  readonly isToldBefore?: true;
  /** Of what each record is assumed to have: of a row that is no record at all, it need not be said. */
  readonly isOfBlank?: true;
  /** A warning that says that the row is sent: it is not to be said of one that is not. */
  readonly saysSent?: true;
}

/** The field of which a sentence speaks. */
export interface Subject {
  readonly label: string;
  readonly sensitive: boolean;
}

export function isError({ severity }: RowProblem): boolean {
  return severity === 'error';
}

/** A problem of a row as a whole, by a sentence with nothing of the row's own in it. */
export function problemOfRow(severity: RowProblem['severity'], message: string): RowProblem {
  return { severity, column: null, label: null, message, reason: message };
}

/** A problem that a check has found. */
export function problemOfMessage(
  severity: RowProblem['severity'],
  message: Message,
  { column, label }: Pick<RowProblem, 'column' | 'label'>,
): RowProblem {
  const told = severity === 'warning' && toldBeforehand.has(message.code) ? { isToldBefore: true as const } : {};
  return { severity, column, label, message: textOf(message), reason: `${message.code} ${label ?? ''}`, ...told };
}

const toldBeforehand: ReadonlySet<string> = new Set([
  'total-like',
  'example-like',
  'ref-loaded',
  'value-under-merge',
  'link-text',
]);

/** A note on a row that is sent, and may be no record: a person is to see it before. */
export function toldBefore(note: RowProblem): RowProblem {
  return { ...note, isToldBefore: true, saysSent: true };
}

/** A problem of one value, said as {@link saidOfValue} says it. */
export function problemOfValue(
  severity: RowProblem['severity'],
  column: number | null,
  subject: Subject,
  { value, said }: { readonly value: string; readonly said: Remark },
): RowProblem {
  const { label } = subject;
  return { severity, column, label, message: saidOfValue(subject, value, said), reason: `${label} ${said.hidden}` };
}

const longestShownValue = 60;
/** Looks like the key that ends a line. */
const lineEnd = '\u21b5';

/**
 * `Amount requested "-5" must be at least 0.`, or `Owner 1 SSN (hidden) is no SSN. …`: the one place where a value becomes part
 * of a message, and where it is kept out of one.
 */
function saidOfValue({ label, sensitive }: Subject, value: string, said: Remark): string {
  return sensitive ? `${label} ${hiddenMark} ${said.hidden}` : `${label} "${shortened(value)}" ${said.text}`;
}

/** An SSN in a cell where none belongs. */
const strayedSsn = /(?<!\d)\d{3}([- ])\d{2}\1\d{4}(?!\d)/g;

/** A value as it may stand in a message: control characters and ends of lines made visible, an SSN hidden, long ones cut. */
export function shortened(value: string): string {
  const visible = value
    .replace(strayedSsn, '***$1**$1****')
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => (character === '\n' ? lineEnd : '\uFFFD'));
  return visible.length > longestShownValue ? `${visible.slice(0, longestShownValue)}…` : visible;
}
