/** The character set of a text file: what a person says, else a byte order mark, else UTF-8 if the whole file is, else a guess that is told. */
import { isAscii } from 'node:buffer';
import { open } from 'node:fs/promises';
import { DealsheetError } from '../../errors.ts';
import { filePieces } from '../file-pieces.ts';
import { countUtf8, firstBeyondAscii } from './utf8-count.ts';
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
 * @throws DealsheetError `usage` for a name that nobody knows; `unreadable-source` for NUL bytes that are no UTF-16, and for
 *   UTF-8 with other bytes in it
 */
export async function findCharacterSet(path: string, wanted: string | null): Promise<CharacterSet> {
  const sample = await beginningOf(path);
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => sample[index] === byte));
  const markLength = mark?.bytes.length ?? 0;
  if (wanted !== null) return { name: await knownName(wanted), markLength, notice: null };
  if (mark !== undefined) return { name: mark.name, markLength, notice: null };
  if (sample.includes(0)) {
    const wide = wideCharacterSet(sample);
    if (wide === null) throw noText();
    return { name: wide, markLength: 0, notice: `The file is read as ${wide.toUpperCase()}.` };
  }
  if (await isUtf8(path)) return { name: 'utf-8', markLength: 0, notice: null };
  await refuseMixture(path);
  const name = await guessedName(await lettersOf(path));
  return {
    name,
    markLength: 0,
    notice: `The file is not UTF-8. It is read as ${name}; name another character set with --encoding.`,
  };
}

/** What chardet is surer of than this is no chance: of small files, it guesses anything. */
const leastConfidence = 50;

/**
 * The character set in which the text looks most as people write it. Of sets in which it looks as good, one that its bytes tell
 * by their frequency comes first, then Windows-1252, then Mac Roman.
 *
 * @throws DealsheetError `unreadable-source` where no set fits, or two Western ones do
 */
async function guessedName(sample: Buffer): Promise<string> {
  const { default: chardet } = await import('chardet');
  const { default: iconv } = await import('iconv-lite');
  const guesses = chardet
    .analyse(sample)
    .filter(({ name }) => iconv.encodingExists(name) && !/^utf|^ascii$/i.test(name))
    .map(({ name, confidence }) => ({ name: /^iso-8859-1$/i.test(name) ? western : name, confidence }));
  const sure = guesses.filter(({ confidence }) => confidence >= leastConfidence).map(({ name }) => name);
  const isOfOldMac = sample.includes(carriageReturn) && !sample.includes(lineFeed);
  const usual = isOfOldMac ? [macintosh, western] : [western, macintosh];
  const names = [
    ...new Set([...(isOfOldMac ? usual : sure), ...sure, ...usual, ...guesses.map(({ name }) => name), central]),
  ];
  const texts = names.map((name) => {
    const text = iconv.decode(sample, name);
    return { name, text, ...strangeCharacters(text) };
  });
  const [first, ...others] = texts;
  const best = others.reduce((one, other) => (other.strange < one.strange ? other : one), first ?? nothing);
  if (best.strange * mostStrange > best.all) throw inNoSet();
  const mac = texts.find(({ name }) => name === macintosh);
  const word = best.name !== macintosh && mac?.strange === best.strange ? doubtfulWord(best.text) : null;
  if (word !== null) throw inTwoSets(word, iconv.decode(iconv.encode(word, best.name), macintosh));
  return best.name;
}

const western = 'windows-1252';
const macintosh = 'macintosh';
const central = 'windows-1250';
/** One in so many characters may stand where none of its kind does. */
const mostStrange = 8;
const nothing = { name: western, text: '', strange: 0, all: 0 };
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** The beginnings of the pieces of a file that hold more than ASCII, wherever they stand. */
async function lettersOf(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of filePieces(path)) {
    if (isAscii(piece)) continue;
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length >= sampleLength) break;
  }
  return Buffer.concat(pieces);
}

/** The text of a file, piece by piece. @throws DealsheetError `unreadable-source` for bytes that the character set does not have */
export async function* decodedText(path: string, set: CharacterSet): AsyncGenerator<string> {
  const decoder = set.name === 'utf-8' ? fatalDecoder() : await lenientDecoder(set.name);
  let lines = 1;
  let length = 0;
  let isBeginning = true;
  for await (const piece of filePieces(path, set.markLength)) {
    length += piece.length;
    const text = decodedOrRefused(
      () => decoder.write(piece),
      () => lines,
    );
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
    // Files joined from files that had marks begin with two.
    const fit: string = isBeginning ? text.replace(/^\uFEFF+/, '') : text;
    isBeginning &&= fit === '';
    yield fit;
  }
  if (/^utf-?16/i.test(set.name) && length % 2 === 1) throw cutOff();
  yield decodedOrRefused(
    () => decoder.end(),
    () => lines,
  );
}

interface Decoder {
  write(chunk: Buffer): string;
  end(): string;
}

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

function decodedOrRefused(decode: () => string, line: () => number): string {
  try {
    return decode();
  } catch (cause) {
    throw new DealsheetError(
      'unreadable-source',
      `The file is not UTF-8 throughout: there are other bytes after line ${line()}.`,
      'Save it as UTF-8, or name its character set with --encoding.',
      { cause },
    );
  }
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(sampleLength);
    const { bytesRead } = await file.read(buffer, 0, sampleLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * UTF-16 without a mark, whatever its letters: line ends and marks between cells are of ASCII, each with a NUL byte beside it, and
 * no character is one that no text has.
 */
function wideCharacterSet(sample: Buffer): string | null {
  const whole = sample.subarray(0, sample.length - (sample.length % 2));
  const [low, high] = [Buffer.from(whole), Buffer.from(whole).swap16()].map((bytes) => bytes.toString('utf16le'));
  const found =
    asciiIn(low ?? '') >= asciiIn(high ?? '') ? { name: 'utf-16le', text: low } : { name: 'utf-16be', text: high };
  const text = found.text?.replace(/[\ud800-\udbff]$/, '') ?? '';
  const isText =
    /[\n\r,;\t|]/.test(text) && asciiIn(text) > text.length * leastShareOfAscii && !foreignToText.test(text);
  return isText ? found.name : null;
}

const leastShareOfAscii = 0.02;
const foreignToText = /[^\P{C}\t\n\r\p{Cf}]/u;

function asciiIn(text: string): number {
  return text.match(/[\t\n\r -~]/g)?.length ?? 0;
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

/**
 * Read in another character set, each letter of UTF-8 would become two wrong ones. A text in another set holds bytes that are
 * UTF-8 by chance: next to none where a letter is one byte (`É™` of Windows-1252 is `ə`), in those of East Asia up to one
 * for four other bytes. Twice that is no chance.
 */
const leastShareOfUtf8 = 0.5;

async function refuseMixture(path: string): Promise<void> {
  const { characters, otherBytes, firstOther } = await countUtf8(path);
  if (firstOther === null || characters < otherBytes * leastShareOfUtf8) return;
  const shown = firstOther.byte.toString(16).toUpperCase();
  throw new DealsheetError(
    'unreadable-source',
    `The file holds UTF-8 and other bytes: the first that is not UTF-8 (${shown}) stands in line ${firstOther.line}.`,
    'Correct that line, and save the file again as CSV UTF-8. If all of it is in one other character set, name that with --encoding, such as windows-1252.',
  );
}

async function knownName(wanted: string): Promise<string> {
  const { default: iconv } = await import('iconv-lite');
  if (iconv.encodingExists(wanted)) return /^utf-?8$/i.test(wanted) ? 'utf-8' : wanted;
  throw new DealsheetError(
    'usage',
    `There is no character set "${wanted}".`,
    'Usual ones are utf-8, windows-1252 and utf-16le.',
  );
}

function inNoSet(): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    'The file is not UTF-8, and its letters make no sense in any other usual character set.',
    'Save it as CSV UTF-8, or name its character set with --encoding, such as windows-1252, macintosh or cp850.',
  );
}

function inTwoSets(word: string, other: string): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    `The file is not UTF-8, and can be read in two ways: "${word}" as windows-1252, or "${other}" as macintosh.`,
    'Name the right one with --encoding, such as --encoding windows-1252.',
  );
}

function cutOff(): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    'The file ends with half a character of UTF-16: it was cut off.',
    'Save the spreadsheet again, and try again.',
  );
}

function noText(): DealsheetError {
  return new DealsheetError(
    'unreadable-source',
    'The file holds NUL bytes: it is no text, or it is damaged.',
    'Save the spreadsheet as CSV (UTF-8) or XLSX, and try again.',
  );
}
