/** What a workbook says, found with saxes by namespace and nothing else: slow, plain, and made apart from the reader that it judges. */
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import type { Cell, SheetRow } from '../../../src/tables/row.ts';

interface XmlNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (XmlNode | string)[];
}

/** How the oracle shows the numbers of each cell format. */
export type OracleFormat = 'plain' | 'day' | 'percent' | { readonly zeros: number };

/** @throws when the XML is not well formed */
function treeOf(xml: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true });
  const top: XmlNode = { name: '', attributes: new Map(), children: [] };
  const open: XmlNode[] = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    const own = Object.values(tag.attributes).filter((attribute: SaxesAttributeNS) => attribute.prefix === '');
    const attributes = new Map(own.map(({ local, value }) => [local, value]));
    const node: XmlNode = { name: tag.local, attributes, children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const addText = (text: string) => open.at(-1)?.children.push(text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(xml).close();
  return top.children.find((child) => typeof child !== 'string') as XmlNode;
}

export function rowsOf(sheetXml: string, stringsXml: string, formats: readonly OracleFormat[]): readonly SheetRow[] {
  const strings = elements(treeOf(stringsXml), 'si').map(itemText);
  const [data] = elements(treeOf(sheetXml), 'sheetData');
  if (data === undefined) throw new Error('There is no sheetData.');
  let last = 0;
  return elements(data, 'row').flatMap((row) => {
    last = row.attributes.has('r') ? Number(row.attributes.get('r')) : last + 1;
    const cells: Cell[] = [];
    let column = -1;
    for (const cell of elements(row, 'c')) {
      const reference = cell.attributes.get('r');
      column = reference === undefined ? column + 1 : columnOf(reference);
      const value = cellOf(cell, strings, formats);
      if (value === null) continue;
      while (cells.length < column) cells.push(null);
      cells[column] = value;
    }
    const hidden = ['1', 'true'].includes(row.attributes.get('hidden') ?? '');
    return cells.length === 0 ? [] : [{ number: last, values: cells, hidden }];
  });
}

function cellOf(cell: XmlNode, strings: readonly string[], formats: readonly OracleFormat[]): Cell {
  const type = cell.attributes.get('t') ?? 'n';
  if (type === 'inlineStr') {
    const [inside] = elements(cell, 'is');
    return inside === undefined ? null : itemText(inside) || null;
  }
  const [value] = elements(cell, 'v');
  const [formula] = elements(cell, 'f');
  const stored = value === undefined ? '' : textOf(value);
  if (type === 'str' && value !== undefined) return unescaped(stored) || null;
  if (stored.trim() === '') {
    return formula === undefined ? null : { kind: 'formula-without-value', formula: unescaped(textOf(formula)) };
  }
  if (type === 's') return strings[Number(stored)] || null;
  if (type === 'b') return { kind: 'boolean', value: ['1', 'true'].includes(stored.trim()) };
  if (type === 'e') return { kind: 'error', text: stored };
  if (type === 'd') return { kind: 'date', day: stored.slice(0, 10), time: stored.slice(11, 19) || null };
  return numberOf(stored.trim(), formats[Number(cell.attributes.get('s') ?? 0)] ?? 'plain');
}

function numberOf(stored: string, format: OracleFormat): Cell {
  const value = Number(stored);
  if (format === 'day' && value >= 61 && value < 2_958_466) {
    const seconds = Math.round(value * 86_400);
    const moment = new Date(Date.UTC(1899, 11, 30) + seconds * 1000).toISOString();
    const time = moment.slice(11, 19);
    return { kind: 'date', day: moment.slice(0, 10), time: time === '00:00:00' ? null : time };
  }
  const isPadded = typeof format === 'object' && Number.isInteger(value) && value >= 0;
  const shown = isPadded ? String(value).padStart(format.zeros, '0') : String(value);
  // A program shows a day, or only signs, for a number that is no day here.
  const form = format === 'day' ? { inOtherForm: true as const } : {};
  return { kind: 'number', value, stored, shown, percent: format === 'percent', ...form };
}

/** Of the runs, without the phonetic ones. */
function itemText(item: XmlNode): string {
  const own = elements(item, 't').map(textOf);
  const runs = elements(item, 'r').flatMap((run) => elements(run, 't').map(textOf));
  return [...own, ...runs].map(unescaped).join('');
}

/** `_x0041_`, and every line end as a line feed: a cell has no other. */
function unescaped(text: string): string {
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n');
}

function elements(node: XmlNode, name: string): readonly XmlNode[] {
  return node.children.filter((child): child is XmlNode => typeof child !== 'string' && child.name === name);
}

function textOf(node: XmlNode): string {
  return node.children.filter((child) => typeof child === 'string').join('');
}

function columnOf(reference: string): number {
  return [...reference.replace(/\d/g, '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
