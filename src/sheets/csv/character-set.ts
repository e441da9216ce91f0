/** The character set of a text file: what a person says, else a byte order mark, else UTF-8 if the whole file is, else a guess that is told. */
import { isAscii } from 'node:buffer';
import { filePieces } from '../../disk/file-pieces.ts';
import { DealsheetError } from '../../errors.ts';
import { unreadable } from '../unreadable.ts';
import { doubtfulWord, strangeCharacters } from './western-letters.ts';

export interface CharacterSet {
  /** A name that iconv-lite knows. */
  readonly name: string;
  /** Bytes of the byte order mark, to be skipped. */
  readonly markLength: number;
  /** What a person should know about the choice, or `null`. */
  readonly notice: string | null;
}

const sampleLength = 262_144;
const marks: readonly { readonly bytes: readonly number[]; readonly name: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], name: 'utf-8' },
  { bytes: [0xff, 0xfe], name: 'utf-16le' },
  { bytes: [0xfe, 0xff], name: 'utf-16be' },
];

/**
 * @throws DealsheetError `usage` for a name that nobody knows; `unreadable-source` for NUL bytes that are no UTF-16, for UTF-8
 *   with other bytes in it, and where no character set fits, or two do
 */
export async function findCharacterSet(path: string, wanted: string | null): Promise<CharacterSet> {
  const sample = await sampleOf(path, () => true);
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => sample[index] === byte));
  const markLength = mark?.bytes.length ?? 0;
  if (wanted !== null) return { name: await knownName(wanted), markLength, notice: null };
  if (mark !== undefined) return { name: mark.name, markLength, notice: null };
  if (sample.includes(0)) {
    const wide = wideCharacterSet(sample);
    return { name: wide, markLength: 0, notice: `The file is read as ${wide.toUpperCase()}.` };
  }
  if (await isUtf8(path)) return { name: 'utf-8', markLength: 0, notice: null };
  await refuseMixture(path);
  const name = await guessedName(await sampleOf(path, (piece) => !isAscii(piece)));
  const notice = `The file is not UTF-8. It is read as ${name}; name another character set with --encoding.`;
  return { name, markLength: 0, notice };
}

async function knownName(wanted: string): Promise<string> {
  const { default: iconv } = await import('iconv-lite');
  if (iconv.encodingExists(wanted)) return /^utf-?8$/i.test(wanted) ? 'utf-8' : wanted;
  const usual = 'Usual ones are utf-8, windows-1252 and utf-16le.';
  throw new DealsheetError('usage', `There is no character set "${wanted}".`, usual);
}

/** The first pieces of a file that are wanted, wherever they stand. */
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

/** UTF-16 without a mark: its line ends and the marks between its cells are ASCII, and no character is one that no text has. */
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
  throw unreadable(
    'The file holds NUL bytes: it is no text, or it is damaged.',
    'Save the spreadsheet as CSV (UTF-8) or XLSX, and try again.',
  );
}

async function isUtf8(path: string): Promise<boolean> {
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

/** The table of well-formed UTF-8, but for ASCII. */
const utf8Character = [
  '[\\xc2-\\xdf][\\x80-\\xbf]',
  '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
  '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
  '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
  '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
  '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
  '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
].join('|');
const characterOrOther = new RegExp(`(${utf8Character})|([\\x80-\\xff])|\\n`, 'g');
const begunCharacter = /[\xc2-\xf4][\x80-\xbf]{0,2}$/;
/**
 * A text in another character set holds bytes that are UTF-8 by chance: next to none where a letter is one byte, in those of East
 * Asia up to one for four other bytes. Twice that is no chance.
 */
const leastShareOfUtf8 = 0.5;

/** Read in another character set, each letter of UTF-8 would become two wrong ones. */
async function refuseMixture(path: string): Promise<void> {
  let [characters, others, line, pending] = [0, 0, 1, ''];
  let first = { byte: '', line: 0 };
  const count = (text: string) => {
    for (const [, character, other] of text.matchAll(characterOrOther)) {
      if (character !== undefined) characters += 1;
      else if (other === undefined) line += 1;
      else {
        others += 1;
        if (others === 1) first = { byte: other.charCodeAt(0).toString(16).toUpperCase(), line };
      }
    }
  };
  for await (const piece of filePieces(path)) {
    const text = pending + piece.toString('latin1');
    pending = begunCharacter.exec(text)?.[0] ?? '';
    count(text.slice(0, text.length - pending.length));
  }
  count(pending);
  if (characters < others * leastShareOfUtf8) return;
  throw unreadable(
    `The file holds UTF-8 and other bytes: the first that is not UTF-8 (${first.byte}) stands in line ${first.line}.`,
    'Correct that line, and save the file again as CSV UTF-8. If all of it is in one other character set, name that with --encoding, such as windows-1252.',
  );
}

const western = 'windows-1252';
const macintosh = 'macintosh';
/** What chardet is surer of than this is no chance: of small files, it guesses anything. */
const leastConfidence = 50;
/** One in so many characters may stand where none of its kind does. */
const mostStrange = 8;

/**
 * The character set in which the text looks most as people write it. Of sets in which it looks as good, one that its bytes tell
 * by their frequency comes first, then Windows-1252, then Mac Roman.
 */
async function guessedName(sample: Buffer): Promise<string> {
  const { default: chardet } = await import('chardet');
  const { default: iconv } = await import('iconv-lite');
  const guesses = chardet
    .analyse(sample)
    .filter(({ name }) => iconv.encodingExists(name) && !/^utf|^ascii$/i.test(name))
    .map(({ name, confidence }) => ({ name: /^iso-8859-1$/i.test(name) ? western : name, confidence }));
  const sure = guesses.filter(({ confidence }) => confidence >= leastConfidence);
  const isOfOldMac = sample.includes('\r') && !sample.includes('\n');
  const names = [
    ...sure.map(({ name }) => name),
    western,
    macintosh,
    ...guesses.map(({ name }) => name),
    'windows-1250',
  ];
  const texts = [...new Set(isOfOldMac ? [macintosh, ...names] : names)].map((name) => {
    const text = iconv.decode(sample, name);
    return { name, text, ...strangeCharacters(text) };
  });
  const best = texts.reduce((one, other) => (other.strange < one.strange ? other : one));
  if (best.strange * mostStrange > best.all)
    throw unreadable(
      'The file is not UTF-8, and its letters make no sense in any other usual character set.',
      'Save it as CSV UTF-8, or name its character set with --encoding, such as windows-1252, macintosh or cp850.',
    );
  const isAlsoMac = texts.some(({ name, strange }) => name === macintosh && strange === best.strange);
  const word = best.name !== macintosh && isAlsoMac ? doubtfulWord(best.text) : null;
  if (word === null) return best.name;
  const other = iconv.decode(iconv.encode(word, best.name), macintosh);
  throw unreadable(
    `The file is not UTF-8, and can be read in two ways: "${word}" as windows-1252, or "${other}" as macintosh.`,
    'Name the right one with --encoding, such as --encoding windows-1252.',
  );
}

/** The text of a file, piece by piece. @throws DealsheetError `unreadable-source` for bytes that the character set does not have */
export async function* decodedText(path: string, set: CharacterSet): AsyncGenerator<string> {
  const decoder = set.name === 'utf-8' ? fatalDecoder() : await lenientDecoder(set.name);
  let lines = 1;
  let length = 0;
  let isBeginning = true;
  try {
    for await (const piece of filePieces(path, set.markLength)) {
      length += piece.length;
      const text = decoder.write(piece);
      lines += lineFeedsIn(text);
      // Files joined from files that had marks begin with two.
      const fit: string = isBeginning ? text.replace(/^\uFEFF+/, '') : text;
      isBeginning &&= fit === '';
      yield fit;
    }
    const rest = decoder.end();
    if (/^utf-?16/i.test(set.name) && length % 2 === 1)
      throw unreadable(
        'The file ends with half a character of UTF-16: it was cut off.',
        'Save the spreadsheet again, and try again.',
      );
    yield rest;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const what = `The file is not UTF-8 throughout: there are other bytes after line ${lines}.`;
    throw unreadable(what, 'Save it as UTF-8, or name its character set with --encoding.', cause);
  }
}

interface Decoder {
  write(chunk: Buffer): string;
  end(): string;
}

const firstBeyondAscii = 0x80;

function fatalDecoder(): Decoder {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let isBetweenCharacters = true;
  return {
    write: (chunk) => {
      // Bytes of ASCII need no decoder: a tenth of its time.
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
    // It knows the euro of later systems.
    const decoder = new TextDecoder(name);
    return { write: (chunk) => decoder.decode(chunk, { stream: true }), end: () => decoder.decode() };
  }
  const { default: iconv } = await import('iconv-lite');
  const decoder = iconv.getDecoder(name);
  // Some decoders keep the first bytes until they know what they are.
  return { write: (chunk) => decoder.write(Buffer.from(chunk)), end: () => decoder.end() ?? '' };
}

export function lineFeedsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
