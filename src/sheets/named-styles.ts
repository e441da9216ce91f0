/** How the named styles look, also as a workbook holds them. Fill and text of each pair have a contrast of 4.5 or more. */
import { xmlText } from './xlsx/xml-text.ts';

export interface Look {
  readonly fill?: string;
  readonly color?: string;
  readonly bold?: true;
  readonly underline?: true;
  readonly size?: number;
  /** A built-in number format (ECMA-376 18.8.30), or the code of one. */
  readonly format?: number | string;
  readonly wrap?: true;
  readonly border?: true;
  readonly right?: true;
  /** A little room at the left, so that text does not touch the number before it. */
  readonly indent?: true;
}

export const headerLook = { fill: 'FF1F3A4D', color: 'FFFFFFFF', bold: true } as const;
const problem = { fill: 'FFF8D0CC', color: 'FF7A1410' } as const;
const bad = { ...problem, bold: true } as const;
const total = { fill: 'FFE8EEF2', color: headerLook.fill, bold: true } as const;
const amountFormat = '#,##0.00;[Red]-#,##0.00';
const exactAmountFormat = '#,##0.00##########;[Red]-#,##0.00##########';
const countFormat = 3;
const textFormat = 49;
const dayFormat = 'yyyy\\-mm\\-dd';
const momentFormat = 'yyyy\\-mm\\-dd\\ hh:mm:ss';

export const looks = {
  plain: {},
  header: headerLook,
  /** Above text, and above numbers. */
  'header-left': { ...headerLook, indent: true },
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
  /** Of an amount with more than two decimals: all of them are shown. */
  'money-exact': { format: exactAmountFormat },
  integer: { format: countFormat },
  date: { format: dayFormat },
  'date-time': { format: momentFormat },
  link: { color: 'FF0B57B0', underline: true },
  /** Text that stays text also when a person types over it. */
  text: { format: textFormat, indent: true },
  number: {},
  /** Percentage points: 12.5 is shown as 12.5%. */
  percent: { format: '0.00"%"' },
  total,
  'total-money': { ...total, format: amountFormat },
  quiet: { color: 'FF5B6770' },
} as const satisfies Readonly<Record<string, Look>>;

/** The fixed set of named styles; each writer knows how they look. */
export type StyleName = keyof typeof looks;

const names = Object.keys(looks) as StyleName[];
const lookOf: Readonly<Record<StyleName, Look>> = looks;
const firstOwnFormat = 164;
const fontSize = 11;

export const styleIndex = Object.fromEntries(names.map((name, index) => [name, index])) as Readonly<
  Record<StyleName, number>
>;

/** A plain cell that stands at the top of its row. */
export const topStyleIndex = names.length;

/** The index of a style as a day, or a day with a time, has it: looking the same, with the format of a date. */
export function dateStyleIndex(style: StyleName, hasTime: boolean): number {
  return topStyleIndex + 1 + 2 * styleIndex[style] + (hasTime ? 1 : 0);
}

export function stylesPart(): string {
  const all = names.map((name) => lookOf[name]);
  const formats = [...new Set(all.flatMap(({ format }) => (typeof format === 'string' ? [format] : [])))];
  const formatId = (format: Look['format']) =>
    typeof format === 'string' ? firstOwnFormat + formats.indexOf(format) : (format ?? 0);
  const atTop =
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top"/></xf>';
  const cellFormat = (look: Look, fontId: number): string => {
    const alignment = `<alignment vertical="top"${look.right ? ' horizontal="right"' : ''}${look.indent ? ' horizontal="left" indent="1"' : ''}${look.wrap ? ' wrapText="1"' : ''}/>`;
    const fillId = look.fill === undefined ? 0 : fills(all).indexOf(look.fill) + 2;
    return `<xf numFmtId="${formatId(look.format)}" fontId="${fontId}" fillId="${fillId}" borderId="${look.border ? 1 : 0}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${alignment}</xf>`;
  };
  const cellFormats = [
    ...all.map(cellFormat),
    atTop,
    ...all.flatMap((look, index) => [dayFormat, momentFormat].map((format) => cellFormat({ ...look, format }, index))),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
    `<numFmts count="${formats.length}">${formats.map((code, index) => `<numFmt numFmtId="${firstOwnFormat + index}" formatCode="${xmlText(code)}"/>`).join('')}</numFmts>`,
    `<fonts count="${all.length}">${all.map(fontOf).join('')}</fonts>`,
    `<fills count="${fills(all).length + 2}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>${fills(all).map(fillOf).join('')}</fills>`,
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
    `<border>${['left', 'right', 'top', 'bottom'].map((side) => `<${side} style="thin"><color rgb="${problem.color}"/></${side}>`).join('')}<diagonal/></border></borders>`,
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}

function fills(all: readonly Look[]): readonly string[] {
  return [...new Set(all.flatMap(({ fill }) => (fill === undefined ? [] : [fill])))];
}

function fillOf(color: string): string {
  return `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`;
}

function fontOf(look: Look): string {
  const bold = look.bold ? '<b/>' : '';
  const underline = look.underline ? '<u/>' : '';
  const color = look.color === undefined ? '<color theme="1"/>' : `<color rgb="${look.color}"/>`;
  return `<font>${bold}${underline}<sz val="${look.size ?? fontSize}"/>${color}<name val="Calibri"/><family val="2"/></font>`;
}
