/** Makes foreign text fit for one line of a message: no control characters, no endless lines. */

/** Control and format characters (direction marks among them), lone surrogates and line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Control characters except newline and tab, and direction marks: a terminal obeys them. */
const commanding = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;
const replacement = '\uFFFD';

export function visibleText(text: string): string {
  return text.replace(commanding, replacement);
}

/** The text of a settings or token file. Windows PowerShell redirects to a file in UTF-16. */
export function textIn(bytes: Buffer): string {
  return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-8').decode(bytes);
}

export function plainText(text: string): string {
  return text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim();
}

export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept.trimEnd()}…`;
}

/** Makes the text a sentence: a capital first, a full stop last. */
export function asSentence(text: string): string {
  if (text === '') return text;
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…:]["”')]?$/.test(capital) ? capital : `${capital}.`;
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
