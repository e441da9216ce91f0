/**
 * What a template remembers of the day it was made: every column that its kinds had then, on a sheet out of sight. Cells last
 * through any spreadsheet program, where properties of a workbook get lost.
 */
import type ExcelJS from 'exceljs';
import { templateFieldsOf } from '../contract/fields.ts';
import type { RecordKind } from '../contract/record-kind.ts';

export const stampSheetName = '_dealsheet';

export function addStamp(workbook: ExcelJS.Workbook, kinds: readonly RecordKind[]): void {
  const sheet = workbook.addWorksheet(stampSheetName, { state: 'veryHidden' });
  for (const kind of kinds) sheet.addRow([kind.name, ...columnLabels(kind)]);
}

/** The labels of all the columns that a template of the kind can have. */
function columnLabels(kind: RecordKind): readonly string[] {
  return templateFieldsOf(kind, 'every').map(({ label }) => label);
}
