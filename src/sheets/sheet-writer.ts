/** A file of tables, written row by row in constant memory: the face that CSV and XLSX share. */
import type { StyleName } from './named-styles.ts';

export type { StyleName };

/** What a written cell holds. A plain string is text and stays text, also when it begins with `=`. */
export type OutputValue =
  | null
  | string
  | number
  | boolean
  /** A number written with the digits given, so that no digit is lost on the way through a double. */
  | { readonly digits: string }
  /** `YYYY-MM-DD`, with `HH:MM:SS` when there is a time of day. */
  | { readonly day: string; readonly time?: string }
  | { readonly link: string; readonly text: string }
  /** A formula without its `=`, and the number that it gives, as digits: programs that do not calculate show that. */
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
  /** The first row is one of headers: it stays in view, plain or with filter buttons. */
  readonly header?: 'plain' | 'filters';
  /** Columns that stay in view. */
  readonly frozenColumns?: number;
  /** The sheet's tab stands before all others: a summary is known last and read first. */
  readonly isFirst?: true;
  /** The last row is one of totals: it stands outside the filter. */
  readonly hasTotals?: true;
}

export interface OutputSheet {
  addRow(cells: readonly OutputCell[]): Promise<void>;
}

export interface SheetWriter {
  addSheet(options: OutputSheetOptions): Promise<OutputSheet>;
  /** Ends the file; it stands whole at its place only after this. Gives the path, another one when the place was taken. */
  finish(): Promise<string>;
  /** Takes away what was written so far; the file that stood there before stays. */
  abandon(): Promise<void>;
}

export interface SheetWriterOptions {
  readonly mode: number;
  readonly compression: number;
  readonly properties: Readonly<Record<string, string>>;
  /** Asked when the file is whole: `false` keeps what stands at its place, and the file gets the next free name. */
  readonly mayReplace?: (path: string) => Promise<boolean>;
}
