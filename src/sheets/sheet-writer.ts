/** The writer interface of CSV and XLSX. Files are written row by row in constant memory. */
import type { StyleName } from './named-styles.ts';

export type { StyleName };

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

export interface OutputColumn {
  readonly width: number;
  readonly hidden?: true;
}

export interface OutputSheetOptions {
  readonly name: string;
  readonly columns: readonly OutputColumn[];
  /** The first row is a header that stays in view, plain or with filter buttons. */
  readonly header?: 'plain' | 'filters';
  readonly frozenColumns?: number;
  /** Puts the tab first: a summary is written last but read first. */
  readonly isFirst?: true;
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
  readonly compression: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Called once the file is complete. `false` keeps the existing file and uses the next free name. */
  readonly mayReplace?: (path: string) => Promise<boolean>;
}
