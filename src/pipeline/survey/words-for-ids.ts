/**
 * Words where the id of another record is wanted: the label of a total, or a line below the table. Sent, they would make a
 * record that belongs to nobody. Its one rule: ids may have any form, so but for totals, words are known by their blanks, and
 * only where the first id of the column has none.
 */
import type { Reference } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type Remark, remark } from '../../mapping/remark.ts';
import { problemOfValue, type RowProblem } from '../../mapping/row-problem.ts';
import { columnOf, type PlannedSheet } from '../source/planned-sheet.ts';

const totalWords = /\b(?:sub-?)?totals?\b|\bsum\b|\bbalance\b/i;

const totalLabel = /^[^\p{L}\d]*(?:(?:grand |running )?(?:sub-?)?totals?\b|sum\b|balance[^\p{L}\d]*$)/iu;

/** Whether a text has a word for a total in it. */
export function saysTotal(text: string): boolean {
  return totalWords.test(text);
}

/** Whether a text begins as the label of a total does. `Balance advanced` may be what a payment is called. */
export function isLabelOfTotal(text: string): boolean {
  return totalLabel.test(text);
}

/** Whether a row names another record, by a ref or by what may be an id. */
export function namesRecord(row: CheckedRow, reference: Reference): boolean {
  const id = idIn(row, reference);
  if (id === null) return row.references.some((named) => named.reference === reference);
  return !hasBlank(id) && !isWordForTotal(id);
}

/** Finds the words of one sheet. */
export interface WordsFinder {
  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow): void;
  problemsOf(row: CheckedRow): readonly RowProblem[];
}

export function wordsFinder(sheet: PlannedSheet): WordsFinder {
  const finders = sheet.kind.references.map((reference) => new WordsForIds(sheet, reference));
  return {
    look: (row) => {
      for (const finder of finders) finder.look(row);
    },
    problemsOf: (row) => finders.flatMap((finder) => finder.problemsOf(row)),
  };
}

class WordsForIds {
  readonly #reference: Reference;
  readonly #column: number | null;
  readonly #label: string;
  readonly #singular: string;
  /** The first row that has an id, and whether that is without blanks. */
  #first: { readonly row: number; readonly isPlain: boolean } | null = null;

  constructor(sheet: PlannedSheet, reference: Reference) {
    const column = sheet.columns.find((one) => one.use === 'field' && one.field.path === reference.fills);
    this.#reference = reference;
    this.#column = columnOf(sheet, reference.fills);
    this.#label = column?.use === 'field' ? column.field.label : reference.fills;
    this.#singular = recordKind(reference.to).singular;
  }

  look(row: CheckedRow): void {
    if (this.#first !== null) return;
    const id = idIn(row, this.#reference);
    if (id !== null && !isWordForTotal(id)) this.#first = { row: row.row, isPlain: !hasBlank(id) };
  }

  problemsOf(row: CheckedRow): readonly RowProblem[] {
    if (this.#column === null) return [];
    const value = idIn(row, this.#reference);
    if (value === null) return [];
    if (isWordForTotal(value)) return [this.#error(value, remark`is a word for a total, and no id.`)];
    const first = this.#first;
    const areWords = hasBlank(value) && first?.isPlain === true && first.row < row.row;
    return areWords ? [this.#error(value, remark`is no id, as those above it are.`)] : [];
  }

  #error(value: string, found: Remark): RowProblem {
    const what = { text: this.#singular, hidden: this.#singular };
    const said = remark`${found} Put the id of the ${what} there, or take the row out.`;
    return problemOfValue('error', this.#column, { label: this.#label, sensitive: false }, { value, said });
  }
}

/** What stands in the place of the id, unless that is a ref. */
function idIn(row: CheckedRow, reference: Reference): string | null {
  if (row.references.some((named) => named.reference === reference)) return null;
  const value = valueAt(row.body, segmentsOf(reference.fills));
  return typeof value === 'string' ? value.trim() : null;
}

function hasBlank(id: string): boolean {
  return /\s/.test(id);
}

function isWordForTotal(id: string): boolean {
  return saysTotal(id) && !/\d/.test(id);
}
