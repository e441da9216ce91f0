/** Decodes the bytes of a part, in pieces that end at the end of an element. */
import { isAscii } from 'node:buffer';
import { errorOf } from '../../messages/text.ts';

const endOfTag = '>';
const declaration = Buffer.from('<?xml');
const bracket = '<'.charCodeAt(0);
const byteOrderMark = Buffer.from('\uFEFF');
const usualPiece = 64 * 1024;
/** A longer piece may end at any tag, so that a million merges after the rows do not fill memory. */
const largePiece = 256 * 1024;
const longestPiece = 8 * 1024 ** 2;

/**
 * @param cut the end of a piece, such as `row>`; a piece without it ends at any tag once it is large
 * @param wanted skips pieces without this word, except the first
 * @returns texts that are not empty, then an empty one
 * @throws DealsheetError `unreadable-source` for invalid UTF-8, prefixed names, comments, CDATA and the like
 */
export async function* utf8Pieces(
  bytes: AsyncIterable<Buffer>,
  part: string,
  cut: string,
  wanted = '',
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of cutPieces(bytes, part, cut)) {
    const xml = isFirst ? withoutMark(piece) : piece;
    const text = isFirst || xml.includes(wanted) ? decoded(xml, part) : '';
    if (isFirst) refuseForeign(text, part);
    if (holdsAsides(xml, isFirst)) throw errorOf('part-unreadable', { part });
    isFirst = false;
    if (text !== '') yield text;
  }
  yield '';
}

/** Joins bytes, because reading a joined string takes half as long again. A piece is valid only until the next one. */
async function* cutPieces(bytes: AsyncIterable<Buffer>, part: string, cut: string): AsyncGenerator<Buffer> {
  const place = new PieceBuffer();
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += usualPiece) {
      const slice = chunk.subarray(start, start + usualPiece);
      const at = slice.lastIndexOf(place.length < largePiece ? cut : endOfTag);
      if (at === -1) {
        place.add(slice);
        if (place.length > longestPiece) throw errorOf('part-unreadable', { part });
        continue;
      }
      const end = slice.indexOf(endOfTag, at) + endOfTag.length;
      place.add(slice.subarray(0, end));
      yield place.take();
      place.add(slice.subarray(end));
    }
  }
  yield place.take();
}

/** A reused buffer, so that a sheet of 100 MB does not leave 100 MB of garbage. */
class PieceBuffer {
  #bytes = Buffer.alloc(0);
  length = 0;

  add(slice: Buffer): void {
    if (this.length + slice.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.length + slice.length));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    slice.copy(this.#bytes, this.length);
    this.length += slice.length;
  }

  take(): Buffer {
    const piece = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return piece;
  }
}

function decoded(piece: Buffer, part: string): string {
  if (isAscii(piece)) return piece.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(piece);
  } catch (error) {
    throw errorOf('part-unreadable', { part }, error);
  }
}

function withoutMark(piece: Buffer): Buffer {
  return piece.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? piece.subarray(byteOrderMark.length) : piece;
}

/** The XML declaration at the start is allowed. */
function holdsAsides(xml: Buffer, isFirst: boolean): boolean {
  const isDeclared = isFirst && xml.subarray(0, declaration.length).equals(declaration);
  return isBehindBracket(xml, '!', 0) || isBehindBracket(xml, '?', isDeclared ? 2 : 0);
}

/** Searches for the rarer of the two characters, because `<` is everywhere. */
function isBehindBracket(xml: Buffer, mark: string, from: number): boolean {
  const code = mark.charCodeAt(0);
  for (let at = xml.indexOf(code, from); at !== -1; at = xml.indexOf(code, at + 1))
    if (xml[at - 1] === bracket) return true;
  return false;
}

function refuseForeign(text: string, part: string): void {
  if (/<[\w.-]+:(?:worksheet|sst)\b/.test(text)) throw errorOf('part-unreadable', { part });
  const declared = /^\s*<\?xml[^>]*encoding=["']([^"']+)["']/i.exec(text)?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) throw errorOf('part-unreadable', { part });
}
