/** The bytes of a part as text, in pieces that end where something ends. */
import { isAscii } from 'node:buffer';
import { damaged } from './zip-entries.ts';

const endOfTag = '>';
const usualPiece = 64 * 1024;
/** Where nothing ends for so long, a piece ends with some tag. */
const largePiece = 1024 ** 2;
const longestPiece = 8 * 1024 ** 2;

/**
 * @param cut  what a piece is to end with, such as `row>`; where none comes for a megabyte, it ends with a tag
 * @returns texts that are not empty, and an empty one at the end
 * @throws DealsheetError `unreadable-source` for bytes that are not UTF-8, and for comments, CDATA, instructions and declarations
 */
export async function* utf8Pieces(bytes: AsyncIterable<Buffer>, part: string, cut: string): AsyncGenerator<string> {
  let isFirst = true;
  for await (const piece of cutPieces(bytes, part, cut)) {
    const text = isFirst ? decoded(piece, part).replace(/^\uFEFF/, '') : decoded(piece, part);
    if (isFirst) refuseForeign(text, part);
    if (holdsAsides(text, isFirst))
      throw damaged(`its part ${part} holds comments or declarations that no spreadsheet program writes`);
    isFirst = false;
    if (text !== '') yield text;
  }
  yield '';
}

/**
 * Bytes are put together before they are text: text that is put together is slower to read, by half. Texts are smaller than
 * the chunks that unpacking gives: what is made of a larger one outlives the collector's first round.
 */
async function* cutPieces(bytes: AsyncIterable<Buffer>, part: string, cut: string): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += usualPiece) {
      const slice = chunk.subarray(start, start + usualPiece);
      const at = slice.lastIndexOf(length < largePiece ? cut : endOfTag);
      if (at === -1) {
        waiting.push(slice);
        length += slice.length;
        if (length > longestPiece) throw damaged(`its part ${part} holds a text without an end`);
        continue;
      }
      const end = slice.indexOf(endOfTag, at) + endOfTag.length;
      yield Buffer.concat([...waiting, slice.subarray(0, end)]);
      waiting = [slice.subarray(end)];
      length = slice.length - end;
    }
  }
  yield Buffer.concat(waiting);
}

function decoded(piece: Buffer, part: string): string {
  // Bytes of ASCII need no decoder: a tenth of its time.
  if (isAscii(piece)) return piece.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(piece);
  } catch (error) {
    throw damaged(`its part ${part} is not UTF-8`, error);
  }
}

/** The XML declaration at the very beginning is none of them. */
function holdsAsides(text: string, isFirst: boolean): boolean {
  return isBehindBracket(text, '!', 0) || isBehindBracket(text, '?', isFirst && text.startsWith('<?xml') ? 2 : 0);
}

/** Looks for the rarer of the two characters: `<` stands everywhere. */
function isBehindBracket(text: string, mark: string, from: number): boolean {
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1))
    if (text[at - 1] === '<') return true;
  return false;
}

function refuseForeign(text: string, part: string): void {
  const declared = /^\s*<\?xml[^>]*encoding=["']([^"']+)["']/i.exec(text)?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared))
    throw damaged(`its part ${part} is written in ${declared}`);
}
