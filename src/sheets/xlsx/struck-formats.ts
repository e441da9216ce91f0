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
  walkXml(part, xml, ({ name, attributes, path }) => {
    const inside = path.at(-1);
    if (name === 'font' && inside === 'fonts') lastFont += 1;
    if (name === 'strike' && inside === 'font' && path.at(-2) === 'fonts' && isOn(attributes.val))
      fonts.add(String(lastFont));
    if (name !== 'xf' || inside !== 'cellXfs') return;
    lastFormat += 1;
    if (fonts.has(attributes.fontId ?? '')) struck.add(lastFormat);
  });
  return struck;
}

function isOn(value: string | undefined): boolean {
  return value !== '0' && value !== 'false';
}
