/** The colours of a template's headers: required, documented, assumed. Each pair has a contrast of 4.5 or more. */
import type { Field } from '../contract/fields.ts';
import { headerLook } from '../sheets/xlsx/writer-styles.ts';

export const fontName = 'Calibri';

export interface HeaderColors {
  readonly fill: string;
  readonly text: string;
}

export const requiredColors: HeaderColors = { fill: headerLook.fill, text: headerLook.color };
export const documentedColors: HeaderColors = { fill: 'FFD6E6F0', text: 'FF173042' };
export const assumedColors: HeaderColors = { fill: 'FFEDEDED', text: 'FF3A3A3A' };

export function headerColors(field: Field): HeaderColors {
  if (field.required) return requiredColors;
  return field.facts.source === 'documented' ? documentedColors : assumedColors;
}
