/**
 * Words where the id of another record is wanted: the label of a total, or a line below the table. Sent, they would make a
 * record that belongs to nobody. Its one rule: ids may have any form, so but for totals, words are refused by their blanks
 * alone, and only where the first id of the column has none; one without a digit below one that has digits is told.
 */
import type { RecordKind, Reference } from '../../contract/record-kind.ts';
import { recordKind } from '../../contract/record-kinds.ts';
import { segmentsOf, valueAt } from '../../mapping/body.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { type Remark, remark, saidOfValue } from '../../mapping/remark.ts';
import type { Finding } from '../../messages/finding.ts';
import { columnOf, type MatchedSheet } from '../source/matched-sheet.ts';
import { parentsOf } from './parent-columns.ts';
import { saysTotal } from './words-for-totals.ts';

/** What people write where they have no id. */
const holdsPlace = /^(?:n\.?\/?a\.?|none|null|nil|tb[acd]|unknown|pending|missing|\P{L}+)$/iu;

/** How a row names a record that it belongs to: by a ref or what looks like the other ids, by what may be a word, or not at all. */
export type Naming = 'named' | 'perhaps' | 'not';

/** Finds the words of one sheet. */
export interface WordsFinder {
  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow): void;
  /** Of a row that was looked at. */
  namingOf(row: CheckedRow): Naming;
  problemsOf(row: CheckedRow): readonly Finding[];
}

export function wordsFinder(sheet: MatchedSheet): WordsFinder {
  const finders = sheet.kind.references.map((reference) => new WordsForIds(sheet, reference));
  const ofParents = finders.filter(({ reference }) => parentsOf(sheet.kind).includes(reference));
  return {
    look: (row) => {
      for (const finder of finders) finder.look(row);
    },
    namingOf: (row) => {
      const found = ofParents.map((finder) => finder.namingOf(row));
      return (['named', 'perhaps'] as const).find((naming) => found.includes(naming)) ?? 'not';
    },
    problemsOf: (row) => finders.flatMap((finder) => finder.problemsOf(row)),
  };
}

class WordsForIds {
  readonly reference: Reference;
  readonly #column: number | null;
  readonly #label: string;
  /** What the id is of, and what the row is. */
  readonly #wanted: Remark;
  readonly #own: Remark;
  /** The first row that has an id. */
  #first: { readonly row: number; readonly id: string } | null = null;

  constructor(sheet: MatchedSheet, reference: Reference) {
    const column = sheet.columns.find((one) => one.use === 'field' && one.field.path === reference.fills);
    this.reference = reference;
    this.#column = columnOf(sheet, reference.fills);
    this.#label = column?.use === 'field' ? column.field.label : reference.fills;
    this.#wanted = wordsOf(recordKind(reference.to));
    this.#own = wordsOf(sheet.kind);
  }

  look(row: CheckedRow): void {
    if (this.#first !== null) return;
    const id = idIn(row, this.reference);
    // A line that holds nothing else may name what stands below it.
    const isAlone = Object.keys(row.body).length === 1;
    if (id !== null && !isAlone && !isWordForTotal(id)) this.#first = { row: row.row, id };
  }

  namingOf(row: CheckedRow): Naming {
    const id = idIn(row, this.reference);
    if (id === null) return row.references.some(({ reference }) => reference === this.reference) ? 'named' : 'not';
    if (hasBlank(id) || isWordForTotal(id)) return 'not';
    return this.#mayBeWord(id, row) ? 'perhaps' : 'named';
  }

  problemsOf(row: CheckedRow): readonly Finding[] {
    if (this.#column === null) return [];
    const value = idIn(row, this.reference);
    if (value === null) return [];
    if (isWordForTotal(value)) return [this.#error(value, remark`is a word for a total, and no id. ${this.#remedy}.`)];
    const first = this.#firstAbove(row);
    if (hasBlank(value) && first !== null && !hasBlank(first)) {
      const ifItIsOne = remark`if it is an id all the same, move the row above those`;
      return [this.#error(value, remark`is no id, as those above it are. ${this.#remedy}; ${ifItIsOne}.`)];
    }
    return this.#mayBeWord(value, row) ? [this.#note(value)] : [];
  }

  #firstAbove({ row }: CheckedRow): string | null {
    return this.#first !== null && this.#first.row < row ? this.#first.id : null;
  }

  /** `Summe` below `deal_12`. Random ids may have no digit, but are of one length. */
  #mayBeWord(id: string, row: CheckedRow): boolean {
    const first = this.#firstAbove(row);
    return (
      first !== null &&
      hasDigit(first) &&
      !hasBlank(first) &&
      !hasDigit(id) &&
      (id.length !== first.length || holdsPlace.test(id))
    );
  }

  get #remedy(): Remark {
    return remark`Put the id of the ${this.#wanted} there, or take the row out`;
  }

  #error(value: string, said: Remark): Finding {
    return saidOfValue('error', this.#column, { label: this.#label, sensitive: false }, { value, said });
  }

  #note(value: string): Finding {
    const said = remark`has no digit, and the id above it has. It is sent as it is. ${this.#remedy} if it is no ${this.#own}.`;
    const subject = { label: this.#label, sensitive: false };
    return saidOfValue('warning', this.#column, subject, { value, said }, 'as-said-before-sent');
  }
}

function wordsOf({ singular }: RecordKind): Remark {
  return { text: singular, hidden: singular };
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

function hasDigit(id: string): boolean {
  return /\p{N}/u.test(id);
}

function isWordForTotal(id: string): boolean {
  return saysTotal(id) && !/\d/.test(id);
}
