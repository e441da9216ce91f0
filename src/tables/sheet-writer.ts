/** The writer interface of CSV and XLSX, and the named styles. Files are written row by row in constant memory. */

/** The value of a written cell. A string is always text, even if it begins with `=`. */
export type OutputValue =
  | null
  | string
  | number
  | boolean
  /** A number by its digits, so that none is lost in a double. */
  | { readonly digits: string }
  /** `YYYY-MM-DD`, with `HH:MM:SS` if there is a time of day. */
  | { readonly day: string; readonly time?: string }
  | { readonly link: string; readonly text: string }
  /** A formula without its `=`, and its result as digits for programs that do not calculate. */
  | { readonly formula: string; readonly digits: string };

interface StyledCell {
  readonly value: OutputValue;
  readonly style: StyleName;
}

export type OutputCell = OutputValue | StyledCell;

export function isStyled(cell: OutputCell): cell is StyledCell {
  return typeof cell === 'object' && cell !== null && 'value' in cell;
}

export function unstyled(cell: OutputCell): OutputValue {
  return isStyled(cell) ? cell.value : cell;
}

export interface OutputSheetOptions {
  readonly name: string;
  readonly columns: readonly { readonly width: number; readonly hidden?: true }[];
  readonly frozenColumns?: number;
  /** A summary is written last, but its tab comes first. The first row of any other sheet is a header with filter buttons. */
  readonly isSummary?: true;
  /** The last row holds totals and stays outside the filter. */
  readonly hasTotals?: true;
}

export interface OutputSheet {
  addRow(cells: readonly OutputCell[]): Promise<void>;
}

export interface SheetWriter {
  addSheet(options: OutputSheetOptions): Promise<OutputSheet>;
  /** Completes the file and puts it in place. Returns its path, which differs if the place was taken. */
  finish(): Promise<string>;
  /** Deletes what was written so far. A file that was there before stays. */
  abandon(): Promise<void>;
}

export interface SheetWriterOptions {
  readonly mode: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Called once the file is complete. `false` keeps the existing file and uses the next free name. */
  readonly mayReplace?: (path: string) => Promise<boolean>;
}

/** Each pair of fill and text has a contrast of at least 4.5. */
export interface Look {
  readonly fill?: string;
  readonly color?: string;
  readonly bold?: true;
  readonly underline?: true;
  readonly size?: number;
  /** A built-in number format (ECMA-376 18.8.30), or a format code. */
  readonly format?: number | string;
  readonly wrap?: true;
  readonly border?: true;
  readonly right?: true;
}

export const headerLook = { fill: 'FF1F3A4D', color: 'FFFFFFFF', bold: true } as const;
export const problem = { fill: 'FFF8D0CC', color: 'FF7A1410' } as const;
const bad = { ...problem, bold: true } as const;
const total = { fill: 'FFE8EEF2', color: headerLook.fill, bold: true } as const;
const amountFormat = '#,##0.00;[Red]-#,##0.00';
const exactAmountFormat = '#,##0.00##########;[Red]-#,##0.00##########';
const countFormat = 3;
const textFormat = 49;
export const dayFormat = 'yyyy\\-mm\\-dd';
export const momentFormat = 'yyyy\\-mm\\-dd\\ hh:mm:ss';

export const looks = {
  plain: {},
  header: headerLook,
  'header-right': { ...headerLook, right: true },
  title: { bold: true, size: 14 },
  note: { wrap: true },
  good: { fill: 'FFD5EBDD', color: 'FF14532D', bold: true },
  settled: { fill: 'FFE3E8EC', color: 'FF334155', bold: true },
  warning: { fill: 'FFFFF3CD', color: 'FF5C4400' },
  bad,
  doubt: { fill: 'FFE4D4F4', color: 'FF4A1D75', bold: true },
  waiting: { fill: 'FFD6E6F5', color: 'FF163E63', bold: true },
  problem: { ...problem, border: true },
  money: { format: amountFormat },
  /** Shows all decimals of an amount that has more than two. */
  'money-exact': { format: exactAmountFormat },
  integer: { format: countFormat },
  date: { format: dayFormat },
  'date-time': { format: momentFormat },
  link: { color: 'FF0B57B0', underline: true },
  /** Stays text even if a person types over it. */
  text: { format: textFormat },
  number: {},
  /** Percentage points: 12.5 shows as 12.5%. */
  percent: { format: '0.00"%"' },
  total,
  'total-money': { ...total, format: amountFormat },
} as const satisfies Readonly<Record<string, Look>>;

export type StyleName = keyof typeof looks;
