/**
 * Cells that are merged over several rows. A person sees their value in each of the rows, and the file has it in the first alone:
 * the others would be sent without it.
 */
import { isBlank } from '../../mapping/reading.ts';
import { asSaid } from '../../messages/as-said.ts';
import { type Finding, findingOf } from '../../messages/finding.ts';
import type { MergedRange, SheetRow } from '../../sheets/cell.ts';
import { resultColumns } from '../../workbooks/results.ts';
import { textOf } from '../rows/own-columns.ts';
import { type MatchedSheet, originsOf } from '../source/matched-sheet.ts';

/** The merged cells of one column that is sent, from above to below. */
interface MergedColumn {
  readonly index: number;
  readonly label: string;
  readonly ranges: readonly MergedRange[];
  /** The range that the rows have come to. */
  next: number;
  /** The row from which the range has its value, by its number; `null` for one without a value. */
  filledIn: number | null;
}

export class MergedCells {
  readonly #sheet: MatchedSheet;
  #columns: readonly MergedColumn[] = [];
  readonly #problems = new Map<number, readonly Finding[]>();
  /** What is sent of the sheet, by its columns. */
  readonly #labels: ReadonlyMap<number, string>;

  constructor(sheet: MatchedSheet) {
    this.#sheet = sheet;
    this.#labels = labelsOf(sheet);
  }

  /** Whether rows that were read before are to be looked at once more. */
  get areThere(): boolean {
    return this.#columns.length > 0;
  }

  /** @param ranges  those of the sheet, known once all of its rows were read */
  learn(ranges: readonly MergedRange[]): void {
    const byColumn = new Map<number, MergedRange[]>();
    for (const range of ranges) {
      if (range.firstRow < this.#sheet.header.number || range.lastRow === range.firstRow) continue;
      const own = byColumn.get(range.firstColumn);
      if (own === undefined) byColumn.set(range.firstColumn, [range]);
      else own.push(range);
    }
    this.#columns = [...this.#labels].flatMap(([index, label]) => {
      const own = byColumn.get(index);
      if (own === undefined) return [];
      const inOrder = own.sort((one, other) => one.firstRow - other.firstRow);
      return [{ index, label, ranges: inOrder, next: 0, filledIn: null }];
    });
  }

  /** Looks at a row, once the ranges are known, in their order. */
  look({ number, cells }: SheetRow): void {
    const problems = this.#columns.flatMap((column) => {
      const isMissing = isCovered(column, number, isBlank(cells[column.index]));
      return isMissing ? [problemOf(column)] : [];
    });
    if (problems.length > 0) this.#problems.set(number, problems);
  }

  problemsOf(row: SheetRow): readonly Finding[] {
    return this.#problems.get(row.number) ?? this.#stillBlank(row);
  }

  /** A results sheet has no merged cells: what it says of its rows tells which cells were, until they are filled in. */
  #stillBlank({ cells }: SheetRow): readonly Finding[] {
    const said = this.#sheet.ownColumns === 0 ? null : textOf(cells[resultColumns.indexOf('Problems')] ?? null);
    if (said?.includes(blankBelowMerge) !== true) return [];
    return [...this.#labels].flatMap(([index, label]) =>
      isBlank(cells[index]) && said.includes(`${label}${blankBelowMerge}`) ? [problemAt(index, label, wasMerged)] : [],
    );
  }
}

function labelsOf(sheet: MatchedSheet): ReadonlyMap<number, string> {
  return new Map(
    sheet.columns.flatMap((column) => {
      if (column.use === 'ignored') return [];
      const label = column.use === 'field' ? column.field.label : column.header;
      return originsOf(sheet, column).map((index) => [index, label] as const);
    }),
  );
}

/** Whether a blank cell belongs to a range that has its value further up. */
function isCovered(column: MergedColumn, row: number, isCellBlank: boolean): boolean {
  const rowIndex = row - 1;
  while ((column.ranges[column.next]?.lastRow ?? rowIndex) < rowIndex) {
    column.next += 1;
    column.filledIn = null;
  }
  const range = column.ranges[column.next];
  if (range === undefined || rowIndex < range.firstRow) return false;
  if (rowIndex > range.firstRow) return isCellBlank && column.filledIn !== null;
  column.filledIn = isCellBlank ? null : row;
  return false;
}

const wasMerged =
  'was merged in the source with one above it, which alone has the value. Fill it in; if it is to be blank, empty its cell under Problems.';

function problemOf({ index, label, filledIn }: MergedColumn): Finding {
  const isMerged = `is merged with that of row ${filledIn}, which alone has the value. Unmerge the cells, and fill in each of them.`;
  return problemAt(index, label, isMerged);
}

function problemAt(index: number, label: string, said: string): Finding {
  const message = `${label}${blankBelowMerge}${said}`;
  const reason = `${label} is merged with a cell above, which alone has the value.`;
  return findingOf('error', asSaid(message, reason), { column: index, label });
}

/** Of a cell by its label, in the results of a row: the merge that hid that it is blank is not in them. */
const blankBelowMerge = ' is blank here: the cell ';
