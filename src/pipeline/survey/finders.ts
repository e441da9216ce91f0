/** All that tells of the rows of one sheet by the rows around them. */
import type { CheckedRow } from '../../mapping/checked-row.ts';
import type { SheetRow } from '../../sheets/cell.ts';
import type { BehindRows } from '../../sheets/source.ts';
import type { MatchedSheet } from '../source/matched-sheet.ts';
import type { DuplicateFinder, Duplicates } from './duplicates.ts';
import { type GroupFinder, groupFinder } from './grouped-rows.ts';
import { MergedCells } from './merged-cells.ts';
import { RowsApart } from './rows-apart.ts';
import { type TotalFinder, totalFinder } from './total-rows.ts';
import { UnseenValues } from './unseen-values.ts';
import { type WordsFinder, wordsFinder } from './words-for-ids.ts';

export class Finders {
  readonly apart: RowsApart;
  readonly duplicates: DuplicateFinder;
  readonly groups: GroupFinder;
  readonly merges: MergedCells;
  readonly totals: TotalFinder;
  readonly unseen: UnseenValues;
  readonly words: WordsFinder;

  /** @param duplicates  those of the whole source */
  constructor(sheet: MatchedSheet, duplicates: Duplicates) {
    this.apart = new RowsApart(sheet);
    this.duplicates = duplicates.finderOf(sheet);
    this.groups = groupFinder(sheet);
    this.merges = new MergedCells(sheet);
    this.unseen = new UnseenValues(sheet);
    this.words = wordsFinder(sheet);
    this.totals = totalFinder(sheet, this.words);
  }

  /** Looks at a row, once in each reading, in their order. */
  look(row: CheckedRow, source: SheetRow): void {
    this.apart.look(source);
    this.duplicates.look(row);
    this.groups.look(row, source);
    this.merges.look(source);
    this.unseen.look(source);
    this.words.look(row);
    this.totals.look(row, source);
  }

  /** @param behind  known once all rows of the sheet were read */
  learn(behind: BehindRows): void {
    this.merges.learn(behind.merges);
    this.unseen.learn(behind);
  }

  /** Whether rows have told something of one that was looked at before them: then all are to be looked at once more. */
  get tellOfRowsAbove(): boolean {
    return this.totals.isTotalFirst || this.groups.hasGroups || this.merges.areThere || this.unseen.areThere;
  }

  /** Before the rows are looked at anew. What the other finders know holds for every reading. */
  forget(): void {
    this.duplicates.forget();
    this.totals.forget();
    this.groups.forget();
  }
}
