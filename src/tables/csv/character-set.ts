/** The character set of a text file: as chosen, by byte order mark, as usual, UTF-8 if all is valid, else Windows-1252 with a notice. */
import { isAscii, isUtf8 } from 'node:buffer';
import { filePieces } from '../../disk/file-pieces.ts';
import type { Message } from '../../messages/message.ts';
import { errorOf, messageOf } from '../../messages/text.ts';

export interface CharacterSet {
  readonly name: string;
  readonly markLength: number;
  readonly notices: readonly Message[];
}

const sampleLength = 262_144;
const marks: readonly { readonly bytes: readonly number[]; readonly name: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], name: 'utf-8' },
  { bytes: [0xff, 0xfe], name: 'utf-16le' },
  { bytes: [0xfe, 0xff], name: 'utf-16be' },
];

/** @throws DealsheetError `usage` for an unknown name; `unreadable-source` for stray NUL bytes, and for doubtful letters */
export async function findCharacterSet(path: string, wanted: string | null, usual?: string): Promise<CharacterSet> {
  const sample = await sampleOf(path, () => true);
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => sample[index] === byte));
  const markLength = mark?.bytes.length ?? 0;
  const named = wanted ?? (mark === undefined ? usual : undefined);
  if (named !== undefined) return { name: await knownName(named), markLength, notices: [] };
  if (mark !== undefined) return { name: mark.name, markLength, notices: [] };
  if (sample.includes(0)) {
    const wide = wideCharacterSet(sample);
    return { name: wide, markLength: 0, notices: [messageOf('character-set', { set: wide.toUpperCase() })] };
  }
  if (await isAllUtf8(path)) return { name: 'utf-8', markLength: 0, notices: [] };
  await needWestern(await sampleOf(path, (piece) => !isAscii(piece)));
  return { name: western, markLength: 0, notices: [messageOf('character-set-guessed', { set: western })] };
}

async function knownName(wanted: string): Promise<string> {
  const { default: iconv } = await import('iconv-lite');
  if (iconv.encodingExists(wanted)) return /^utf-?8$/i.test(wanted) ? 'utf-8' : wanted;
  throw errorOf('character-set-unknown', { name: wanted });
}

async function sampleOf(path: string, isWanted: (piece: Buffer) => boolean): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of filePieces(path)) {
    if (!isWanted(piece)) continue;
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length >= sampleLength) break;
  }
  return Buffer.concat(pieces);
}

const leastShareOfAscii = 0.02;
const foreignToText = /[^\P{C}\t\n\r\p{Cf}]/u;

/** Detects UTF-16 without a byte order mark: line ends and delimiters are ASCII, and every character is valid in text. */
function wideCharacterSet(sample: Buffer): string {
  const whole = sample.subarray(0, sample.length - (sample.length % 2));
  const readings = (['utf-16le', 'utf-16be'] as const).map((name) => {
    const bytes = name === 'utf-16le' ? whole : Buffer.from(whole).swap16();
    const text = bytes.toString('utf16le').replace(/[\ud800-\udbff]$/, '');
    return { name, text, ascii: text.match(/[\t\n\r -~]/g)?.length ?? 0 };
  });
  const { name, text, ascii } = readings.reduce((one, other) => (other.ascii > one.ascii ? other : one));
  const isText = /[\n\r,;\t|]/.test(text) && ascii > text.length * leastShareOfAscii && !foreignToText.test(text);
  if (isText) return name;
  throw errorOf('text-with-nul');
}

async function isAllUtf8(path: string): Promise<boolean> {
  const decoder = fatalDecoder();
  try {
    for await (const piece of filePieces(path)) decoder.write(piece);
    decoder.end();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Signs that Windows-1252 is wrong: rare letters, capitals after small letters, symbols within words, `Ã©`. */
const oddLetters = new RegExp(
  [
    '(?![\\t\\n\\r])[\\p{Cc}\\ufffdšžŸœƒÐÝÞðýþ]',
    '\\p{Ll}[À-Þ]|\\p{L}[ŠŽŒ]',
    '\\p{Lu}{2}[à-ÿ]|\\p{Lu}[à-ÿ]\\p{Lu}',
    '\\p{L}[^\\p{L}\\p{ASCII}’]\\p{Ll}',
    '\\p{Lu}[^\\p{L}\\p{ASCII}’]\\p{Lu}',
    '\\p{L}[‚„†‡ˆ‰‹¡¿]',
    '[ÂÃ][^\\p{L}\\p{ASCII}]',
    // Apostrophes of Mac Roman in capitals, its letters in front, and the euro sign of Latin-9: `OÕBrien`, `†ber`, `¤5`.
    '(?<!\\p{L})(?:[OD]Õ\\p{Lu}|\\p{Lu}Õ\\p{Lu}\\p{Ll})|ÕS(?!\\p{L})|[†‡¯]\\p{L}|¤',
    '[À-ÿ]{3}|[¡-ÿ]{4}',
    '\\p{L}{2}’(?!(?:[stdmn]|ll|re|ve)(?!\\p{L}))(?!(?:[STDMN]|LL|RE|VE)(?!\\p{L}))\\p{L}',
  ].join('|'),
  'u',
);
const western = 'windows-1252';

/** @throws DealsheetError `unreadable-source` when letters may be wrong, because a guess could falsify a value */
async function needWestern(sample: Buffer): Promise<void> {
  const { default: iconv } = await import('iconv-lite');
  const text = iconv.decode(sample, western);
  const at = oddLetters.exec(text)?.index;
  if (at === undefined) return;
  const before = /[^\s,;|"]{0,30}$/.exec(text.slice(0, at))?.[0] ?? '';
  const word = before + (/^.[^\s,;|"]{0,30}/su.exec(text.slice(at))?.[0] ?? '');
  const other = iconv.decode(iconv.encode(word, western), macintosh);
  throw errorOf('letters-in-doubt', { word, other });
}

/** The text of a file, in pieces. @throws DealsheetError `unreadable-source` for bytes outside the character set */
export async function* decodedText(path: string, set: CharacterSet): AsyncGenerator<string> {
  const decoder = set.name === 'utf-8' ? fatalDecoder() : await lenientDecoder(set.name);
  let length = 0;
  let isBeginning = true;
  try {
    for await (const piece of filePieces(path, set.markLength)) {
      length += piece.length;
      const text = decoder.write(piece);
      // A file joined from files with marks can begin with two.
      const fit: string = isBeginning ? text.replace(/^\uFEFF+/, '') : text;
      isBeginning &&= fit === '';
      yield fit;
    }
    const rest = decoder.end();
    if (/^utf-?16/i.test(set.name) && length % 2 === 1) throw errorOf('text-cut-off');
    yield rest;
  } catch (cause) {
    throw cause instanceof TypeError ? errorOf('text-partly-utf8', { line: await lineBeyondUtf8(path) }, cause) : cause;
  }
}

async function lineBeyondUtf8(path: string): Promise<number> {
  let [line, rest] = [1, ''];
  for await (const piece of filePieces(path)) {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    const at = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')));
    if (at !== -1) return line + at;
    line += lines.length;
  }
  return line;
}

interface Decoder {
  write(chunk: Buffer): string;
  end(): string;
}

const firstBeyondAscii = 0x80;
const macintosh = 'macintosh';

function fatalDecoder(): Decoder {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let isBetweenCharacters = true;
  return {
    write: (chunk) => {
      const text =
        isBetweenCharacters && isAscii(chunk) ? chunk.toString('latin1') : decoder.decode(chunk, { stream: true });
      isBetweenCharacters = (chunk.at(-1) ?? 0) < firstBeyondAscii;
      return text;
    },
    end: () => decoder.decode(),
  };
}

async function lenientDecoder(name: string): Promise<Decoder> {
  if (name === macintosh) {
    // Knows the euro sign, unlike iconv-lite.
    const decoder = new TextDecoder(name);
    return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
  }
  const { default: iconv } = await import('iconv-lite');
  const decoder = iconv.getDecoder(name);
  // Some decoders keep the first bytes, so they get a copy.
  return { write: (chunk) => decoder.write(Buffer.from(chunk)), end: () => decoder.end() ?? '' };
}
