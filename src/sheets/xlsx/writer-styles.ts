/** The named styles as a workbook holds them. */
import { dayFormat, type Look, looks, momentFormat, problem, type StyleName } from '../named-styles.ts';
import { xmlText } from './xml-text.ts';

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
