/**
 * Reports that name a record once, in a line above its rows. Read row by row, the line would be an empty record, and the rows
 * would belong to nobody.
 */
import { fieldsOf } from '../../contract/fields.ts';
import type { CheckedRow } from '../../mapping/checked-row.ts';
import { isBlank } from '../../mapping/reading.ts';
import { asSaid } from '../../messages/as-said.ts';
import { type Finding, findingOf } from '../../messages/finding.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';
import { namesParent, type ParentColumns, parentColumnsOf } from './parent-columns.ts';

/** A line, and the last of the rows below it that name nothing. */
interface Group {
  readonly line: number;
  last: number;
}

/** Finds the groups of one sheet. */
export interface GroupFinder {
  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow, source: SheetRow): void;
  problemsOf(row: CheckedRow, source: SheetRow): readonly Finding[];
  /** Whether rows below have made a line of one that was judged before: then all are to be looked at once more. */
  readonly hasGroups: boolean;
  /** Before the rows are looked at anew: what was found stays. */
  forget(): void;
}

const nothing: GroupFinder = { look: () => {}, problemsOf: () => [], hasGroups: false, forget: () => {} };

export function groupFinder(sheet: MatchedSheet): GroupFinder {
  const columns = parentColumnsOf(sheet);
  // A row that must name its parent is refused without one.
  const isNeeded = columns?.parents.some(({ fills }) =>
    fieldsOf(sheet.kind).some(({ path, required }) => path === fills && required),
  );
  return columns === null || isNeeded === true ? nothing : new GroupedRows(sheet, columns);
}

class GroupedRows implements GroupFinder {
  readonly #sheet: MatchedSheet;
  readonly #columns: ParentColumns;
  readonly #groups: Group[] = [];
  /** The line whose rows may come now. */
  #line: number | null = null;
  #isKnown = false;

  constructor(sheet: MatchedSheet, columns: ParentColumns) {
    this.#sheet = sheet;
    this.#columns = columns;
  }

  get hasGroups(): boolean {
    return this.#groups.length > 0;
  }

  look(row: CheckedRow, source: SheetRow): void {
    if (this.#isKnown) return;
    if (namesParent(row, this.#columns)) {
      this.#line = this.#saysNothingElse(source) ? row.row : null;
      return;
    }
    if (this.#line === null) return;
    const last = this.#groups.at(-1);
    if (last?.line === this.#line) last.last = row.row;
    else this.#groups.push({ line: this.#line, last: row.row });
  }

  problemsOf(row: CheckedRow, source: SheetRow): readonly Finding[] {
    if (!this.hasGroups) return [];
    if (namesParent(row, this.#columns)) return this.#saysNothingElse(source) ? [this.#problemOfLine()] : [];
    const group = this.#groupAt(row.row);
    return group === null ? [] : [this.#problemBelow(group.line)];
  }

  forget(): void {
    this.#isKnown = true;
  }

  #problemOfLine(): Finding {
    const { kinds, labels, column, label } = this.#columns;
    const { singular } = this.#sheet.kind;
    const message = `The row says nothing but its ${labels}, as a line does that names a ${kinds.join(' or ')} for the rows below it: it is no ${singular}. Take it out, and see that each of those rows has its ${labels}.`;
    return findingOf('error', asSaid(message, `The row says nothing but its ${labels}.`), { column, label });
  }

  #problemBelow(line: number): Finding {
    const { kinds, labels, column, label } = this.#columns;
    const message = `The row names no ${kinds.join(' and no ')}: row ${line} names it for the rows below, as reports do. Fill in ${labels} in each of those rows.`;
    const reason = 'The row does not name what it belongs to: a row above does.';
    return findingOf('error', asSaid(message, reason), { column, label });
  }

  #saysNothingElse({ cells }: SheetRow): boolean {
    const { headers } = this.#sheet.header;
    const isOwn = (index: number) => index < this.#sheet.ownColumns;
    return cells.every(
      (cell, index) => isBlank(cell) || isOwn(index) || headers[index] == null || this.#columns.origins.has(index),
    );
  }

  /** The group that the row is in; they are in the order of their rows. */
  #groupAt(row: number): Group | null {
    let [from, to] = [0, this.#groups.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#groups[middle]?.last ?? 0) < row) from = middle + 1;
      else to = middle;
    }
    const group = this.#groups[from];
    return group !== undefined && group.line < row ? group : null;
  }
}
