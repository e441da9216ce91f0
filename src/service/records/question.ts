/** What an answer is asked: about how many rows it is, what they sent, and how far it is looked at. */
import type { RecordKind } from '../../contract/record-kind.ts';
import type { OutgoingRecord } from './outgoing-record.ts';

export interface Question {
  /** What was sent for the row, or `null` for many rows. */
  readonly sent: Readonly<Record<string, unknown>> | null;
  /** How many rows the answer is about. */
  readonly rows: number;
  readonly isUpdate: boolean;
  /** The list of an answer that is looked at item by item; it is not looked at here. `null` when there is none. */
  readonly except: readonly unknown[] | null;
  /** What is read beside the places around the record, where no id tells of it: nothing, what went wrong, or everything. */
  readonly beside: 'nothing' | 'troubles' | 'everything';
}

/** The answer to one row, and the id that it gives. */
export function aboutRow(kind: RecordKind, { body }: OutgoingRecord, id: string | null): Question {
  const isUpdate = kind.sending === 'update';
  return { sent: body, rows: 1, isUpdate, except: null, beside: id === null ? 'troubles' : 'nothing' };
}

/** An item of the answer to many rows. */
export function aboutItem({ body }: OutgoingRecord, beside: Question['beside']): Question {
  return { sent: body, rows: 1, isUpdate: false, except: null, beside };
}

/** What the answer to many rows says of them together, beside the list of them. */
export function aboutRows(rows: number, list: readonly unknown[] | null): Question {
  return { sent: null, rows, isUpdate: false, except: list, beside: list === null ? 'everything' : 'nothing' };
}

/** The answer to a question. */
export const aboutRead: Question = { sent: null, rows: 1, isUpdate: false, except: null, beside: 'nothing' };
