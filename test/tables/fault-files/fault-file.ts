/** What the files of the fault list are made of: workbooks with a part in place of the usual one. */
import { type Content, handMadeZip, type Repeated, type ZipPart } from '../hand-made-zip.ts';
import { partsOf, type WorkbookParts } from '../xlsx/workbook-parts.ts';

/** By their names. What is expected is what the refusal must say, or what must be found when it is read. */
export type FaultFiles = Readonly<Record<string, FaultFile>>;
type FaultFile = readonly [
  bytes: () => Buffer,
  expected: RegExp | Readonly<Record<string, unknown>>,
  /** Where what is read is itself large. */
  mostMegabytes?: number,
];

/** Files that differ in one thing. */
export function filesFor<Of>(
  things: readonly Of[],
  fileFor: (thing: Of) => readonly [name: string, ...file: FaultFile],
): FaultFiles {
  return Object.fromEntries(things.map(fileFor).map(([name, ...file]) => [name, file]));
}

export const oneRow = '<row r="1"><c r="A1"><v>1</v></c></row>';
export const one = { kind: 'number', value: 1, stored: '1', shown: '1', percent: false };

export function zipParts(workbook: WorkbookParts): ZipPart[] {
  return Object.entries(partsOf(workbook)).map(([name, content]) => ({ name, content }));
}

/** A usual workbook with some parts replaced or added. */
export function book(parts: Readonly<Record<string, Content>> = {}, rows = oneRow): Buffer {
  return handMadeZip(zipParts({ sheets: { Data: rows }, parts }));
}

export const sheetPart = 'xl/worksheets/sheet1.xml';
export const stringsPart = 'xl/sharedStrings.xml';

export function sheet(rows: string | Buffer, after = ''): Buffer {
  return Buffer.concat([
    Buffer.from('<worksheet><sheetData>'),
    Buffer.from(rows),
    Buffer.from(`</sheetData>${after}</worksheet>`),
  ]);
}

export function repeated(times: number, piece: string | Buffer, before = '', after = ''): Repeated {
  return { before, piece, times, after };
}

export function many(count: number, each: (index: number) => string): string {
  const all: string[] = [];
  for (let index = 0; index < count; index += 1) all.push(each(index));
  return all.join('');
}

/** Bytes that deflate finds nothing in: the same in every run. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 20260630;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = 97 + ((state >>> 24) % 26);
  }
  return bytes;
}
export const megabyte = 1024 ** 2;
