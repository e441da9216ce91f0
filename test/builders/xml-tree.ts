/** A part of a workbook as a tree, and what is asked of it. */
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';

export interface Element {
  readonly name: string;
  /** By their names with prefixes. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

export const none: Element = { name: '', attributes: {}, children: [], text: '' };

/** @throws for a part that is not well formed */
export function treeOf(part: string, xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw new Error(`${part} is not well formed: ${error.message}`);
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    const written = Object.values(tag.attributes).map(({ name, value }: SaxesAttributeNS) => [name, value] as const);
    const element: Element = { name: tag.local, attributes: Object.fromEntries(written), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.write(xml).close();
  return top.children[0] ?? none;
}

export function one(parent: Element, name: string): Element {
  return parent.children.find((child) => child.name === name) ?? none;
}

export function all(parent: Element, name: string): readonly Element[] {
  return parent.children.filter((child) => child.name === name);
}

export function* every(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) yield* every(child);
}

export function checkOrder(what: string, parent: Element, names: string, faults: string[]): void {
  const order = names.split(' ');
  let last = -1;
  for (const { name } of parent.children) {
    const place = order.indexOf(name);
    if (place === -1) faults.push(`In ${what} there is ${name}, which has no place there.`);
    if (place < last || (place === last && name !== 'conditionalFormatting'))
      faults.push(`In ${what}, ${name} stands behind ${order[last]}.`);
    last = Math.max(last, place);
  }
}

/** @param nameOf  what no two of them may have in common */
export function reportTwice<Of>(what: string, of: readonly Of[], nameOf: (one: Of) => string, faults: string[]): void {
  const seen = new Set<string>();
  for (const name of of.map(nameOf)) {
    if (seen.has(name)) faults.push(`Two ${what} are ${name}.`);
    seen.add(name);
  }
}

export function placeOf(reference: string): { readonly row: number; readonly column: number } {
  const [, letters = '', digits = '0'] = /^\$?([A-Z]{1,3})\$?(\d+)$/.exec(reference) ?? [];
  return { row: Number(digits), column: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) };
}
