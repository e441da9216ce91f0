/** The character set of a text file: what a person says, else a byte order mark, else UTF-8 if the whole file is, else a guess that is told. */
import { isAscii } from 'node:buffer';
import { open } from 'node:fs/promises';
import { DealsheetError } from '../../errors.ts';
import { filePieces } from '../file-pieces.ts';
import { countUtf8, firstBeyondAscii } from './utf8-count.ts';

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
  const wide = wideCharacterSet(sample);
  if (wide !== null) return { name: wide, markLength: 0, notice: `The file is read as ${wide.toUpperCase()}.` };
  if (sample.includes(0)) throw noText();
  if (await isUtf8(path)) return { name: 'utf-8', markLength: 0, notice: null };
  await refuseMixture(path);
  const { default: chardet } = await import('chardet');
  const { default: iconv } = await import('iconv-lite');
  const guess =
    chardet.analyse(sample).find(({ name }) => iconv.encodingExists(name) && !/^utf/i.test(name))?.name ??
    'windows-1252';
  const name = /^iso-8859-1$/i.test(guess) ? 'windows-1252' : guess;
  return {
    name,
    markLength: 0,
    notice: `The file is not UTF-8. It is read as ${name}; name another character set with --encoding.`,
  };
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

/** UTF-16 without a mark: in mostly Latin text, every other byte is NUL. */
function wideCharacterSet(sample: Buffer): string | null {
  const pairs = Math.floor(sample.length / 2);
  if (pairs === 0) return null;
  let [first, second] = [0, 0];
  for (let index = 0; index < pairs; index += 1) {
    if (sample[2 * index] === 0) first += 1;
    if (sample[2 * index + 1] === 0) second += 1;
  }
  const most = 0.4;
  if (second > pairs * most && first === 0) return 'utf-16le';
  return first > pairs * most && second === 0 ? 'utf-16be' : null;
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
