/** The cell formats whose text is struck through: so people take a row out of a list, and leave it in sight. */
import { walkXml } from './xml-parts.ts';

/** By the index that cells name. */
export type StruckFormats = ReadonlySet<number>;

/** @param xml  the part of the styles */
export function readStruckFormats(part: string, xml: string): StruckFormats {
  const struck = new Set<number>();
  if (!xml.includes('strike')) return struck;
  const fonts = new Set<string>();
  let lastFont = -1;
  let lastFormat = -1;
  walkXml(part, xml, 'main', ({ path, attributes }) => {
    if (path === 'styleSheet/fonts/font') lastFont += 1;
    if (path === 'styleSheet/fonts/font/strike' && isOn(attributes.val)) fonts.add(String(lastFont));
    if (path !== 'styleSheet/cellXfs/xf') return;
    lastFormat += 1;
    if (fonts.has(attributes.fontId ?? '')) struck.add(lastFormat);
  });
  return struck;
}

function isOn(value: string | undefined): boolean {
  return value !== '0' && value !== 'false';
}
