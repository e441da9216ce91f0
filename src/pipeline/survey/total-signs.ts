/** What a row says of itself, and what it leaves blank beside the others: the signs by which a total is told. */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { isTyped } from '../../mapping/column.ts';
import { isBlank } from '../../mapping/reading.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import { type MatchedSheet, originsOf } from '../source/matched-sheet.ts';
import type { LabelOfRow } from './found-total.ts';
import { UsualCells } from './usual-cells.ts';
import type { WordsFinder } from './words-for-ids.ts';
import {
  isBalanceOfAccount,
  isLabelOfFigure,
  isLabelOfTotal,
  isPlainLabel,
  saysTotal,
  saysTotalOrFigure,
} from './words-for-totals.ts';

/** A row that says one thing beside its amount leaves much blank where others fill so many cells. */
const fewestBesideOne = 3;

export class TotalSigns {
  readonly #ownColumns: number;
  /** All columns of the source but those of the amount. */
  readonly #columns: readonly number[];
  /** Of those the ones with words, with days and figures, and with the names of what each row is of. */
  readonly #wordColumns: readonly number[];
  readonly #typedColumns: readonly number[];
  readonly #nameColumns: readonly number[];
  readonly #words: WordsFinder;
  readonly #usual: UsualCells;

  /** @param words  has looked at each row before */
  constructor(sheet: MatchedSheet, amountColumns: readonly number[], words: WordsFinder) {
    const typed = new Set(sheet.columns.filter(isTyped).flatMap((column) => originsOf(sheet, column)));
    this.#ownColumns = sheet.ownColumns;
    this.#columns = sheet.header.headers.flatMap((name, index) =>
      name === null || index < sheet.ownColumns || amountColumns.includes(index) ? [] : [index],
    );
    this.#wordColumns = this.#columns.filter((index) => !typed.has(index));
    this.#typedColumns = this.#columns.filter((index) => typed.has(index));
    this.#nameColumns = sheet.columns.flatMap((column) =>
      column.use === 'field' && column.field.facts.names === true ? originsOf(sheet, column) : [],
    );
    this.#words = words;
    this.#usual = new UsualCells(this.#columns);
  }

  /** Counts a row among the others, of which it is asked what is usual. */
  count(source: SheetRow, namesParent: boolean): void {
    this.#usual.count(source, namesParent);
  }

  forget(): void {
    this.#usual.forget();
  }

  /** Whether a row names a record that it belongs to; a word among ids is no name where it stands in a row that leaves blank what others fill. */
  namesParent(row: CheckedRow, source: SheetRow): boolean {
    const naming = this.#words.namingOf(row);
    return naming === 'named' || (naming === 'perhaps' && !this.#leavesAnyBlank(source));
  }

  /** Whether any text of a row has a word for a total in it, or is one for a count or the like. People are called Max, too. */
  hasWord(source: SheetRow): boolean {
    return this.#someText(source, saysTotalOrFigure) && (this.saysTotal(source) || !this.#namesMoreThanFigure(source));
  }

  /** The same of a total alone. */
  saysTotal(source: SheetRow): boolean {
    return this.#someText(source, saysTotal);
  }

  /** Whether a row calls itself a total: by a label, or by a word in a row that leaves blank what others fill. */
  isSaid(source: SheetRow): boolean {
    return this.hasLabel(source) || (this.saysTotal(source) && this.#leavesAnyBlank(source));
  }

  /** Whether a cell is the label of a total. A company may be called `Total Wine`, in a row that is filled like the others. */
  hasLabel(source: SheetRow): boolean {
    const isName = (index: number) => this.#nameColumns.includes(index) && !this.#leavesAnyBlank(source);
    return this.#someText(source, (text, index) => isLabelOfTotal(text) && (isPlainLabel(text) || !isName(index)));
  }

  /** What the label of a row says that names nothing, and has no word besides. */
  labelOf(source: SheetRow, namesParent: boolean): LabelOfRow | null {
    if (namesParent || this.#namesItself(source)) return null;
    if (this.#someText(source, isPlainLabel)) return 'total';
    if (this.#someText(source, isBalanceOfAccount)) return 'balance';
    return this.#someText(source, isLabelOfFigure) ? 'figure' : null;
  }

  /** Whether a row has nothing beside its amount. */
  saysNothing({ cells }: SheetRow): boolean {
    return this.#columns.every((index) => isBlank(cells[index]));
  }

  /** Whether a row leaves blank what others are known to fill. */
  leavesWhatOthersFill(source: SheetRow): boolean {
    return this.#usual.areKnown && this.#leavesAnyBlank(source);
  }

  leavesDateBlank(source: SheetRow): boolean {
    return this.#usual.leavesBlank(this.#typedColumns, source);
  }

  /** Whether a row names no record where the others do, or fills one cell at most beside amounts (or dates), and others fill more. */
  leavesBlanks(source: SheetRow, namesParent: boolean): boolean {
    if (namesParent) return this.#usual.fillsLess(this.#columns, source, 1, fewestBesideOne);
    if (this.#usual.nameParent) return true;
    return this.#usual.fillsLess(this.#wordColumns, source, 1, 1) || this.fillsOneAtMost(source);
  }

  fillsOneAtMost(source: SheetRow): boolean {
    return this.#usual.fillsLess(this.#columns, source, 1, 1);
  }

  /** Whether a row that leaves blanks says too little for a record whose amount happens to be a sum: round ones often are. */
  isBare(source: SheetRow, namesParent: boolean): boolean {
    if (namesParent || this.#usual.nameParent) return true;
    if (this.#namesItself(source)) return false;
    if (this.#usual.fillsLess(this.#columns, source, 0, 1) || this.leavesDateBlank(source)) return true;
    return this.#usual.fillsLess(this.#columns, source, 1, fewestBesideOne);
  }

  /** Whether a row has the name of a company or a person, and no label in its place. */
  #namesItself({ cells }: SheetRow): boolean {
    return this.#nameColumns.some((index) => {
      const cell = cells[index] ?? null;
      return !isBlank(cell) && !(typeof cell === 'string' && (isPlainLabel(cell) || isBalanceOfAccount(cell)));
    });
  }

  /** Whether a person or a company has a name that is no label of a count or the like. */
  #namesMoreThanFigure({ cells }: SheetRow): boolean {
    return this.#nameColumns.some((index) => {
      const cell = cells[index] ?? null;
      return !isBlank(cell) && !(typeof cell === 'string' && isLabelOfFigure(cell));
    });
  }

  #leavesAnyBlank(source: SheetRow): boolean {
    return this.#usual.leavesBlank(this.#columns, source);
  }

  #someText({ cells }: SheetRow, says: (text: string, index: number) => boolean): boolean {
    return cells.some((cell, index) => index >= this.#ownColumns && typeof cell === 'string' && says(cell, index));
  }
}
