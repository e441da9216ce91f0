/**
 * Values that are sent and that nobody sees in the sheet: those under a merged cell that shows another, and the address of a link
 * whose cell shows another text.
 */
import { shownText } from '../../mapping/reading.ts';
import { remark, saidOfValue } from '../../mapping/remark.ts';
import type { Finding, Subject } from '../../messages/finding.ts';
import type { Cell, LinkedRange, MergedRange, SheetRow } from '../../sheets/cell.ts';
import type { BehindRows } from '../../sheets/source.ts';
import { columnName } from '../../sheets/xlsx/cell-reference.ts';
import { type MatchedSheet, originsOf } from '../source/matched-sheet.ts';

interface SentColumn extends Subject {
  readonly holdsLinks: boolean;
}

/** The merged range that a column is in, and what is to be seen of it. */
interface Cover {
  readonly range: MergedRange;
  readonly shown: string;
}

export class UnseenValues {
  readonly #headerRow: number;
  readonly #columns: ReadonlyMap<number, SentColumn>;
  readonly #lastColumn: number;
  readonly #problems = new Map<number, readonly Finding[]>();
  #merges: readonly MergedRange[] = [];
  #links: readonly LinkedRange[] = [];
  #nextMerge = 0;
  #nextLink = 0;
  readonly #covers: (Cover | undefined)[] = [];
  readonly #linkAt = new Map<number, LinkedRange>();

  constructor(sheet: MatchedSheet) {
    this.#headerRow = sheet.header.number;
    this.#columns = sentColumns(sheet);
    this.#lastColumn = Math.max(-1, ...this.#columns.keys());
  }

  /** Whether rows that were read before are to be looked at once more. */
  get areThere(): boolean {
    return this.#merges.length + this.#links.length > 0;
  }

  /** @param behind  known once all rows were read */
  learn({ merges, links }: BehindRows): void {
    this.#merges = inOrder(merges.filter((range) => this.#bears(range)));
    this.#links = inOrder(
      links.filter((range) => this.#bears(range) && this.#columns.get(range.firstColumn)?.holdsLinks === true),
    );
  }

  /** Looks at a row, once the ranges are known, in their order. */
  look(row: SheetRow): void {
    if (!this.areThere) return;
    this.#comeTo(row);
    const problems = [...this.#columns].flatMap(([index, column]) => {
      const cell = row.cells[index] ?? null;
      return cell === null ? [] : this.#problemsOfCell(row.number - 1, index, column, shownText(cell));
    });
    if (problems.length > 0) this.#problems.set(row.number, problems);
  }

  problemsOf({ number }: SheetRow): readonly Finding[] {
    return this.#problems.get(number) ?? [];
  }

  #bears({ firstRow, firstColumn }: MergedRange): boolean {
    return firstRow >= this.#headerRow && firstColumn <= this.#lastColumn;
  }

  /** Ranges lie apart: one that begins within another is none. */
  #comeTo({ number, cells }: SheetRow): void {
    const rowIndex = number - 1;
    for (; (this.#merges[this.#nextMerge]?.firstRow ?? number) < number; this.#nextMerge += 1) {
      const range = this.#merges[this.#nextMerge] as MergedRange;
      if ((this.#covers[range.firstColumn]?.range.lastRow ?? -1) >= rowIndex) continue;
      const top: Cell = range.firstRow === rowIndex ? (cells[range.firstColumn] ?? null) : null;
      const cover = { range, shown: top === null ? '' : shownText(top) };
      const last = Math.min(range.lastColumn, this.#lastColumn);
      for (let column = range.firstColumn; column <= last; column += 1) this.#covers[column] = cover;
    }
    for (; (this.#links[this.#nextLink]?.firstRow ?? number) < number; this.#nextLink += 1) {
      const link = this.#links[this.#nextLink] as LinkedRange;
      this.#linkAt.set(link.firstColumn, link);
    }
  }

  #problemsOfCell(row: number, index: number, column: SentColumn, value: string): readonly Finding[] {
    const problems: Finding[] = [];
    const cover = this.#covers[index];
    if (cover !== undefined && row <= cover.range.lastRow && isUnder(cover.range, row, index)) {
      const { firstColumn, firstRow } = cover.range;
      const said = remark`stands under the merged cell ${columnName(firstColumn) + (firstRow + 1)}, where nobody sees it. Unmerge the cells, and check it.`;
      if (value !== '' && value !== cover.shown)
        problems.push(saidOfValue('warning', index, column, { value, said }, 'as-said-before-sent'));
    }
    const link = column.holdsLinks ? this.#linkAt.get(index) : undefined;
    if (link !== undefined && row <= link.lastRow && bareAddress(link.address) !== bareAddress(value)) {
      const said = remark`is the text of a link to ${link.address}, and the text is sent. If the address is meant, put that into the cell.`;
      problems.push(saidOfValue('warning', index, column, { value, said }, 'as-said-before-sent'));
    }
    return problems;
  }
}

function sentColumns(sheet: MatchedSheet): ReadonlyMap<number, SentColumn> {
  return new Map(
    sheet.columns.flatMap((column) => {
      if (column.use === 'ignored') return [];
      const field = column.use === 'field' ? column.field : null;
      const facts = {
        label: field?.label ?? column.header,
        sensitive: field?.facts.sensitive === true,
        holdsLinks: field?.format === 'website',
      };
      return originsOf(sheet, column).map((index) => [index, facts] as const);
    }),
  );
}

function inOrder<Range extends MergedRange>(ranges: readonly Range[]): readonly Range[] {
  return [...ranges].sort((one, other) => one.firstRow - other.firstRow || one.firstColumn - other.firstColumn);
}

function isUnder({ firstRow, firstColumn }: MergedRange, row: number, column: number): boolean {
  return row !== firstRow || column !== firstColumn;
}

/** `https://www.harbor.example/` and `harbor.example` are the same to a person. */
function bareAddress(address: string): string {
  return address
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}
