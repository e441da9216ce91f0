/**
 * XML as UTF-8 bytes, written one after the other into one buffer: putting a row together from texts and turning it into
 * bytes afterwards took three times as long.
 */

const firstCapacity = 96 * 1024;
/** The longest UTF-8 form of a UTF-16 code unit. */
const mostBytesOfUnit = 3;
/** The codes that stand in XML as they are: printable ASCII without markup and without `_`, which may begin an escape; TAB and LF. */
const standsAsItIs = Uint8Array.from({ length: 128 }, (_, code) =>
  (code >= 0x20 && code < 0x7f && !'<>&"_'.includes(String.fromCharCode(code))) || code === 0x09 || code === 0x0a
    ? 1
    : 0,
);

export class XmlBytes {
  #bytes = Buffer.allocUnsafe(firstCapacity);
  length = 0;

  /** Markup that was made into codes before. */
  codes(codes: Uint8Array): void {
    this.#makeRoom(codes.length);
    const bytes = this.#bytes;
    let at = this.length;
    for (let index = 0; index < codes.length; index += 1) bytes[at++] = codes[index] as number;
    this.length = at;
  }

  /** Markup of any characters. */
  markup(text: string): void {
    this.#makeRoom(text.length * mostBytesOfUnit);
    this.length += this.#bytes.write(text, this.length, 'utf8');
  }

  /** Text of an element: what XML would take for markup is escaped. */
  text(text: string): void {
    this.#makeRoom(text.length);
    const bytes = this.#bytes;
    const start = this.length;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (standsAsItIs[code] !== 1) {
        this.markup(xmlText(text));
        return;
      }
      bytes[start + index] = code;
    }
    this.length = start + text.length;
  }

  /** Gives the bytes written so far, and begins anew. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.#bytes = Buffer.allocUnsafe(this.#bytes.length);
    this.length = 0;
    return taken;
  }

  #makeRoom(most: number): void {
    if (this.length + most <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + most));
    this.#bytes.copy(grown, 0, 0, this.length);
    this.#bytes = grown;
  }
}

const special =
  /[<>&"\u0000-\u0008\u000b\u000c\r\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|_(?=x[0-9A-Fa-f]{4}_)/;
const allSpecial = new RegExp(special.source, 'g');

/** Escapes markup, and characters that XML cannot hold as `_x0001_`, the way that Excel reads back (ECMA-376 18.3.1.96, ST_Xstring). */
export function xmlText(text: string): string {
  return special.test(text) ? text.replace(allSpecial, escaped) : text;
}

function escaped(character: string): string {
  switch (character) {
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '&':
      return '&amp;';
    case '"':
      return '&quot;';
    default:
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  }
}
