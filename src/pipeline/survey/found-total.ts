/** What is said of a row that is a total, and is no record for it. */
import { type Remark, remark } from '../../mapping/remark.ts';

export interface FoundTotal {
  /** Continues a sentence that begins with the amount: `is the sum of …:` */
  readonly said: Remark;
  /** What the row is in place of a record. */
  readonly what: Remark;
  /** What to do if it is a record all the same. */
  readonly otherwise: Remark;
}

const total = remark`a total`;

export function sumOfAbove(said: Remark): FoundTotal {
  return { said, what: total, otherwise: remark`move it above those rows` };
}

export function sumOfBelow(rows: number): FoundTotal {
  const said = remark`is the sum of the ${rows} rows below it:`;
  return { said, what: total, otherwise: remark`move it below another row` };
}

export function perhapsOfUnreadable(rows: number): FoundTotal {
  const amounts = rows === 1 ? remark`1 amount` : remark`${rows} amounts`;
  return sumOfAbove(
    remark`stands in a row that says a total, and ${amounts} above it cannot be read, so that it may be their sum:`,
  );
}

const fillIn = remark`fill in what the other rows fill`;

/** What a row may be by its label: a figure is an average, a count or the like. */
export type LabelOfRow = 'total' | 'balance' | 'figure';

/** Rows that have the label alone, whatever their amount comes to. */
export const byLabel: Readonly<Record<LabelOfRow, FoundTotal>> = {
  total: {
    said: remark`stands in a row that says a total and leaves blank what the others fill:`,
    what: total,
    otherwise: fillIn,
  },
  balance: {
    said: remark`stands in a row that says the balance of an account and leaves blank what the others fill:`,
    what: remark`a balance`,
    otherwise: fillIn,
  },
  figure: {
    said: remark`stands in a row that says an average, a count or the like and leaves blank what the others fill:`,
    what: remark`a figure of the other rows`,
    otherwise: fillIn,
  },
};
