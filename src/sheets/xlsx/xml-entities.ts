/** Character references in the text of a cell, and Excel's own for what XML cannot hold (`_x0001_`). */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @returns the text, or `null` when it holds a reference that XML does not know */
export function decodedEntities(text: string): string | null {
  if (!text.includes('&')) return text;
  let decoded = '';
  let copied = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', copied)) {
    const end = text.indexOf(';', at);
    const character = end === -1 || end - at > longestReference ? null : characterOf(text.slice(at + 1, end));
    if (character === null) return null;
    decoded += text.slice(copied, at) + character;
    copied = end + 1;
  }
  return decoded + text.slice(copied);
}

const longestReference = 20;

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
  const isCharacter =
    (code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff) ||
    code === 9 ||
    code === 10 ||
    code === 13;
  return isCharacter ? String.fromCodePoint(code) : null;
}
