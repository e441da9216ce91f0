/**
 * Bars in cells: the rule that every program knows, and beside it the extension in which a negative value has a bar of its
 * own to the other side (ECMA-376 18.3.1.28; MS-XLSX 2.6.30).
 */
import type { DataBar } from '../sheet-writer.ts';
import { columnName } from './cell-reference.ts';

const barColor = 'FF9CC3D5';
const negativeColor = 'FFE59A94';
const axisColor = 'FF5B6770';
const extensionNamespace = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';

/** What stands between the filter and the links of a sheet. */
export function dataBarRules(bars: readonly DataBar[]): string {
  return bars
    .map(
      (bar, index) =>
        `<conditionalFormatting sqref="${rangeOf(bar)}"><cfRule type="dataBar" priority="${index + 1}"><dataBar><cfvo type="num" val="0"/><cfvo type="max"/><color rgb="${barColor}"/></dataBar><extLst><ext xmlns:x14="${extensionNamespace}" uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}"><x14:id>${idOf(index)}</x14:id></ext></extLst></cfRule></conditionalFormatting>`,
    )
    .join('');
}

/** The very last element of a sheet. */
export function dataBarExtension(bars: readonly DataBar[]): string {
  if (bars.length === 0) return '';
  const rules = bars.map(
    (bar, index) =>
      `<x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:cfRule type="dataBar" id="${idOf(index)}"><x14:dataBar minLength="0" maxLength="100" gradient="0"><x14:cfvo type="autoMin"/><x14:cfvo type="autoMax"/><x14:negativeFillColor rgb="${negativeColor}"/><x14:axisColor rgb="${axisColor}"/></x14:dataBar></x14:cfRule><xm:sqref>${rangeOf(bar)}</xm:sqref></x14:conditionalFormatting>`,
  );
  return `<extLst><ext xmlns:x14="${extensionNamespace}" uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings>${rules.join('')}</x14:conditionalFormattings></ext></extLst>`;
}

function rangeOf({ column, firstRow, lastRow }: DataBar): string {
  const name = columnName(column);
  return `${name}${firstRow}:${name}${lastRow}`;
}

function idOf(index: number): string {
  return `{DA7ABA51-0000-4000-8000-${String(index + 1).padStart(12, '0')}}`;
}
