/** Character references in the text of a cell, and Excel's own for what XML cannot hold (`_x0001_`). */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @returns the text, or `null` when it holds a reference that XML does not know */
export function decodedEntities(text: string): string | null {
  if (!text.includes('&')) return text;
  let isRight = true;
  const decoded = text.replace(/&([^;&]{0,10})(;?)/g, (_whole, reference: string, end: string) => {
    const character = end === ';' ? characterOf(reference) : null;
    if (character === null) isRight = false;
    return character ?? '';
  });
  return isRight ? decoded : null;
}

/** `_x0041_` as Excel reads it back (ECMA-376 ST_Xstring). */
export function decodedEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function characterOf(reference: string): string | null {
  if (!reference.startsWith('#')) return Object.hasOwn(named, reference) ? (named[reference] ?? null) : null;
  const isHex = reference[1] === 'x' || reference[1] === 'X';
  const digits = reference.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[0-9a-f]+$/i : /^\d+$/).test(digits)) return null;
  const code = Number.parseInt(digits, isHex ? 16 : 10);
  const isCharacter = code <= 0x10ffff && (code >= 0x20 || code === 9 || code === 10 || code === 13);
  return isCharacter ? String.fromCodePoint(code) : null;
}
