/** Positions of rows and columns in the grid. Browsers limit the height of an element, so scrolling is scaled for many rows. */
export const rowHeight = 30;
export const headerHeight = 34;
/** Room for the seven digits of Excel's last row. */
export const numberWidth = 88;
const statusWidth = 130;
const problemsWidth = 256;
const columnWidth = 150;
const tallest = 8_000_000;

/** Dealsheet's own columns in front: Status, which is frozen, and Problems. */
export const ownColumns = 2;
const frozenWidth = numberWidth + statusWidth;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Scroll {
  readonly top: number;
  readonly left: number;
}

/** The size of all rows in pixels, and the part that is scrolled into view. */
export class Geometry {
  readonly #rows: number;
  readonly #columns: number;
  readonly #size: Size;

  constructor(rows: number, columns: number, size: Size) {
    this.#rows = rows;
    this.#columns = columns;
    this.#size = size;
  }

  get #all(): number {
    return this.#rows * rowHeight;
  }

  get #inSight(): number {
    return Math.max(rowHeight, this.#size.height - headerHeight);
  }

  get height(): number {
    return Math.min(this.#all, tallest) + headerHeight;
  }

  get width(): number {
    return frozenWidth + this.#end(this.#columns - 1);
  }

  get rowsOfPage(): number {
    return Math.max(1, Math.floor(this.#inSight / rowHeight));
  }

  /** The unscaled scroll offset of the first row. */
  #gone(top: number): number {
    if (this.#all <= tallest) return top;
    return (top / (tallest - this.#inSight)) * (this.#all - this.#inSight);
  }

  rowsAt({ top }: Scroll): { readonly first: number; readonly count: number; readonly shift: number } {
    const gone = this.#gone(top);
    const first = Math.max(0, Math.floor(gone / rowHeight));
    const count = Math.max(0, Math.min(this.#rows - first, Math.ceil(this.#inSight / rowHeight) + 1));
    return { first, count, shift: first * rowHeight - gone };
  }

  columnsAt({ left }: Scroll): readonly number[] {
    const columns: number[] = [];
    for (let column = 1; column < this.#columns; column += 1)
      if (this.#end(column) > left && this.#start(column) < left + this.#size.width - frozenWidth) columns.push(column);
    return columns;
  }

  place(column: number, { left }: Scroll): { readonly left: number; readonly width: number } {
    if (column === 0) return { left: numberWidth, width: statusWidth };
    return { left: frozenWidth + this.#start(column) - left, width: this.#end(column) - this.#start(column) };
  }

  /** The scroll position nearest to the current one at which a cell is visible. */
  bringing(row: number, column: number, now: Scroll): Scroll {
    const gone = this.#gone(now.top);
    const wanted = Math.min(row * rowHeight, Math.max(gone, (row + 1) * rowHeight - this.#inSight));
    const scaled = this.#all <= tallest ? wanted : (wanted / (this.#all - this.#inSight)) * (tallest - this.#inSight);
    const room = Math.max(0, this.#size.width - frozenWidth);
    const left = Math.min(this.#start(column), Math.max(now.left, this.#end(column) - room));
    return { top: wanted === gone ? now.top : scaled, left: column === 0 ? now.left : left };
  }

  #start(column: number): number {
    return column <= 1 ? 0 : problemsWidth + (column - ownColumns) * columnWidth;
  }

  #end(column: number): number {
    return column <= 1 ? problemsWidth : this.#start(column) + columnWidth;
  }
}
