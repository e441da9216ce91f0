/** Text in XML as Excel writes it. */

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
