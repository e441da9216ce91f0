/** The looks of a template's headers, and what each tells. Each pair of colours has a contrast of 4.5 or more. */
import type ExcelJS from 'exceljs';
import { type Field, isLink } from '../contract/fields.ts';
import { mustBeFilled } from '../contract/needs.ts';
import type { RecordKind } from '../contract/record-kind.ts';
import { headerLook } from '../sheets/named-styles.ts';

export const fontName = 'Calibri';

interface HeaderLook {
  readonly fill: string;
  readonly text: string;
  readonly means: string;
}

export const headerLooks = {
  required: { fill: headerLook.fill, text: headerLook.color, means: 'Must be filled' },
  link: { fill: 'FFFFE3A3', text: 'FF5A3A00', means: 'Links rows to each other by your own keys' },
  usual: { fill: 'FFD6E6F0', text: 'FF173042', means: 'May stay blank' },
  unpublished: {
    fill: 'FFE4E4E4',
    text: 'FF3A3A3A',
    means: 'May stay blank. The service does not publish the name of this field: load one row first',
  },
} as const satisfies Record<string, HeaderLook>;

export function headerLookOf(field: Field, kind: RecordKind): HeaderLook {
  if (mustBeFilled(field, kind)) return headerLooks.required;
  if (isLink(field)) return headerLooks.link;
  return field.facts.source === 'documented' ? headerLooks.usual : headerLooks.unpublished;
}

export function paint(cell: ExcelJS.Cell, { fill, text }: HeaderLook): void {
  cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: fill } };
  cell.font = { name: fontName, size: 11, bold: true, color: { argb: text } };
}
